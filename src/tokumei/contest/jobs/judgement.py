"""What a leased job asks of the judge, and what becomes of it when the judgement ended.

    judgement = plan(home, database, lease)
    ended = judging.run(judgement.task, wall_seconds=judgement.wall_seconds)
    conclude(home, database, lease, judgement, ended)

Everything about an end is one transaction, which only the holder of the lease can make. A fault of
the system is tried again, up to three times; what used too much computing time, memory or disk
would do so again and fails at once. Neither is the team's loss: a failed entry costs no quota.
`answer` is the judge's, as plain JSON (tasks.py); so is `Job.result` of a dry run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.contest.jobs.causes import cause_of, noted, other_judge, reason_of
from tokumei.contest.jobs.judge_process import Ended, Why
from tokumei.contest.jobs.queue import (
    LEASES_A_TRY,
    MOST_ATTEMPTS,
    MOST_LEASES,
    Lease,
    finish,
    give_back,
)
from tokumei.contest.jobs.tasks import Answer, Task, What
from tokumei.contest.judge.sketches import keyed
from tokumei.contest.spec.model import ContestSpec, Limits
from tokumei.contest.store.database import Database, utc_now
from tokumei.contest.store.home import Home
from tokumei.contest.store.pinned import pinned
from tokumei.contest.store.tables import Contest, Entry, Score, Step
from tokumei.core.errors import InputError, OutputError
from tokumei.core.text import Text

WAITING = ("received", "queued", "running")
"""States that a judgement may change; a withdrawn entry stays withdrawn."""
_WALL_FACTOR, _WALL_MORE = 3, 10
"""A busy machine gives a judgement only a part of the time that passes."""
_AGAIN: tuple[Why, ...] = ("time", "exception", "crash")
_NOT_OURS: tuple[Why, ...] = ("stopped", "disk")


def move(
    session: Session,
    entry_id: str,
    state: str,
    *,
    reason: Text | None = None,
    only_from: tuple[str, ...] = WAITING,
) -> bool:
    """Change an entry's state and note the step; False if it was in no state to be changed."""
    told = None if reason is None else {"en": reason.en, "ja": reason.ja}
    found = session.scalars(
        update(Entry)
        .where(Entry.id == entry_id, Entry.state.in_(only_from), Entry.state != state)
        .values(state=state, reason=told)
        .returning(Entry.id)
        .execution_options(synchronize_session="fetch")
    ).all()
    if found:
        session.add(Step(entry_id=entry_id, state=state, at=utc_now(), reason=told))
    return bool(found)


def record(session: Session, entry_id: str, answer: Answer, kept: Mapping[str, str]) -> None:
    """Note the first judgement of an entry; `kept`: the columns that tell what was stored of it."""
    entry = session.get_one(Entry, entry_id)
    if not answer["accepted"]:
        entry.faults, entry.fault_total = answer["faults"], answer["fault_total"]
        move(session, entry_id, "rejected")
        return
    for name, value in kept.items():
        setattr(entry, name, value)
    supersede(session, entry_id, answer)
    move(session, entry_id, "scored")


def supersede(session: Session, entry_id: str, answer: Answer) -> Score:
    """Make an accepted answer the entry's current score; older ones are kept.

    The same version of the judge has one row: judged again by it, that row is current again.
    """
    session.execute(
        update(Score).where(Score.entry_id == entry_id, Score.current).values(current=False)
    )
    version = answer["judge_version"]
    score = session.scalar(
        select(Score).where(Score.entry_id == entry_id, Score.judge_version == version)
    )
    figures: dict[str, Any] = {
        name: answer[name] for name in ("utility", "safety", "total", "unsafe", "figures")
    }
    if score is None:
        score = Score(entry_id=entry_id, judge_version=version, created_at=utc_now(), **figures)
        session.add(score)
    for name, value in figures.items():
        setattr(score, name, value)
    score.current = True
    session.flush()
    return score


@dataclass(frozen=True)
class Judgement:
    """A task, and the limits it is judged under."""

    task: Task
    limits: Limits
    version: str
    """The judge in force."""

    @property
    def wall_seconds(self) -> float:
        """How long to wait for it at most."""
        return _WALL_FACTOR * self.limits.seconds + _WALL_MORE


def plan(home: Home, database: Database, lease: Lease) -> Judgement:
    """What to judge; InputError if that can never be."""
    if lease.token % LEASES_A_TRY > MOST_LEASES:
        raise InputError(
            f"it was tried {MOST_LEASES} times, and the worker died each time",
            f"採点中にワーカーが異常終了することが {MOST_LEASES} 回続きました",
        )
    with database.read() as session:
        entry = session.get_one(Entry, lease.entry_id)
        contest = session.get_one(Contest, entry.contest_id)
        public = _attacked(session, entry)
        version = contest.judge_version
    limits = ContestSpec.model_validate(contest.spec).limits
    vault = home.vault()
    # The judge in force; judged again, the contest's folder as it is now.
    folder = contest.folder if lease.run else pinned(home.contests, contest.folder, version)
    task = Task(
        _what(lease, entry),
        str(home.contests / folder),
        upload=str(vault.take(home.inbox, entry.id, entry.sha256)),
        name=entry.file_name,
        public=str(home.files.path(public)) if public else "",
        truth=str(vault.truth_path(entry.target_id)) if entry.target_id else "",
        out=str(vault.work / f"{lease.job_id}-{lease.token}"),
        cpu_seconds=limits.seconds,
        megabytes=limits.megabytes,
    )
    return Judgement(task, limits, version)


def _attacked(session: Session, entry: Entry) -> str | None:
    """The public file that an attack is about."""
    if entry.target_id is None:
        return None
    public = session.get_one(Entry, entry.target_id).public_sha256
    if public is None:
        raise InputError(
            "the attacked release was never accepted", "攻撃対象の提出は受理されていません"
        )
    return public


def _what(lease: Lease, entry: Entry) -> What:
    if lease.kind == "recheck":
        return "check_guess" if entry.target_id else "check"
    return "score" if entry.target_id else "judge"


def conclude(
    home: Home, database: Database, lease: Lease, judgement: Judgement, ended: Ended
) -> None:
    """Write what was found, or why nothing was."""
    if ended.answer is not None:
        try:
            _answered(home, database, lease, judgement, ended)
        except OutputError as error:  # the disk is full: later, then
            put_back(database, lease, failed=False, cause=error.message)
        return
    cause = cause_of(ended, judgement.limits)
    if ended.why in _NOT_OURS:
        put_back(database, lease, failed=False, cause=cause)
    elif ended.why in _AGAIN and lease.attempts + 1 < MOST_ATTEMPTS:
        put_back(database, lease, failed=True, cause=cause)
    else:
        fail(database, lease, reason_of(ended.why, judgement.limits), cause)


def fail(database: Database, lease: Lease, reason: Text, cause: Text) -> None:
    """End a job that cannot be done: why for its team, and for organisers."""
    with database.write() as session:
        if finish(session, lease, state="failed", error=noted(cause)) and not lease.run:
            move(session, lease.entry_id, "failed", reason=reason)


def put_back(database: Database, lease: Lease, *, failed: bool, cause: Text) -> None:
    """Let a job be tried again; `failed`: a judgement of it did."""
    with database.write() as session:
        if give_back(session, lease, failed=failed, error=noted(cause)) and not lease.run:
            move(session, lease.entry_id, "queued")


def _answered(
    home: Home, database: Database, lease: Lease, judgement: Judgement, ended: Ended
) -> None:
    answer = ended.answer or {}
    if not lease.run and answer["judge_version"] != judgement.version:
        cause = other_judge(judgement.version, answer["judge_version"])
        fail(database, lease, reason_of(None, judgement.limits), cause)
        return
    kept = dict[str, str]()
    if lease.kind == "judge" and answer["accepted"]:
        kept = _keep(home, lease.entry_id, ended.files["public"], ended.files["truth"])
    sketch = None
    if "sketch" in ended.files:
        told = ended.files["sketch"].decode("ascii").splitlines()
        sketch = keyed(told, home.vault().sketch_key())
    with database.write() as session:
        if not finish(session, lease, state="done", result=answer if lease.run else None):
            return
        if not lease.run:
            record(session, lease.entry_id, answer, kept)
        if sketch is not None:
            session.get_one(Entry, lease.entry_id).sketch = sketch


def _keep(home: Home, entry_id: str, public: bytes, truth: bytes) -> dict[str, str]:
    """Store a release and its truth; a second time gives the same."""
    vault = home.vault()
    vault.keep_truth(entry_id, truth)
    kept = {"public_sha256": home.files.put(public)}
    return kept | vault.commitments(entry_id, public, truth)
