"""Small generated contests with their judges, one for all tests of a process."""

from __future__ import annotations

import pytest

from contest.judge.uploaded import Contest, made_contest
from tokumei.cli.app import main
from tokumei.core.text import use_language


@pytest.fixture(scope="session")
def periods(tmp_path_factory) -> Contest:
    """A contest of 2017, and a release."""
    return made_contest(tmp_path_factory.mktemp("periods"), "pws2017", rows=900, customers=25)


@pytest.fixture(scope="session")
def histories(tmp_path_factory) -> Contest:
    """A contest of 2018, and a release."""
    return made_contest(tmp_path_factory.mktemp("histories"), "pws2018", rows=900, customers=40)


@pytest.fixture(scope="session")
def tables(tmp_path_factory) -> Contest:
    """A contest with a table, and a release."""
    return made_contest(tmp_path_factory.mktemp("tables"), "table", rows=120)


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
