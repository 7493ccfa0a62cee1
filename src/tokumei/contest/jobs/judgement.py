"""What a leased job asks of the judge, its files in the vault.

judgement = plan(home, database, lease)
judging.run(judgement.task, wall_seconds=judgement.wall_seconds)
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from tokumei.contest.jobs.queue import MOST_LEASES, Lease
from tokumei.contest.jobs.tasks import Task, What
from tokumei.contest.spec.model import ContestSpec, Limits
from tokumei.contest.store.database import Database
from tokumei.contest.store.home import Home
from tokumei.contest.store.tables import Contest, Entry
from tokumei.core.errors import InputError

_WALL_FACTOR, _WALL_MORE = 3, 10
"""A busy machine gives a judgement only a part of the time that passes."""


@dataclass(frozen=True)
class Judgement:
    """A task, and the limits it is judged under."""

    task: Task
    limits: Limits

    @property
    def wall_seconds(self) -> float:
        """How long to wait for it at most."""
        return _WALL_FACTOR * self.limits.seconds + _WALL_MORE


def plan(home: Home, database: Database, lease: Lease) -> Judgement:
    """What to judge; InputError if that can never be."""
    if lease.token > MOST_LEASES:
        raise InputError(
            f"it was tried {MOST_LEASES} times, and the worker died each time",
            f"採点中にワーカーが異常終了することが {MOST_LEASES} 回続きました",
        )
    with database.read() as session:
        entry = session.get_one(Entry, lease.entry_id)
        contest = session.get_one(Contest, entry.contest_id)
        target = _target(session, entry)
    limits = ContestSpec.model_validate(contest.spec).limits
    vault = home.vault()
    task = Task(
        _what(lease, entry),
        str(home.contests / contest.folder),
        upload=str(vault.take(home.inbox, entry.id, entry.sha256)),
        name=entry.file_name,
        public=str(home.files.path(target.public_sha256)) if target else "",
        truth=str(vault.truth_path(target.id)) if target else "",
        out=str(vault.work / f"{lease.job_id}-{lease.token}"),
        cpu_seconds=limits.seconds,
        megabytes=limits.megabytes,
    )
    return Judgement(task, limits)


@dataclass(frozen=True)
class _Target:
    id: str
    public_sha256: str


def _target(session: Session, entry: Entry) -> _Target | None:
    if entry.target_id is None:
        return None
    public = session.get_one(Entry, entry.target_id).public_sha256
    if public is None:
        raise InputError(
            "the attacked release was never accepted", "攻撃対象の提出は受理されていません"
        )
    return _Target(entry.target_id, public)


def _what(lease: Lease, entry: Entry) -> What:
    if lease.kind == "recheck":
        return "check_guess" if entry.target_id else "check"
    return "score" if entry.target_id else "judge"
