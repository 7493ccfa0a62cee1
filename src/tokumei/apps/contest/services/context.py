"""Context of the services: an opened server home and the current viewer.

    place = open_app_context(Path("home"))
    with place.write() as session: ...       # one transaction
    VISITOR.require_account()                # Unauthorized

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

from tokumei.apps.contest.jobs.upload_checker import JudgeDescription, UploadChecker
from tokumei.apps.contest.store.database import Database, open_database, to_naive_utc
from tokumei.apps.contest.store.judge_snapshots import snapshot_folder
from tokumei.apps.contest.store.server_home import ContestHome, ServerSettings, open_home
from tokumei.apps.contest.store.tables import Contest
from tokumei.apps.http.errors import Forbidden, TooManyRequests, Unauthorized

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
            raise Unauthorized()
        return self.account_id

    def require_organiser(self) -> int:
        """The account's number; refuses everybody else."""
        account = self.require_account()
        if not self.organiser:
            raise Forbidden("only organisers may do this")
        return account

    def require_server(self) -> int:
        """The account's number; refuses all but organisers of the whole server."""
        account = self.require_organiser()
        if self.only is not None:
            raise Forbidden("only organisers of the whole server may do this")
        return account


VISITOR = Viewer()


def current_utc_time() -> datetime:
    """The server's clock."""
    return datetime.now(UTC)


@dataclass
class AppContext:
    """Everything the services need. `clock` returns a time with a zone."""

    home: ContestHome
    database: Database
    checker: UploadChecker
    clock: Callable[[], datetime] = current_utc_time
    checks_at_once: int = CHECKS_AT_ONCE
    """Uploads of one team that are checked at the same time: one team must not hold up all."""
    _checks_running: Counter[int] = field(default_factory=Counter, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)
    _judge_descriptions: dict[tuple[str, str], JudgeDescription] = field(
        default_factory=dict, repr=False
    )

    @cached_property
    def key(self) -> bytes:
        """The server's secret for signing."""
        return self.home.read_cookie_key()

    def now(self) -> datetime:
        """The server's time as tables hold it: UTC without a zone."""
        return to_naive_utc(self.clock())

    def read(self) -> AbstractContextManager[Session]:
        """One moment's view of the tables."""
        return self.database.read()

    def write(self) -> AbstractContextManager[Session]:
        """One transaction."""
        return self.database.write()

    def judge_description(self, folder: str, version: str) -> JudgeDescription:
        """What a contest's judge says of itself; asked once for every version."""
        if (folder, version) not in self._judge_descriptions:
            self._judge_descriptions[folder, version] = self.checker.describe_judge(folder)
        return self._judge_descriptions[folder, version]

    def judge_folder(self, row: Contest) -> str:
        """Where the judge in force has its files, below the home's contests."""
        return snapshot_folder(self.home.contests, row.folder, row.judge_version)

    def require_check_slot(self, team_id: int) -> None:
        """Refuse a team one more upload while so many of its own are being checked."""
        if self._checks_running[team_id] >= self.checks_at_once:
            most = self.checks_at_once
            raise TooManyRequests(
                "{most} uploads of your team are being checked; send the next in a second",
                retry_after=1,
                most=most,
            )

    @contextmanager
    def hold_check_slot(self, team_id: int) -> Iterator[None]:
        """Count an upload of a team as being checked."""
        with self._lock:
            self.require_check_slot(team_id)
            self._checks_running[team_id] += 1
        try:
            yield
        finally:
            with self._lock:
                self._checks_running[team_id] -= 1
                self._checks_running += Counter()  # forgets teams with none

    def close(self) -> None:
        """End the checker and the connections."""
        self.checker.close()
        self.database.close()


def open_app_context(
    path: Path,
    *,
    settings: ServerSettings | None = None,
    clock: Callable[[], datetime] = current_utc_time,
    checker: UploadChecker | None = None,
) -> AppContext:
    """Open a home; makes what is missing and brings its tables up to date."""
    home = open_home(path, settings)
    home_settings = home.settings
    return AppContext(
        home,
        open_database(home_settings.database),
        checker
        or UploadChecker(
            home.contests, processes=home_settings.checkers, seconds=home_settings.check_seconds
        ),
        clock,
    )
