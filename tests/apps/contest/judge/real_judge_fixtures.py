"""What the tests split from test_real_judge share."""

from __future__ import annotations

import pytest

from tokumei import anonymize
from tokumei.apps.contest.judge.contest_judge import load_judge
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.files.contest_files import to_contest_bytes

ALPHAS = (25, 50, 75, 100)


@pytest.fixture(scope="module")
def judge2017(real_data, tmp_path_factory):
    held = real_data / "pwscup2017"
    known = {f"known-{alpha / 100:g}": held / f"T{alpha}.csv" for alpha in ALPHAS}
    data = {"original": held / "T.csv", "master": held / "M.csv", **known}
    folder = tmp_path_factory.mktemp("real2017")
    write_sample_contest(folder, preset="pws2017", data=data)
    return load_judge(read_contest_folder(folder), folder)


@pytest.fixture(scope="module")
def monthly(judge2017):
    return anonymize(judge2017.format.history, "pseudonyms", lifetime=1, seed=1)


@pytest.fixture(scope="module")
def verdict(judge2017, monthly):
    return judge2017.judge(Upload("A.csv", to_contest_bytes(monthly.rows.cells)))
