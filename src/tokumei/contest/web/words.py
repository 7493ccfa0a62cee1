"""Names of things that pages show: states, phases, kinds of work."""

from __future__ import annotations

from typing import NamedTuple

from tokumei.core.text import Text


class StateWords(NamedTuple):
    """A state's name, its colour, and what it means."""

    name: Text
    kind: str
    meaning: Text


STATES = {
    "received": StateWords(
        Text("Received", "受付済み"),
        "busy",
        Text(
            "Your file is stored. It will be checked and judged in turn.",
            "ファイルを保存しました。順番が来たら検査と採点を行います。",
        ),
    ),
    "queued": StateWords(
        Text("In the queue", "採点待ち"),
        "busy",
        Text(
            "No rule is broken. It is waiting to be judged.",
            "規則はすべて満たしています。採点の順番を待っています。",
        ),
    ),
    "running": StateWords(
        Text("Being judged", "採点中"), "busy", Text("It is being judged.", "採点しています。")
    ),
    "scored": StateWords(
        Text("Scored", "採点済み"), "good", Text("The figures are below.", "結果は下にあります。")
    ),
    "rejected": StateWords(
        Text("Rejected", "不受理"),
        "bad",
        Text(
            "The file breaks rules, so it was not judged and costs no submission.",
            "規則違反があるため採点していません。提出回数には数えません。",
        ),
    ),
    "failed": StateWords(
        Text("Failed", "システムエラー"),
        "bad",
        Text(
            "The system could not judge it. This costs no submission; the organiser can see why.",
            "システムの都合で採点できませんでした。提出回数には数えません。原因は主催者が確認できます。",
        ),
    ),
    "cancelled": StateWords(
        Text("Cancelled", "取消済み"),
        "",
        Text(
            "Your team took it back before it was judged. It costs no submission.",
            "採点前にチームが取り消しました。提出回数には数えません。",
        ),
    ),
    "withdrawn": StateWords(
        Text("Withdrawn", "取り下げ"),
        "mid",
        Text("The organiser took it out of the contest.", "主催者が取り下げました。"),
    ),
}
PHASES = {
    "anonymize": Text("Anonymize", "匿名加工フェーズ"),
    "attack": Text("Attack", "攻撃フェーズ"),
}
PHASE_TASKS = {
    "anonymize": Text(
        "Teams upload anonymized versions of the data and choose which to publish.",
        "データを匿名加工して提出し、公開するものを選びます。",
    ),
    "attack": Text(
        "Teams download each other's published releases and try to find the people in them.",
        "他チームが公開した匿名加工データを入手し、再識別を試みます。",
    ),
}
CONTEST_STATES = {
    "coming": StateWords(Text("Not started", "開始前"), "", Text("", "")),
    "anonymize": StateWords(Text("Anonymizing now", "匿名加工フェーズ中"), "good", Text("", "")),
    "attack": StateWords(Text("Attacking now", "攻撃フェーズ中"), "good", Text("", "")),
    "between": StateWords(Text("Between phases", "フェーズの合間"), "mid", Text("", "")),
    "over": StateWords(Text("Finished", "終了"), "", Text("", "")),
}
KINDS = {"release": Text("Release", "匿名加工データ"), "attack": Text("Attack", "攻撃")}
JOBS = {
    "judge": Text("Judge a release", "匿名加工データの採点"),
    "attack": Text("Judge an attack", "攻撃の採点"),
    "rejudge": Text("Judge again", "再採点"),
    "recheck": Text("Check rules again", "規則の再検査"),
}
JOB_STATES = {
    "queued": Text("waiting", "待機中"),
    "running": Text("running", "実行中"),
    "done": Text("done", "完了"),
    "failed": Text("failed", "失敗"),
    "cancelled": Text("cancelled", "取消"),
}
INVITES = {
    "register": Text("Register", "参加登録"),
    "team": Text("Join a team", "チームに加わる"),
    "organiser": Text("Organise", "主催者になる"),
}
FEEDBACK = {
    "exact": Text("exact, at once", "正確な値をすぐに表示"),
    "banded": Text("as a band, at once", "範囲のみをすぐに表示"),
    "delayed": Text("when the phase ends", "フェーズ終了後に表示"),
}
VISIBLE = {
    "always": Text("always", "常に公開"),
    "after-phase": Text("when the phase ends", "フェーズ終了後に公開"),
    "after-contest": Text("when the contest ends", "コンテスト終了後に公開"),
}
QUOTAS = {
    "submissions": Text("Submissions in all", "提出回数（合計）"),
    "submissions_per_day": Text("Submissions in 24 hours", "提出回数（24 時間）"),
    "uploads_per_hour": Text(
        "Uploads in an hour, rejected ones too", "アップロード（1 時間、不受理を含む）"
    ),
    "rejected_per_hour": Text("Rejected uploads in an hour", "不受理（1 時間）"),
    "published": Text("Published releases", "公開できる数"),
    "attempts_per_target": Text("Attempts per target", "攻撃回数（対象ごと）"),
    "megabytes": Text("Megabytes per file", "ファイルの大きさ（MB）"),
    "members": Text("Members", "メンバー数"),
}
REGISTRATION = {"open": Text("open", "誰でも"), "invite": Text("with a code", "招待コードが必要")}
CHOICES = {"feedback": FEEDBACK, "leaderboard": VISIBLE, "registration": REGISTRATION}
"""The words of settings that are chosen from a few."""
STAGES = {
    "draft": Text("a draft: only organisers see it", "下書き: 主催者だけに見える"),
    "open": Text("open", "公開"),
    "archived": Text("archived: nothing more is taken", "保管: 受け付けを終える"),
}
SETTINGS = {
    "title.en": Text("Title (English)", "題名（英語）"),
    "title.ja": Text("Title (Japanese)", "題名（日本語）"),
    "about.en": Text("Text (English)", "説明（英語）"),
    "about.ja": Text("Text (Japanese)", "説明（日本語）"),
    "feedback": Text("What attackers learn", "攻撃結果の通知"),
    "leaderboard": Text("Scores shown to others", "成績の公開"),
    "registration": Text("Registration", "参加登録"),
}
