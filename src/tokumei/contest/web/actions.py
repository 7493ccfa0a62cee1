"""What the audit log calls actions, in words."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tokumei.contest.desk.console_views import AuditView
from tokumei.contest.web.figures import stamp
from tokumei.contest.web.words import CHOICES, QUOTAS, SETTINGS, STAGES, STATES
from tokumei.core.text import Text

ACTIONS = {
    "account.close": Text("closed an account", "アカウントを閉じた"),
    "attachment.add": Text("attached a file", "ファイルを添付した"),
    "attachment.remove": Text("removed an attached file", "添付ファイルを外した"),
    "contest.delete": Text("deleted the contest", "コンテストを削除した"),
    "contest.new": Text("created the contest", "コンテストを作った"),
    "contest.settings": Text("changed settings", "設定を変更した"),
    "contest.stage": Text("opened, archived or hid the contest", "公開状態を変えた"),
    "entry.cancel": Text("cancelled an upload", "提出を取り消した"),
    "entry.publish": Text("chose a release to publish", "公開するデータを選んだ"),
    "entry.restore": Text("took a withdrawal back", "取り下げを取り消した"),
    "entry.retry": Text("had a failed upload judged again", "失敗した提出を採点し直した"),
    "entry.unpublish": Text("took back the choice to publish", "公開の選択を取り消した"),
    "entry.upload": Text("uploaded", "提出した"),
    "entry.withdraw": Text("withdrew an upload", "提出を取り下げた"),
    "export": Text("exported the contest", "コンテストを書き出した"),
    "invite.end": Text("ended a code", "招待コードを無効にした"),
    "invite.organiser": Text("made a code for organisers", "主催者用の招待コードを作った"),
    "invite.register": Text("made a code to register", "参加登録の招待コードを作った"),
    "invite.team": Text("made a code to join a team", "チームの招待コードを作った"),
    "judge.put-back": Text("put the contest's files back", "コンテストのファイルを元に戻した"),
    "judge.use": Text("began to use changed files", "変更したファイルを使い始めた"),
    "login": Text("logged in", "ログインした"),
    "news.announce": Text("announced something", "お知らせを出した"),
    "news.answer": Text("answered a question", "質問に答えた"),
    "news.ask": Text("asked a question", "質問した"),
    "organiser.add": Text("made somebody an organiser", "主催者を加えた"),
    "organiser.remove": Text("removed an organiser", "主催者を外した"),
    "password": Text("changed the password", "パスワードを変更した"),
    "password.reset": Text("set a forgotten password anew", "忘れたパスワードを再設定した"),
    "password.reset-code": Text(
        "made a link to reset a password", "パスワード再設定のリンクを作った"
    ),
    "phase.change": Text("moved a phase", "日程を変更した"),
    "recheck.begin": Text("began to check rules again", "規則の再検査を始めた"),
    "register": Text("registered", "登録した"),
    "rejudge.apply": Text("applied new scores", "再採点を適用した"),
    "rejudge.begin": Text("began to judge again", "再採点を始めた"),
    "team.captain": Text("named another captain", "キャプテンを交代した"),
    "team.join": Text("joined a team", "チームに加わった"),
    "team.leave": Text("left a team, or was removed", "チームを抜けた（外された）"),
    "team.name": Text("renamed a team", "チーム名を変えた"),
    "team.new": Text("created a team", "チームを作った"),
    "team.set": Text("hid or banned a team, or took it back", "チームの公開・参加停止を変えた"),
    "token.new": Text("made a token", "トークンを作った"),
    "token.revoke": Text("revoked a token", "トークンを無効にした"),
}
GROUPS = {
    "entry.": Text("uploads", "提出"),
    "team.": Text("teams", "チーム"),
    "contest.": Text("the contest", "コンテスト"),
    "phase.": Text("phases", "日程"),
    "rejudge.": Text("judging again", "再採点"),
    "recheck.": Text("checking rules again", "規則の再検査"),
    "judge.": Text("the judge's files", "審判のファイル"),
    "attachment.": Text("attached files", "添付ファイル"),
    "news.": Text("news and questions", "お知らせと質問"),
    "invite.": Text("codes", "招待コード"),
    "organiser.": Text("organisers", "主催者"),
    "password": Text("passwords", "パスワード"),
    "account.": Text("closed accounts", "閉じたアカウント"),
    "register": Text("registrations", "参加登録"),
    "login": Text("logins", "ログイン"),
    "token.": Text("tokens", "トークン"),
    "export": Text("exports", "書き出し"),
}
"""How actions begin that belong together."""
SUBJECTS = {
    "notice": Text("news", "お知らせ・質問"),
    "invite": Text("code", "招待コード"),
    "token": Text("token", "トークン"),
    "phase": Text("phase", "フェーズ"),
}
"""Things without a name of their own."""
DETAILS = {
    "reason": Text("reason", "理由"),
    "old": Text("before", "変更前"),
    "new": Text("now", "変更後"),
    "state": Text("state", "状態"),
    "hidden": Text("hidden", "非公開"),
    "banned": Text("banned", "参加停止"),
    "entries": Text("uploads", "提出数"),
    "judge_version": Text("judge's version", "審判の版"),
    "retried": Text("judged again", "再採点した数"),
    "files": Text("files", "ファイル"),
    "uploaded": Text("after uploads", "提出後"),
    "public": Text("to all", "全員に公開"),
    "job": Text("job", "作業番号"),
}
FIELDS = SETTINGS | {f"quotas.{name}": label for name, label in QUOTAS.items()}
VALUES = CHOICES | {"state": {name: words.name for name, words in STATES.items()}}
LEFT_OUT = ("account",)
"""Told by name instead."""
YES_NO = {True: Text("yes", "はい"), False: Text("no", "いいえ")}


def action(name: str) -> Text:
    """An action in words."""
    return ACTIONS.get(name, Text(name, name))


def about(row: AuditView) -> str:
    """What a row is about: its name, or a word and a number; phases are counted from 1."""
    kind, _, number = row.about.partition(" ")
    if row.about != row.subject or kind not in SUBJECTS or not number.isdigit():
        return row.about
    return f"{SUBJECTS[kind]} {int(number) + (kind == 'phase')}"


def details(row: AuditView, *, minutes: int = 0) -> list[tuple[Text, str]]:
    """The details of a row, each with its word; of settings those that changed.

    Times are told in the zone that is `minutes` from UTC.
    """
    old, new = row.details.get("old"), row.details.get("new")
    rest = {name: value for name, value in row.details.items() if name not in LEFT_OUT}
    if row.action == "contest.stage":
        rest |= {"old": str(STAGES.get(str(old), old)), "new": str(STAGES.get(str(new), new))}
    if row.action == "phase.change":
        rest |= {name: _span(rest[name], minutes) for name in ("old", "new")}
    changes = []
    if isinstance(old, dict) and isinstance(new, dict):
        changes = _changes(old, new)
        del rest["old"], rest["new"]
    told = [(DETAILS.get(name, Text(name, name)), _word(name, one)) for name, one in rest.items()]
    return [*changes, *told]


def _changes(old: Any, new: Any, where: str = "") -> list[tuple[Text, str]]:
    """What differs between two plain values: where, and from what to what."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = list(dict.fromkeys([*old, *new]))
        return [
            one
            for name in names
            if old.get(name) != new.get(name)
            for one in _changes(old.get(name), new.get(name), f"{where}.{name}".lstrip("."))
        ]
    label = FIELDS.get(where, Text(where, where))
    return [(label, f"{_short(_word(where, old))} → {_short(_word(where, new))}")]


def _word(name: str, value: Any) -> str:
    """A value in words where it has some."""
    if value is None:
        return "–"
    return str(VALUES.get(name, {}).get(str(value), _value(value)))


def _span(times: list[str], minutes: int) -> str:
    return " – ".join(str(stamp(datetime.fromisoformat(one), minutes=minutes)) for one in times)


def _short(told: str, most: int = 80) -> str:
    text = " ".join(told.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(YES_NO[value])
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_value(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return " – ".join(map(_value, value))
    text = str(value)
    return text[:12] + "…" if len(text) == 64 and text.isalnum() else text
