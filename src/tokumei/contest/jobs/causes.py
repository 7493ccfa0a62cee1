"""Why a judgement failed, in sentences that an organiser can act on.

    error = noted(cause_of(ended, limits))     # as `Job.error` holds it
    told(job.error)                            # a Text again

Nothing of an upload is in them; file and key of the contest are, where they matter.
"""

from __future__ import annotations

import json

from tokumei.contest.jobs.judge_process import Ended, Why
from tokumei.contest.spec.model import Limits
from tokumei.core.text import Text


def noted(cause: Text) -> str:
    """Both languages in one line."""
    return json.dumps(cause._asdict(), ensure_ascii=False)


def told(error: str | None) -> Text | None:
    """What was noted; older notes have one language."""
    if not error:
        return None
    return Text(**json.loads(error)) if error.startswith("{") else Text(error, error)


def reason_of(why: Why | None, limits: Limits) -> Text:
    """Why there is no answer, for the team."""
    reasons = {
        "time": Text("the judgement did not end in time", "採点が時間内に終わりませんでした"),
        "cpu": Text(
            f"the judgement needed more than {limits.seconds} s of computing time",
            f"採点の計算時間が {limits.seconds} 秒を超えました",
        ),
        "memory": Text(
            f"the judgement needed more than {limits.megabytes} MB of memory",
            f"採点に使うメモリが {limits.megabytes} MB を超えました",
        ),
        "output": Text("the judgement wrote too much", "採点の出力が大きすぎます"),
    }
    fault = Text(
        "the judge itself failed; the organiser can see why",
        "採点プログラムの不具合です。原因は主催者が確認できます",
    )
    return reasons.get(why or "", fault)


def cause_of(ended: Ended, limits: Limits) -> Text:
    """Why there is no answer, and what to do about it."""
    if ended.cause is not None:
        return Text(
            f"the contest's files cannot be used: {ended.cause.en}",
            f"コンテストのファイルが使えません: {ended.cause.ja}",
        )
    advice = {
        "time": Text(
            f"; the machine may be overloaded, or limits.seconds ({limits.seconds}) in "
            "contest.yaml too low",
            f"。サーバーの過負荷か、contest.yaml の limits.seconds ({limits.seconds}) が"
            "小さすぎる可能性があります",
        ),
        "cpu": Text(": limits.seconds in contest.yaml", ": contest.yaml の limits.seconds"),
        "memory": Text(": limits.megabytes in contest.yaml", ": contest.yaml の limits.megabytes"),
    }
    if ended.why in advice:
        reason, more = reason_of(ended.why, limits), advice[ended.why]
        return Text(reason.en + more.en, reason.ja + more.ja)
    causes = {
        "output": Text(
            "the judgement printed or wrote too much; a file of your own rules may do that "
            "(extra in contest.yaml)",
            "採点の出力が大きすぎます。独自の規則のファイル (contest.yaml の extra) を"
            "確認してください",
        ),
        "disk": Text("the server's disk is full", "サーバーのディスクに空きがありません"),
        "stopped": Text("the worker was stopped", "ワーカーが停止しました"),
    }
    where = ended.where or "–"
    fault = Text(
        f"the judge stopped: {where}; if that file is yours (extra in contest.yaml), correct it "
        "and judge again, else report it",
        f"採点プログラムが停止しました: {where}。独自のファイル (contest.yaml の extra) なら"
        "修正して再採点し、そうでなければ報告してください",
    )
    return causes.get(ended.why or "", fault)


def other_judge(in_force: str, found: str) -> Text:
    """The judge that would judge is not the one in force."""
    return Text(
        f"the judge in force is {in_force[:16]}, but its files or Tokumei itself have changed "
        f"since ({found[:16]}): judge again, apply, and this upload is judged with the rest",
        f"有効な審判は {in_force[:16]} ですが、その後ファイルか Tokumei 本体が変わっています "
        f"({found[:16]})。再採点して反映すると、この提出もあわせて採点されます",
    )
