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
    """All languages in one line."""
    return json.dumps(cause.texts(), ensure_ascii=False)


def parse_reason(error: str | None) -> Message | None:
    """What was noted; older notes have one language."""
    if not error:
        return None
    is_json = error.startswith("{")
    return Message.of_texts(json.loads(error)) if is_json else Message.verbatim(error)


def team_failure_message(why: FailureKind | None, limits: JudgingLimits) -> Message:
    """Why there is no answer, for the team."""
    reasons = {
        "time": Message("the judgement did not end in time"),
        "cpu": Message(
            "the judgement needed more than {seconds} s of computing time", seconds=limits.seconds
        ),
        "memory": Message(
            "the judgement needed more than {megabytes} MB of memory", megabytes=limits.megabytes
        ),
        "output": Message("the judgement wrote too much"),
    }
    fault = Message("the judge itself failed; the organiser can see why")
    return reasons.get(why or "", fault)


def organiser_failure_message(ended: JudgementOutcome, limits: JudgingLimits) -> Message:
    """Why there is no answer, and what to do about it."""
    if ended.cause is not None:
        return Message("the contest's files cannot be used: {cause}", cause=ended.cause)
    causes = {
        "time": Message(
            "the judgement did not end in time; the machine may be overloaded, or "
            "limits.seconds ({seconds}) in contest.yaml is too low",
            seconds=limits.seconds,
        ),
        "cpu": Message(
            "the judgement needed more than {seconds} s of computing time (limits.seconds "
            "in contest.yaml)",
            seconds=limits.seconds,
        ),
        "memory": Message(
            "the judgement needed more than {megabytes} MB of memory (limits.megabytes in "
            "contest.yaml)",
            megabytes=limits.megabytes,
        ),
        "output": Message(
            "the judgement printed or wrote too much; a file of your own rules may do that (extra "
            "in contest.yaml)"
        ),
        "disk": Message("the server's disk is full"),
        "stopped": Message("the worker was stopped"),
    }
    where = ended.where or "–"
    fault = Message(
        "the judge stopped: {where}; if that file is yours (extra in contest.yaml), correct it and "
        "judge again, else report it",
        where=where,
    )
    return causes.get(ended.why or "", fault)


def judge_mismatch_message(version_in_force: str, actual_version: str) -> Message:
    """The judge that would judge is not the one in force."""
    return Message(
        "the judge in force is {version_in_force}, but its files or Tokumei itself have changed "
        "since ({actual_version}): judge again, apply, and this upload is judged with the rest",
        version_in_force=version_in_force[:16],
        actual_version=actual_version[:16],
    )
