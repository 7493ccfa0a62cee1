"""What the tests split from test_risk_page share."""

from __future__ import annotations

import pytest

from tokumei.tables.datasets.households import sample_table
from tokumei.tables.risk.risk import Risk, risk

QI = ["head_sex", "head_age_band", "region", "occupation", "industry"]


@pytest.fixture(scope="module")
def found() -> Risk:
    people = sample_table(2000, seed=1)
    return risk(people.frame.head(300), qi=QI, population=people.frame)
