"""Plans the judging of a leased job, and stores its result.

    judgement = plan_judgement(home, database, lease)
    ended = process.run(judgement.task, wall_seconds=judgement.wall_seconds)
    conclude_judgement(home, database, lease, judgement, ended)

Everything about an end is one transaction, which only the holder of the lease can make. A fault of
the system is tried again, up to three times; what used too much computing time, memory or disk
would do so again and fails at once. Neither is the team's loss: a failed entry costs no quota.
`answer` is the judge's, as plain JSON (`judge_tasks.py`); so is `Job.result` of a dry run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.failure_reasons import (
    judge_mismatch_message,
    organiser_failure_message,
    serialize_reason,
    team_failure_message,
)
from tokumei.apps.contest.jobs.judge_process import FailureKind, JudgementOutcome
from tokumei.apps.contest.jobs.judge_tasks import JudgeAnswer, Task, TaskKind
from tokumei.apps.contest.jobs.queue import (
    LEASES_A_TRY,
    MOST_ATTEMPTS,
    MOST_LEASES,
    Lease,
    finish_job,
    requeue_job,
)
from tokumei.apps.contest.judge.guess_sketches import blind_sketch
from tokumei.apps.contest.spec.model import ContestSpec, JudgingLimits
from tokumei.apps.contest.store.database import Database, utc_now
from tokumei.apps.contest.store.judge_snapshots import snapshot_folder
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.contest.store.tables import Contest, ContestEntry, EntryScore, EntryStateChange
from tokumei.core.errors import InputError, OutputError
from tokumei.core.messages import Message

WAITING_STATES = ("received", "queued", "running")
"""States that a judgement may change; a withdrawn entry stays withdrawn."""
_WALL_FACTOR, _WALL_EXTRA_SECONDS = 3, 10
"""A busy machine gives a judgement only a part of the time that passes."""
_RETRIED_FAILURES: tuple[FailureKind, ...] = ("time", "exception", "crash")
_UNCOUNTED_FAILURES: tuple[FailureKind, ...] = ("stopped", "disk")


def change_entry_state(
    session: Session,
    entry_id: str,
    state: str,
    *,
    reason: Message | None = None,
    only_from: tuple[str, ...] = WAITING_STATES,
) -> bool:
    """Change an entry's state and note the step; False if it was in no state to be changed."""
    stored_reason = None if reason is None else reason.texts()
    changed_ids = session.scalars(
        update(ContestEntry)
        .where(
            ContestEntry.id == entry_id,
            ContestEntry.state.in_(only_from),
            ContestEntry.state != state,
        )
        .values(state=state, reason=stored_reason)
        .returning(ContestEntry.id)
        .execution_options(synchronize_session="fetch")
    ).all()
    if changed_ids:
        session.add(
            EntryStateChange(entry_id=entry_id, state=state, at=utc_now(), reason=stored_reason)
        )
    return bool(changed_ids)


def record_judgement(
    session: Session, entry_id: str, answer: JudgeAnswer, stored_columns: Mapping[str, str]
) -> None:
    """Note the first judgement of an entry; `kept`: the columns that tell what was stored of it."""
    entry = session.get_one(ContestEntry, entry_id)
    if not answer["accepted"]:
        entry.faults, entry.fault_total = answer["faults"], answer["fault_total"]
        change_entry_state(session, entry_id, "rejected")
        return
    for name, value in stored_columns.items():
        setattr(entry, name, value)
    set_current_score(session, entry_id, answer)
    change_entry_state(session, entry_id, "scored")


def set_current_score(session: Session, entry_id: str, answer: JudgeAnswer) -> EntryScore:
    """Make an accepted answer the entry's current score; older ones are kept.

    The same version of the judge has one row: judged again by it, that row is current again.
    """
    session.execute(
        update(EntryScore)
        .where(EntryScore.entry_id == entry_id, EntryScore.current)
        .values(current=False)
    )
    version = answer["judge_version"]
    score = session.scalar(
        select(EntryScore).where(
            EntryScore.entry_id == entry_id, EntryScore.judge_version == version
        )
    )
    figures: JudgeAnswer = {
        name: answer[name] for name in ("utility", "safety", "total", "unsafe", "figures")
    }
    if score is None:
        score = EntryScore(
            entry_id=entry_id, judge_version=version, created_at=utc_now(), **figures
        )
        session.add(score)
    for name, value in figures.items():
        setattr(score, name, value)
    score.current = True
    session.flush()
    return score


@dataclass(frozen=True)
class JudgingPlan:
    """A task, and the limits it is judged under."""

    task: Task
    limits: JudgingLimits
    version: str
    """The judge in force."""

    @property
    def wall_seconds(self) -> float:
        """How long to wait for it at most."""
        return _WALL_FACTOR * self.limits.seconds + _WALL_EXTRA_SECONDS


def plan_judgement(home: ContestHome, database: Database, lease: Lease) -> JudgingPlan:
    """What to judge; InputError if that can never be."""
    if lease.token % LEASES_A_TRY > MOST_LEASES:
        raise InputError(
            "judging was tried {times} times, and the worker died each time",
            times=MOST_LEASES,
        )
    with database.read() as session:
        entry = session.get_one(ContestEntry, lease.entry_id)
        contest = session.get_one(Contest, entry.contest_id)
        public = _attacked_file_sha256(session, entry)
        version = contest.judge_version
    limits = ContestSpec.model_validate(contest.spec).limits
    vault = home.vault()
    # The judge in force; judged again, the contest's folder as it is now.
    folder = (
        contest.folder if lease.run else snapshot_folder(home.contests, contest.folder, version)
    )
    task = Task(
        _task_kind(lease, entry),
        str(home.contests / folder),
        upload=str(vault.take(home.inbox, entry.id, entry.sha256)),
        name=entry.file_name,
        public=str(home.files.path(public)) if public else "",
        truth=str(vault.truth_path(entry.target_id)) if entry.target_id else "",
        out=str(vault.work_folder / f"{lease.job_id}-{lease.token}"),
        cpu_seconds=limits.seconds,
        megabytes=limits.megabytes,
    )
    return JudgingPlan(task, limits, version)


def _attacked_file_sha256(session: Session, entry: ContestEntry) -> str | None:
    """The public file that an attack is about."""
    if entry.target_id is None:
        return None
    public = session.get_one(ContestEntry, entry.target_id).public_sha256
    if public is None:
        raise InputError("the attacked release was never accepted")
    return public


def _task_kind(lease: Lease, entry: ContestEntry) -> TaskKind:
    if lease.kind == "recheck":
        return "check_guess" if entry.target_id else "check"
    return "score" if entry.target_id else "judge"


def conclude_judgement(
    home: ContestHome,
    database: Database,
    lease: Lease,
    judgement: JudgingPlan,
    outcome: JudgementOutcome,
) -> None:
    """Write what was found, or why nothing was."""
    if outcome.answer is not None:
        try:
            _store_answer(home, database, lease, judgement, outcome)
        except OutputError as error:  # the disk is full: later, then
            requeue_judgement(database, lease, failed=False, cause=error.message)
        return
    cause = organiser_failure_message(outcome, judgement.limits)
    if outcome.why in _UNCOUNTED_FAILURES:
        requeue_judgement(database, lease, failed=False, cause=cause)
    elif outcome.why in _RETRIED_FAILURES and lease.attempts + 1 < MOST_ATTEMPTS:
        requeue_judgement(database, lease, failed=True, cause=cause)
    else:
        fail_job(database, lease, team_failure_message(outcome.why, judgement.limits), cause)


def fail_job(database: Database, lease: Lease, reason: Message, cause: Message) -> None:
    """End a job that cannot be done: why for its team, and for organisers."""
    with database.write() as session:
        if (
            finish_job(session, lease, state="failed", error=serialize_reason(cause))
            and not lease.run
        ):
            change_entry_state(session, lease.entry_id, "failed", reason=reason)


def requeue_judgement(database: Database, lease: Lease, *, failed: bool, cause: Message) -> None:
    """Let a job be tried again; `failed`: a judgement of it did."""
    with database.write() as session:
        if (
            requeue_job(session, lease, failed=failed, error=serialize_reason(cause))
            and not lease.run
        ):
            change_entry_state(session, lease.entry_id, "queued")


def _store_answer(
    home: ContestHome,
    database: Database,
    lease: Lease,
    judgement: JudgingPlan,
    outcome: JudgementOutcome,
) -> None:
    answer = outcome.answer or {}
    if not lease.run and answer["judge_version"] != judgement.version:
        cause = judge_mismatch_message(judgement.version, answer["judge_version"])
        fail_job(database, lease, team_failure_message(None, judgement.limits), cause)
        return
    stored_columns = dict[str, str]()
    if lease.kind == "judge" and answer["accepted"]:
        stored_columns = _store_release_files(
            home, lease.entry_id, outcome.files["public"], outcome.files["truth"]
        )
    sketch = None
    if "sketch" in outcome.files:
        sketch_lines = outcome.files["sketch"].decode("ascii").splitlines()
        sketch = blind_sketch(sketch_lines, home.vault().sketch_key())
    with database.write() as session:
        if not finish_job(session, lease, state="done", result=answer if lease.run else None):
            return
        if not lease.run:
            record_judgement(session, lease.entry_id, answer, stored_columns)
        if sketch is not None:
            session.get_one(ContestEntry, lease.entry_id).sketch = sketch


def _store_release_files(
    home: ContestHome, entry_id: str, public: bytes, truth: bytes
) -> dict[str, str]:
    """Store a release and its truth; a second time gives the same."""
    vault = home.vault()
    vault.keep_truth(entry_id, truth)
    columns = {"public_sha256": home.files.put(public)}
    return columns | vault.commitments(entry_id, public, truth)
