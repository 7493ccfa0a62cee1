"""Labels of states, phases and job types."""

from __future__ import annotations

from typing import NamedTuple

from tokumei.core.messages import Message


class StateLabel(NamedTuple):
    """A state's name, its colour, and what it means."""

    name: Message
    kind: str
    meaning: Message


STATES = {
    "received": StateLabel(
        Message("Received", "受付済み"),
        "busy",
        Message(
            "Your file is stored. It will be checked and judged in turn.",
            "ファイルを保存しました。順番が来たら検査と採点を行います。",
        ),
    ),
    "queued": StateLabel(
        Message("In the queue", "採点待ち"),
        "busy",
        Message(
            "No rule is broken. It is waiting to be judged.",
            "規則はすべて満たしています。採点の順番を待っています。",
        ),
    ),
    "running": StateLabel(
        Message("Being judged", "採点中"),
        "busy",
        Message("It is being judged.", "採点しています。"),
    ),
    "scored": StateLabel(
        Message("Scored", "採点済み"),
        "good",
        Message("The figures are below.", "結果は下にあります。"),
    ),
    "rejected": StateLabel(
        Message("Rejected", "不受理"),
        "bad",
        Message(
            "The file breaks rules, so it was not judged and costs no submission.",
            "規則違反があるため採点していません。提出回数には数えません。",
        ),
    ),
    "failed": StateLabel(
        Message("Failed", "システムエラー"),
        "bad",
        Message(
            "The system could not judge it. This costs no submission; the organiser can see why.",
            "システムの都合で採点できませんでした。提出回数には数えません。原因は主催者が確認できます。",
        ),
    ),
    "cancelled": StateLabel(
        Message("Cancelled", "取消済み"),
        "",
        Message(
            "Your team took it back before it was judged. It costs no submission.",
            "採点前にチームが取り消しました。提出回数には数えません。",
        ),
    ),
    "withdrawn": StateLabel(
        Message("Withdrawn", "取り下げ"),
        "mid",
        Message("The organiser took it out of the contest.", "主催者が取り下げました。"),
    ),
}
PHASES = {
    "anonymize": Message("Anonymize", "匿名加工フェーズ"),
    "attack": Message("Attack", "攻撃フェーズ"),
}
PHASE_TASKS = {
    "anonymize": Message(
        "Teams upload anonymized versions of the data and choose which to publish.",
        "データを匿名加工して提出し、公開するものを選びます。",
    ),
    "attack": Message(
        "Teams download each other's published releases and try to find the people in them.",
        "他チームが公開した匿名加工データを入手し、再識別を試みます。",
    ),
}
CONTEST_STATES = {
    "coming": StateLabel(Message("Not started", "開始前"), "", Message("", "")),
    "anonymize": StateLabel(
        Message("Anonymizing now", "匿名加工フェーズ中"), "good", Message("", "")
    ),
    "attack": StateLabel(Message("Attacking now", "攻撃フェーズ中"), "good", Message("", "")),
    "between": StateLabel(Message("Between phases", "フェーズの合間"), "mid", Message("", "")),
    "over": StateLabel(Message("Finished", "終了"), "", Message("", "")),
}
KINDS = {"release": Message("Release", "匿名加工データ"), "attack": Message("Attack", "攻撃")}
JOBS = {
    "judge": Message("Judge a release", "匿名加工データの採点"),
    "attack": Message("Judge an attack", "攻撃の採点"),
    "rejudge": Message("Judge again", "再採点"),
    "recheck": Message("Check rules again", "規則の再検査"),
}
JOB_STATES = {
    "queued": Message("waiting", "待機中"),
    "running": Message("running", "実行中"),
    "done": Message("done", "完了"),
    "failed": Message("failed", "失敗"),
    "cancelled": Message("cancelled", "取消"),
}
INVITES = {
    "register": Message("Register", "参加登録"),
    "team": Message("Join a team", "チームに加わる"),
    "organiser": Message("Organise", "主催者になる"),
}
FEEDBACK = {
    "exact": Message("exact, at once", "正確な値をすぐに表示"),
    "banded": Message("as a band, at once", "範囲のみをすぐに表示"),
    "delayed": Message("when the phase ends", "フェーズ終了後に表示"),
}
LEADERBOARD_VISIBILITY = {
    "always": Message("always", "常に公開"),
    "after-phase": Message("when the phase ends", "フェーズ終了後に公開"),
    "after-contest": Message("when the contest ends", "コンテスト終了後に公開"),
}
QUOTAS = {
    "submissions": Message("Submissions in all", "提出回数（合計）"),
    "submissions_per_day": Message("Submissions in 24 hours", "提出回数（24 時間）"),
    "uploads_per_hour": Message(
        "Uploads in an hour, rejected ones too", "アップロード（1 時間、不受理を含む）"
    ),
    "rejected_per_hour": Message("Rejected uploads in an hour", "不受理（1 時間）"),
    "published": Message("Published releases", "公開できる数"),
    "attempts_per_target": Message("Attempts per target", "攻撃回数（対象ごと）"),
    "megabytes": Message("Megabytes per file", "ファイルの大きさ（MB）"),
    "members": Message("Members", "メンバー数"),
}
REGISTRATION = {
    "open": Message("open", "誰でも"),
    "invite": Message("with a code", "招待コードが必要"),
}
SETTING_CHOICES = {
    "feedback": FEEDBACK,
    "leaderboard": LEADERBOARD_VISIBILITY,
    "registration": REGISTRATION,
}
"""The words of settings that are chosen from a few."""
STAGES = {
    "draft": Message("a draft: only organisers see it", "下書き: 主催者だけに見える"),
    "open": Message("open", "公開"),
    "archived": Message("archived: nothing more is taken", "保管: 受け付けを終える"),
}
SETTING_LABELS = {
    "title.en": Message("Title (English)", "題名（英語）"),
    "title.ja": Message("Title (Japanese)", "題名（日本語）"),
    "about.en": Message("Text (English)", "説明（英語）"),
    "about.ja": Message("Text (Japanese)", "説明（日本語）"),
    "feedback": Message("What attackers learn", "攻撃結果の通知"),
    "leaderboard": Message("Scores shown to others", "成績の公開"),
    "registration": Message("Registration", "参加登録"),
}
