"""What becomes of a job when its judgement ended.

    conclude(home, database, lease, judgement, ended)

Everything about it is one transaction, which only the holder of the lease can make. A fault of the
system is tried again, up to three times; what used too much computing time, memory or disk would
do so again and fails at once. Neither is the team's loss: a failed entry costs no quota.
"""

from __future__ import annotations

from tokumei.contest.jobs.judge_process import Ended, Why
from tokumei.contest.jobs.judgement import Judgement
from tokumei.contest.jobs.queue import MOST_ATTEMPTS, Lease, finish, give_back
from tokumei.contest.jobs.results import Kept, move, record
from tokumei.contest.store.database import Database
from tokumei.contest.store.home import Home
from tokumei.core.errors import OutputError
from tokumei.core.text import Text

_AGAIN: tuple[Why, ...] = ("time", "exception", "crash")
_NOT_OURS: tuple[Why, ...] = ("stopped", "disk")


def conclude(
    home: Home, database: Database, lease: Lease, judgement: Judgement, ended: Ended
) -> None:
    """Write what was found, or why nothing was."""
    if ended.answer is not None:
        try:
            _answered(home, database, lease, ended)
        except OutputError:  # the disk is full: later, then
            put_back(database, lease, failed=False, error="disk")
    elif ended.why in _NOT_OURS:
        put_back(database, lease, failed=False, error=ended.why)
    elif ended.why in _AGAIN and lease.attempts + 1 < MOST_ATTEMPTS:
        put_back(database, lease, failed=True, error=f"{ended.why}: {ended.where}")
    else:
        fail(database, lease, _reason(ended.why, judgement), f"{ended.why}: {ended.where}")


def fail(database: Database, lease: Lease, reason: Text, error: str) -> None:
    """End a job that cannot be done."""
    with database.write() as session:
        if finish(session, lease, state="failed", error=error) and not lease.run:
            move(session, lease.entry_id, "failed", reason=reason)


def put_back(database: Database, lease: Lease, *, failed: bool, error: str | None) -> None:
    """Let a job be tried again; `failed`: a judgement of it did."""
    with database.write() as session:
        if give_back(session, lease, failed=failed, error=error) and not lease.run:
            move(session, lease.entry_id, "queued")


def _answered(home: Home, database: Database, lease: Lease, ended: Ended) -> None:
    answer = ended.answer or {}
    kept = None
    if lease.kind == "judge" and answer["accepted"]:
        kept = _keep(home, lease.entry_id, ended.files["public"], ended.files["truth"])
    with database.write() as session:
        if not finish(session, lease, state="done", result=answer if lease.run else None):
            return
        if not lease.run:
            record(session, lease.entry_id, answer, kept)


def _keep(home: Home, entry_id: str, public: bytes, truth: bytes) -> Kept:
    """Store a release and its truth; a second time gives the same."""
    vault = home.vault()
    vault.keep_truth(entry_id, truth)
    return Kept(home.files.put(public), vault.commitments(entry_id, public, truth))


def _reason(why: Why | None, judgement: Judgement) -> Text:
    seconds, megabytes = judgement.limits.seconds, judgement.limits.megabytes
    reasons = {
        "time": Text("the judgement did not end in time", "採点が時間内に終わりませんでした"),
        "cpu": Text(
            f"the judgement needed more than {seconds} s of computing time",
            f"採点の計算時間が {seconds} 秒を超えました",
        ),
        "memory": Text(
            f"the judgement needed more than {megabytes} MB of memory",
            f"採点に使うメモリが {megabytes} MB を超えました",
        ),
        "output": Text("the judgement wrote too much", "採点の出力が大きすぎます"),
    }
    fault = Text(
        "the judge itself failed; the organiser can see why",
        "採点プログラムの不具合です。原因は主催者が確認できます",
    )
    return reasons.get(why or "", fault)
