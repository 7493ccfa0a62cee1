"""What becomes of a job when its judgement ended.

    conclude(home, database, claim, judgement, ended)

Everything about it is one transaction, which only the holder of the claim can make. A fault of the
system is tried again, up to three times; what used too much computing time, memory or disk would
do so again and fails at once. Neither is the team's loss: a failed entry costs no quota.
"""

from __future__ import annotations

from tokumei.contest.jobs.judge_process import Ended, Why
from tokumei.contest.jobs.judgement import Judgement
from tokumei.contest.jobs.queue import MOST_ATTEMPTS, Claim, finish, give_back
from tokumei.contest.jobs.results import Kept, move, record
from tokumei.contest.store.database import Database
from tokumei.contest.store.home import Home
from tokumei.core.errors import OutputError
from tokumei.core.text import Text

_AGAIN: tuple[Why, ...] = ("time", "exception", "crash")
_NOT_OURS: tuple[Why, ...] = ("stopped", "disk")


def conclude(
    home: Home, database: Database, claim: Claim, judgement: Judgement, ended: Ended
) -> None:
    """Write what was found, or why nothing was."""
    if ended.answer is not None:
        try:
            _answered(home, database, claim, ended)
        except OutputError:  # the disk is full: later, then
            put_back(database, claim, failed=False, error="disk")
    elif ended.why in _NOT_OURS:
        put_back(database, claim, failed=False, error=ended.why)
    elif ended.why in _AGAIN and claim.attempts + 1 < MOST_ATTEMPTS:
        put_back(database, claim, failed=True, error=f"{ended.why}: {ended.where}")
    else:
        fail(database, claim, _reason(ended.why, judgement), f"{ended.why}: {ended.where}")


def fail(database: Database, claim: Claim, reason: Text, error: str) -> None:
    """End a job that cannot be done."""
    with database.write() as session:
        if finish(session, claim, state="failed", error=error) and not claim.run:
            move(session, claim.entry_id, "failed", reason=reason)


def put_back(database: Database, claim: Claim, *, failed: bool, error: str | None) -> None:
    """Let a job be tried again; `failed`: a judgement of it did."""
    with database.write() as session:
        if give_back(session, claim, failed=failed, error=error) and not claim.run:
            move(session, claim.entry_id, "queued")


def _answered(home: Home, database: Database, claim: Claim, ended: Ended) -> None:
    answer = ended.answer or {}
    kept = None
    if claim.kind == "judge" and answer["accepted"]:
        kept = _keep(home, claim.entry_id, ended.files["public"], ended.files["truth"])
    with database.write() as session:
        if not finish(session, claim, state="done", result=answer if claim.run else None):
            return
        if not claim.run:
            record(session, claim.entry_id, answer, kept)


def _keep(home: Home, entry_id: str, public: bytes, truth: bytes) -> Kept:
    """Store a release and its truth; a second time gives the same."""
    vault = home.vault()
    vault.keep_truth(entry_id, truth)
    return Kept(home.files.put(public), vault.commitments(entry_id, public, truth))


def _reason(why: Why | None, judgement: Judgement) -> Text:
    seconds, megabytes = judgement.limits.seconds, judgement.limits.megabytes
    reasons = {
        "time": Text("the judgement did not end in time", "判定が時間内に終わりませんでした"),
        "cpu": Text(
            f"the judgement needed more than {seconds} s of computing time",
            f"判定の計算時間が {seconds} 秒を超えました",
        ),
        "memory": Text(
            f"the judgement needed more than {megabytes} MB of memory",
            f"判定のメモリが {megabytes} MB を超えました",
        ),
        "output": Text("the judgement wrote too much", "判定の出力が大きすぎます"),
    }
    fault = Text(
        "the judge itself failed; the organiser can see why",
        "判定プログラムの不具合です。原因は主催者が確認できます",
    )
    return reasons.get(why or "", fault)
