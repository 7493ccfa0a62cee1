"""An opened server home, where the desk reads and writes, and who asks there.

    place = open_place(Path("home"))
    with place.write() as session: ...       # one transaction
    VISITOR.require_account()                # LogInFirst

Tests give their own clock and checker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from threading import Lock

from sqlalchemy.orm import Session

from tokumei.contest.jobs.checker import Checker, Described
from tokumei.contest.store.database import Database, naive, open_database
from tokumei.contest.store.home import Home, Settings, open_home
from tokumei.contest.store.pinned import pinned
from tokumei.contest.store.tables import Contest
from tokumei.http.refusals import LogInFirst, NotAllowed, TooMany

CHECKS_AT_ONCE = 3


@dataclass(frozen=True)
class Viewer:
    """A person, or nobody in particular (`account_id` None)."""

    account_id: int | None = None
    name: str = ""
    organiser: bool = False
    only: str | None = None
    """The one contest that an organiser organises; None for those of the whole server."""
    address: str = field(default="", compare=False, repr=False)
    """Where the request came from."""

    def require_account(self) -> int:
        """The account's number; refuses visitors."""
        if self.account_id is None:
            raise LogInFirst()
        return self.account_id

    def require_organiser(self) -> int:
        """The account's number; refuses everybody else."""
        account = self.require_account()
        if not self.organiser:
            raise NotAllowed("only organisers may do this", "主催者だけができる操作です")
        return account

    def require_server(self) -> int:
        """The account's number; refuses all but organisers of the whole server."""
        account = self.require_organiser()
        if self.only is not None:
            raise NotAllowed(
                "only organisers of the whole server may do this",
                "サーバー全体の主催者だけができる操作です",
            )
        return account


VISITOR = Viewer()


def utc_now() -> datetime:
    """The server's clock."""
    return datetime.now(UTC)


@dataclass
class Place:
    """Everything the desk needs. `clock` gives an aware time."""

    home: Home
    database: Database
    checker: Checker
    clock: Callable[[], datetime] = utc_now
    checks_at_once: int = CHECKS_AT_ONCE
    """Uploads of one team that are checked at the same time: one team must not hold up all."""
    _checking: Counter[int] = field(default_factory=Counter, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)
    _described: dict[tuple[str, str], Described] = field(default_factory=dict, repr=False)

    @cached_property
    def key(self) -> bytes:
        """The server's secret for signing."""
        return self.home.key()

    def now(self) -> datetime:
        """The server's time as tables hold it: UTC without a zone."""
        return naive(self.clock())

    def read(self) -> AbstractContextManager[Session]:
        """One moment's view of the tables."""
        return self.database.read()

    def write(self) -> AbstractContextManager[Session]:
        """One transaction."""
        return self.database.write()

    def described(self, folder: str, version: str) -> Described:
        """What a contest's judge says of itself; asked once for every version."""
        if (folder, version) not in self._described:
            self._described[folder, version] = self.checker.describe(folder)
        return self._described[folder, version]

    def judge_folder(self, row: Contest) -> str:
        """Where the judge in force has its files, below the home's contests."""
        return pinned(self.home.contests, row.folder, row.judge_version)

    def require_room(self, team_id: int) -> None:
        """Refuse a team one more upload while so many of its own are being checked."""
        if self._checking[team_id] >= self.checks_at_once:
            most = self.checks_at_once
            raise TooMany(
                f"{most} uploads of your team are being checked; send the next in a second",
                f"チームの提出 {most} 件を確認中です。1 秒ほど待ってから送ってください",
                retry_after=1,
            )

    @contextmanager
    def checking(self, team_id: int) -> Iterator[None]:
        """Count an upload of a team as being checked."""
        with self._lock:
            self.require_room(team_id)
            self._checking[team_id] += 1
        try:
            yield
        finally:
            with self._lock:
                self._checking[team_id] -= 1
                self._checking += Counter()  # forgets teams with none

    def close(self) -> None:
        """End the checker and the connections."""
        self.checker.close()
        self.database.close()


def open_place(
    path: Path,
    *,
    settings: Settings | None = None,
    clock: Callable[[], datetime] = utc_now,
    checker: Checker | None = None,
) -> Place:
    """Open a home; makes what is missing and brings its tables up to date."""
    home = open_home(path, settings)
    given = home.settings
    return Place(
        home,
        open_database(given.database),
        checker or Checker(home.contests, processes=given.checkers, seconds=given.check_seconds),
        clock,
    )
