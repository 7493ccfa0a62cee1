"""Pages and workers apart, on PostgreSQL: what several machines would do, on one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sql
from bench.postgres import Server
from sqlalchemy.orm import Session

from support.contest_server import served
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.demo import play_demo
from tokumei.apps.contest.store.tables import ContestEntry, EntryScore, JudgingJob
from tokumei.core.messages import Message


@contextmanager
def worker(home: Path, url: str, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker on its own, as on another machine."""
    command = [sys.executable, "-m", "tokumei", "contest", "worker", str(home), "--name", name]
    environment = {**os.environ, "TOKUMEI_DATABASE_URL": url}
    with subprocess.Popen(command, env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(HUNG_SECONDS)


@pytest.mark.long
def test_two_workers_share_the_work_and_one_may_die(postgres: Server, tmp_path: Path) -> None:
    url, home = postgres.new_database(), tmp_path / "home"
    with (
        served(home, "--workers", "0", TOKUMEI_DATABASE_URL=url) as server,
        worker(home, url, "first") as first,
        worker(home, url, "second") as second,
    ):
        assert server.code is not None
        killed: list[str] = []

        def tell(message: Message) -> None:
            assert second.poll() is None
            if "attack" in message.show("en"):
                first.send_signal(signal.SIGKILL)
                killed.append(message.show("en"))

        played = play_demo(
            server.address, server.code, tmp_path / "bots", tell=tell, teams=2, rows=500
        )
        assert killed
    states = Counter(one["state"] for one in (*played.releases, *played.attacks))
    assert states == {"scored": 4 + 2}
    engine = sql.create_engine(url)
    with Session(engine) as session:
        assert session.scalar(sql.select(sql.func.count(ContestEntry.id))) == 6
        scores = session.scalars(sql.select(EntryScore.entry_id)).all()
        assert len(scores) == len(set(scores)) == 6
        states = Counter(session.scalars(sql.select(JudgingJob.state)).all())
        assert states == {"done": 6}
    engine.dispose()
    # Rows are in PostgreSQL alone.
    assert not list((home / "database").iterdir())
