"""A contest with one team, and uploads to it, made straight in the tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from support.obedient_judge import SPEC
from tokumei.contest.desk.names import new_id
from tokumei.contest.jobs.queue import enqueue
from tokumei.contest.store.database import Database
from tokumei.contest.store.files import Receiving
from tokumei.contest.store.home import Home
from tokumei.contest.store.tables import Account, Contest, Entry, Job, Score, Step, Team

NOW = datetime(2026, 6, 1)


@dataclass(frozen=True)
class QueuedContest:
    home: Home
    database: Database

    @classmethod
    def make(cls, home: Home, database: Database, **limits: int) -> QueuedContest:
        (home.contests / "small").mkdir(exist_ok=True)
        spec = SPEC | {"limits": limits}
        with database.write() as session:
            session.add(Account(id=1, name="a", key="a", password="", created_at=NOW))
            session.add(
                Contest(
                    id=1, slug="small", spec=spec, folder="small", judge_version="1", created_at=NOW
                )
            )
            session.flush()
            session.add(Team(id=1, contest_id=1, name="t", key="t", created_at=NOW))
        return cls(home, database)

    def submit(self, content: str, *, target: str | None = None) -> str:
        entry_id = new_id()
        with Receiving(self.home.inbox.path(entry_id), 1 << 20) as upload:
            upload.write(content.encode())
            received = upload.keep()
        with self.database.write() as session:
            session.add(
                Entry(
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

    def entry(self, entry_id: str) -> Entry:
        with self.database.read() as session:
            return session.get_one(Entry, entry_id)

    def job(self, entry_id: str, run: str = "") -> Job:
        with self.database.read() as session:
            return session.scalars(
                select(Job).where(Job.entry_id == entry_id, Job.run == run)
            ).one()

    def scores(self, entry_id: str) -> list[Score]:
        with self.database.read() as session:
            asked = select(Score).where(Score.entry_id == entry_id).order_by(Score.id)
            return list(session.scalars(asked))

    def steps(self, entry_id: str) -> list[str]:
        with self.database.read() as session:
            asked = select(Step.state).where(Step.entry_id == entry_id).order_by(Step.id)
            return list(session.scalars(asked))
