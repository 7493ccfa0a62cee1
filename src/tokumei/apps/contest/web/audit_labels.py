"""Labels of the actions in the audit log."""

from __future__ import annotations

from datetime import datetime

from tokumei.apps.contest.services.admin_views import AuditRecordView
from tokumei.apps.contest.web.formatting import stamp
from tokumei.apps.contest.web.labels import QUOTAS, SETTING_CHOICES, SETTING_LABELS, STAGES, STATES
from tokumei.core.messages import Message

ACTION_LABELS = {
    "account.close": Message("closed an account"),
    "attachment.add": Message("attached a file"),
    "attachment.remove": Message("removed an attached file"),
    "contest.delete": Message("deleted the contest"),
    "contest.new": Message("created the contest"),
    "contest.settings": Message("changed settings"),
    "contest.stage": Message("opened, archived or hid the contest"),
    "entry.cancel": Message("cancelled an upload"),
    "entry.publish": Message("chose a release to publish"),
    "entry.restore": Message("undid a withdrawal"),
    "entry.retry": Message("had a failed upload judged again"),
    "entry.unpublish": Message("took back the choice to publish"),
    "entry.upload": Message("uploaded"),
    "entry.withdraw": Message("withdrew an upload"),
    "export": Message("exported the contest"),
    "invite.end": Message("revoked a code"),
    "invite.organiser": Message("made a code for organisers"),
    "invite.register": Message("made a code to register"),
    "invite.team": Message("made a code to join a team"),
    "judge.put-back": Message("put the contest's files back"),
    "judge.use": Message("began to use changed files"),
    "login": Message("logged in"),
    "news.announce": Message("announced something"),
    "news.answer": Message("answered a question"),
    "news.ask": Message("asked a question"),
    "organiser.add": Message("made somebody an organiser"),
    "organiser.remove": Message("removed an organiser"),
    "password": Message("changed the password"),
    "password.reset": Message("reset a forgotten password"),
    "password.reset-code": Message("made a link to reset a password"),
    "phase.change": Message("moved a phase"),
    "recheck.begin": Message("began to check rules again"),
    "register": Message("registered"),
    "rejudge.apply": Message("applied new scores"),
    "rejudge.begin": Message("began to judge again"),
    "team.captain": Message("named another captain"),
    "team.join": Message("joined a team"),
    "team.leave": Message("left a team, or was removed"),
    "team.name": Message("renamed a team"),
    "team.new": Message("created a team"),
    "team.set": Message("hid or banned a team, or undid that"),
    "token.new": Message("made a token"),
    "token.revoke": Message("revoked a token"),
}
ACTION_GROUPS = {
    "entry.": Message("uploads"),
    "team.": Message("teams"),
    "contest.": Message("the contest"),
    "phase.": Message("phases"),
    "rejudge.": Message("judging again"),
    "recheck.": Message("checking rules again"),
    "judge.": Message("the judge's files"),
    "attachment.": Message("attached files"),
    "news.": Message("news and questions"),
    "invite.": Message("codes"),
    "organiser.": Message("organisers"),
    "password": Message("passwords"),
    "account.": Message("closed accounts"),
    "register": Message("registrations"),
    "login": Message("logins"),
    "token.": Message("tokens"),
    "export": Message("exports"),
}
"""How actions begin that belong together."""
SUBJECT_LABELS = {
    "notice": Message("news {number}"),
    "invite": Message("code {number}"),
    "token": Message("token {number}"),
    "phase": Message("phase {number}"),
}
"""Things without a name of their own."""
DETAIL_LABELS = {
    "reason": Message("reason"),
    "old": Message("before"),
    "new": Message("now"),
    "state": Message("state"),
    "hidden": Message("hidden"),
    "banned": Message("banned"),
    "entries": Message("uploads", context="a number"),
    "judge_version": Message("judge's version"),
    "retried": Message("judged again"),
    "files": Message("files"),
    "uploaded": Message("after uploads"),
    "public": Message("to all"),
    "job": Message("job"),
}
FIELD_LABELS = SETTING_LABELS | {f"quotas.{name}": label for name, label in QUOTAS.items()}
VALUE_LABELS = SETTING_CHOICES | {"state": {name: words.name for name, words in STATES.items()}}
HIDDEN_DETAILS = ("account",)
"""Told by name instead."""
YES_NO_LABELS = {True: Message("yes"), False: Message("no")}


def action(name: str) -> Message:
    """An action in words."""
    return ACTION_LABELS.get(name, Message.verbatim(name))


def about(row: AuditRecordView) -> str:
    """What a row is about: its name, or a word and a number; phases are counted from 1."""
    kind, _, number = row.about.partition(" ")
    if row.about != row.subject or kind not in SUBJECT_LABELS or not number.isdigit():
        return row.about
    return SUBJECT_LABELS[kind].fill(number=int(number) + (kind == "phase")).show()


def details(row: AuditRecordView, *, minutes: int = 0) -> list[tuple[Message, str]]:
    """The details of a row, each with its word; of settings those that changed.

    Times are told in the zone that is `minutes` from UTC.
    """
    old, new = row.details.get("old"), row.details.get("new")
    rest = {name: value for name, value in row.details.items() if name not in HIDDEN_DETAILS}
    if row.action == "contest.stage":
        rest |= {"old": str(STAGES.get(str(old), old)), "new": str(STAGES.get(str(new), new))}
    if row.action == "phase.change":
        rest |= {name: _format_times(rest[name], minutes) for name in ("old", "new")}
    changes = []
    if isinstance(old, dict) and isinstance(new, dict):
        changes = _setting_changes(old, new)
        del rest["old"], rest["new"]
    labelled_details = [
        (DETAIL_LABELS.get(name, Message.verbatim(name)), _value_label(name, detail))
        for name, detail in rest.items()
    ]
    return [*changes, *labelled_details]


def _setting_changes(old: object, new: object, key_path: str = "") -> list[tuple[Message, str]]:
    """What differs between two plain values: where, and from what to what."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = list(dict.fromkeys([*old, *new]))
        return [
            change
            for name in names
            if old.get(name) != new.get(name)
            for change in _setting_changes(
                old.get(name), new.get(name), f"{key_path}.{name}".lstrip(".")
            )
        ]
    label = FIELD_LABELS.get(key_path, Message.verbatim(key_path))
    return [
        (
            label,
            f"{_truncate(_value_label(key_path, old))} → {_truncate(_value_label(key_path, new))}",
        )
    ]


def _value_label(name: str, value: object) -> str:
    """A value in words where it has some."""
    if value is None:
        return "–"
    return str(VALUE_LABELS.get(name, {}).get(str(value), _format_value(value)))


def _format_times(times: list[str], minutes: int) -> str:
    return " – ".join(
        str(stamp(datetime.fromisoformat(time_text), minutes=minutes)) for time_text in times
    )


def _truncate(value_text: str, most: int = 80) -> str:
    text = " ".join(value_text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return str(YES_NO_LABELS[value])
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_format_value(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return " – ".join(map(_format_value, value))
    text = str(value)
    return text[:12] + "…" if len(text) == 64 and text.isalnum() else text
