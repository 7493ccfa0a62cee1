"""Small generated contests with their judges, one for all tests of a process."""

from __future__ import annotations

import pytest

from apps.contest.judge.uploaded import Contest, made_contest


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
