"""Labels of the actions in the audit log."""

from __future__ import annotations

from datetime import datetime

from tokumei.apps.contest.services.admin_views import AuditRecordView
from tokumei.apps.contest.web.formatting import stamp
from tokumei.apps.contest.web.labels import QUOTAS, SETTING_CHOICES, SETTING_LABELS, STAGES, STATES
from tokumei.core.messages import Message

ACTION_LABELS = {
    "account.close": Message("closed an account", "アカウントを閉じた"),
    "attachment.add": Message("attached a file", "ファイルを添付した"),
    "attachment.remove": Message("removed an attached file", "添付ファイルを外した"),
    "contest.delete": Message("deleted the contest", "コンテストを削除した"),
    "contest.new": Message("created the contest", "コンテストを作った"),
    "contest.settings": Message("changed settings", "設定を変更した"),
    "contest.stage": Message("opened, archived or hid the contest", "公開状態を変えた"),
    "entry.cancel": Message("cancelled an upload", "提出を取り消した"),
    "entry.publish": Message("chose a release to publish", "公開するデータを選んだ"),
    "entry.restore": Message("took a withdrawal back", "取り下げを取り消した"),
    "entry.retry": Message("had a failed upload judged again", "失敗した提出を採点し直した"),
    "entry.unpublish": Message("took back the choice to publish", "公開の選択を取り消した"),
    "entry.upload": Message("uploaded", "提出した"),
    "entry.withdraw": Message("withdrew an upload", "提出を取り下げた"),
    "export": Message("exported the contest", "コンテストを書き出した"),
    "invite.end": Message("ended a code", "招待コードを無効にした"),
    "invite.organiser": Message("made a code for organisers", "主催者用の招待コードを作った"),
    "invite.register": Message("made a code to register", "参加登録の招待コードを作った"),
    "invite.team": Message("made a code to join a team", "チームの招待コードを作った"),
    "judge.put-back": Message("put the contest's files back", "コンテストのファイルを元に戻した"),
    "judge.use": Message("began to use changed files", "変更したファイルを使い始めた"),
    "login": Message("logged in", "ログインした"),
    "news.announce": Message("announced something", "お知らせを出した"),
    "news.answer": Message("answered a question", "質問に答えた"),
    "news.ask": Message("asked a question", "質問した"),
    "organiser.add": Message("made somebody an organiser", "主催者を加えた"),
    "organiser.remove": Message("removed an organiser", "主催者を外した"),
    "password": Message("changed the password", "パスワードを変更した"),
    "password.reset": Message("set a forgotten password anew", "忘れたパスワードを再設定した"),
    "password.reset-code": Message(
        "made a link to reset a password", "パスワード再設定のリンクを作った"
    ),
    "phase.change": Message("moved a phase", "日程を変更した"),
    "recheck.begin": Message("began to check rules again", "規則の再検査を始めた"),
    "register": Message("registered", "登録した"),
    "rejudge.apply": Message("applied new scores", "再採点を適用した"),
    "rejudge.begin": Message("began to judge again", "再採点を始めた"),
    "team.captain": Message("named another captain", "キャプテンを交代した"),
    "team.join": Message("joined a team", "チームに加わった"),
    "team.leave": Message("left a team, or was removed", "チームを抜けた（外された）"),
    "team.name": Message("renamed a team", "チーム名を変えた"),
    "team.new": Message("created a team", "チームを作った"),
    "team.set": Message("hid or banned a team, or took it back", "チームの公開・参加停止を変えた"),
    "token.new": Message("made a token", "トークンを作った"),
    "token.revoke": Message("revoked a token", "トークンを無効にした"),
}
ACTION_GROUPS = {
    "entry.": Message("uploads", "提出"),
    "team.": Message("teams", "チーム"),
    "contest.": Message("the contest", "コンテスト"),
    "phase.": Message("phases", "日程"),
    "rejudge.": Message("judging again", "再採点"),
    "recheck.": Message("checking rules again", "規則の再検査"),
    "judge.": Message("the judge's files", "審判のファイル"),
    "attachment.": Message("attached files", "添付ファイル"),
    "news.": Message("news and questions", "お知らせと質問"),
    "invite.": Message("codes", "招待コード"),
    "organiser.": Message("organisers", "主催者"),
    "password": Message("passwords", "パスワード"),
    "account.": Message("closed accounts", "閉じたアカウント"),
    "register": Message("registrations", "参加登録"),
    "login": Message("logins", "ログイン"),
    "token.": Message("tokens", "トークン"),
    "export": Message("exports", "書き出し"),
}
"""How actions begin that belong together."""
SUBJECT_LABELS = {
    "notice": Message("news", "お知らせ・質問"),
    "invite": Message("code", "招待コード"),
    "token": Message("token", "トークン"),
    "phase": Message("phase", "フェーズ"),
}
"""Things without a name of their own."""
DETAIL_LABELS = {
    "reason": Message("reason", "理由"),
    "old": Message("before", "変更前"),
    "new": Message("now", "変更後"),
    "state": Message("state", "状態"),
    "hidden": Message("hidden", "非公開"),
    "banned": Message("banned", "参加停止"),
    "entries": Message("uploads", "提出数"),
    "judge_version": Message("judge's version", "審判の版"),
    "retried": Message("judged again", "再採点した数"),
    "files": Message("files", "ファイル"),
    "uploaded": Message("after uploads", "提出後"),
    "public": Message("to all", "全員に公開"),
    "job": Message("job", "作業番号"),
}
FIELD_LABELS = SETTING_LABELS | {f"quotas.{name}": label for name, label in QUOTAS.items()}
VALUE_LABELS = SETTING_CHOICES | {"state": {name: words.name for name, words in STATES.items()}}
HIDDEN_DETAILS = ("account",)
"""Told by name instead."""
YES_NO_LABELS = {True: Message("yes", "はい"), False: Message("no", "いいえ")}


def action(name: str) -> Message:
    """An action in words."""
    return ACTION_LABELS.get(name, Message(name, name))


def about(row: AuditRecordView) -> str:
    """What a row is about: its name, or a word and a number; phases are counted from 1."""
    kind, _, number = row.about.partition(" ")
    if row.about != row.subject or kind not in SUBJECT_LABELS or not number.isdigit():
        return row.about
    return f"{SUBJECT_LABELS[kind]} {int(number) + (kind == 'phase')}"


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
        (DETAIL_LABELS.get(name, Message(name, name)), _value_label(name, detail))
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
    label = FIELD_LABELS.get(key_path, Message(key_path, key_path))
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
