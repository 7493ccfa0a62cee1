"""Messages that tell an organiser why judging failed and what to do.

    error = serialize_reason(organiser_failure_message(ended, limits))    # as in `Job.error`
    parse_reason(job.error)                    # a Message again

Nothing of an upload is in them; file and key of the contest are, where they matter.
"""

from __future__ import annotations

import json

from tokumei.apps.contest.jobs.judge_process import FailureKind, JudgementOutcome
from tokumei.apps.contest.spec.model import JudgingLimits
from tokumei.core.messages import Message


def serialize_reason(cause: Message) -> str:
    """Both languages in one line."""
    return json.dumps(cause._asdict(), ensure_ascii=False)


def parse_reason(error: str | None) -> Message | None:
    """What was noted; older notes have one language."""
    if not error:
        return None
    return Message(**json.loads(error)) if error.startswith("{") else Message(error, error)


def team_failure_message(why: FailureKind | None, limits: JudgingLimits) -> Message:
    """Why there is no answer, for the team."""
    reasons = {
        "time": Message("the judgement did not end in time", "採点が時間内に終わりませんでした"),
        "cpu": Message(
            f"the judgement needed more than {limits.seconds} s of computing time",
            f"採点の計算時間が {limits.seconds} 秒を超えました",
        ),
        "memory": Message(
            f"the judgement needed more than {limits.megabytes} MB of memory",
            f"採点に使うメモリが {limits.megabytes} MB を超えました",
        ),
        "output": Message("the judgement wrote too much", "採点の出力が大きすぎます"),
    }
    fault = Message(
        "the judge itself failed; the organiser can see why",
        "採点プログラムの不具合です。原因は主催者が確認できます",
    )
    return reasons.get(why or "", fault)


def organiser_failure_message(ended: JudgementOutcome, limits: JudgingLimits) -> Message:
    """Why there is no answer, and what to do about it."""
    if ended.cause is not None:
        return Message(
            f"the contest's files cannot be used: {ended.cause.en}",
            f"コンテストのファイルが使えません: {ended.cause.ja}",
        )
    advice = {
        "time": Message(
            f"; the machine may be overloaded, or limits.seconds ({limits.seconds}) in "
            "contest.yaml too low",
            f"。サーバーの過負荷か、contest.yaml の limits.seconds ({limits.seconds}) が"
            "小さすぎる可能性があります",
        ),
        "cpu": Message(": limits.seconds in contest.yaml", ": contest.yaml の limits.seconds"),
        "memory": Message(
            ": limits.megabytes in contest.yaml", ": contest.yaml の limits.megabytes"
        ),
    }
    if ended.why in advice:
        reason, more = team_failure_message(ended.why, limits), advice[ended.why]
        return Message(reason.en + more.en, reason.ja + more.ja)
    causes = {
        "output": Message(
            "the judgement printed or wrote too much; a file of your own rules may do that "
            "(extra in contest.yaml)",
            "採点の出力が大きすぎます。独自の規則のファイル (contest.yaml の extra) を"
            "確認してください",
        ),
        "disk": Message("the server's disk is full", "サーバーのディスクに空きがありません"),
        "stopped": Message("the worker was stopped", "ワーカーが停止しました"),
    }
    where = ended.where or "–"
    fault = Message(
        f"the judge stopped: {where}; if that file is yours (extra in contest.yaml), correct it "
        "and judge again, else report it",
        f"採点プログラムが停止しました: {where}。独自のファイル (contest.yaml の extra) なら"
        "修正して再採点し、そうでなければ報告してください",
    )
    return causes.get(ended.why or "", fault)


def judge_mismatch_message(version_in_force: str, actual_version: str) -> Message:
    """The judge that would judge is not the one in force."""
    return Message(
        f"the judge in force is {version_in_force[:16]}, but its files or Tokumei itself have "
        f"changed "
        f"since ({actual_version[:16]}): judge again, apply, and this upload is judged with the "
        f"rest",
        f"有効な審判は {version_in_force[:16]} ですが、その後ファイルか Tokumei 本体が変わってい"
        f"ます "
        f"({actual_version[:16]})。再採点して反映すると、この提出もあわせて採点されます",
    )
