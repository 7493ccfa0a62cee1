"""A contest with one team, and uploads to it, made straight in the tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from support.obedient_judge import SPEC
from tokumei.apps.contest.jobs.queue import enqueue
from tokumei.apps.contest.services.validation import generate_id
from tokumei.apps.contest.store.database import Database
from tokumei.apps.contest.store.file_store import FileReceiver
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.contest.store.tables import (
    Contest,
    ContestEntry,
    EntryScore,
    EntryStateChange,
    JudgingJob,
    Team,
    UserAccount,
)

NOW = datetime(2026, 6, 1)


@dataclass(frozen=True)
class QueuedContest:
    home: ContestHome
    database: Database

    @classmethod
    def make(cls, home: ContestHome, database: Database, **limits: int) -> QueuedContest:
        (home.contests / "small").mkdir(exist_ok=True)
        spec = SPEC | {"limits": limits}
        with database.write() as session:
            session.add(UserAccount(id=1, name="a", key="a", password="", created_at=NOW))
            session.add(
                Contest(
                    id=1, slug="small", spec=spec, folder="small", judge_version="1", created_at=NOW
                )
            )
            session.flush()
            session.add(Team(id=1, contest_id=1, name="t", key="t", created_at=NOW))
        return cls(home, database)

    def submit(self, content: str, *, target: str | None = None) -> str:
        entry_id = generate_id()
        with FileReceiver(self.home.inbox.path(entry_id), 1 << 20) as upload:
            upload.write(content.encode())
            received = upload.keep()
        with self.database.write() as session:
            session.add(
                ContestEntry(
                    id=entry_id,
                    contest_id=1,
                    team_id=1,
                    account_id=1,
                    target_id=target,
                    file_name="A.csv",
                    sha256=received.sha256,
                    size=received.size,
                    received_at=NOW,
                    state="queued",
                )
            )
            session.flush()
            enqueue(session, kind="attack" if target else "judge", entry_id=entry_id)
        return entry_id

    def entry(self, entry_id: str) -> ContestEntry:
        with self.database.read() as session:
            return session.get_one(ContestEntry, entry_id)

    def job(self, entry_id: str, run: str = "") -> JudgingJob:
        with self.database.read() as session:
            return session.scalars(
                select(JudgingJob).where(JudgingJob.entry_id == entry_id, JudgingJob.run == run)
            ).one()

    def scores(self, entry_id: str) -> list[EntryScore]:
        with self.database.read() as session:
            asked = (
                select(EntryScore).where(EntryScore.entry_id == entry_id).order_by(EntryScore.id)
            )
            return list(session.scalars(asked))

    def steps(self, entry_id: str) -> list[str]:
        with self.database.read() as session:
            asked = (
                select(EntryStateChange.state)
                .where(EntryStateChange.entry_id == entry_id)
                .order_by(EntryStateChange.id)
            )
            return list(session.scalars(asked))
