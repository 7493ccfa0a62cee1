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
        Text("Being judged", "採点中"),
        "busy",
        Text("It is being judged.", "採点しています。"),
    ),
    "scored": StateWords(
        Text("Scored", "採点済み"),
        "good",
        Text("The figures are below.", "結果は下にあります。"),
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
KINDS = {
    "release": Text("Release", "匿名加工データ"),
    "attack": Text("Attack", "攻撃"),
}
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
