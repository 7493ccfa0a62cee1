"""What the tests split from test_format_judge share."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tokumei.apps.contest.demo import write_demo_contest
from tokumei.apps.contest.judge.contest_judge import ContestJudge, load_judge
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.pseudonyms.data.period_history import PeriodHistory


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contest")


@pytest.fixture(scope="module")
def history(folder: Path) -> PeriodHistory:
    return write_demo_contest(folder, starts=datetime.now(UTC), rows=800, customers=20)


@pytest.fixture(scope="module")
def judge(folder: Path, history: PeriodHistory) -> ContestJudge:
    return load_judge(read_contest_folder(folder), folder)
