"""An opened server home: where the desk reads and writes.

    place = open_place(Path("home"))
    with place.write() as session: ...       # one transaction
    place.close()

Tests give their own clock and checker.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from sqlalchemy.orm import Session

from tokumei.contest.jobs.checker import Checker, Described
from tokumei.contest.store.clock import naive
from tokumei.contest.store.database import Database, open_database
from tokumei.contest.store.home import Home, open_home
from tokumei.contest.store.settings import Settings


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
    _described: dict[tuple[str, str], Described] = field(default_factory=dict, repr=False)

    @property
    def settings(self) -> Settings:
        """How the server is run."""
        return self.home.settings

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
