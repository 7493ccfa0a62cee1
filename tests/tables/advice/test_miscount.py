"""Tests of tokumei.tables.advice.miscount."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from tokumei.tables.advice.miscount import miscount_share
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table


def test_a_table_to_count_is_measured_as_somebody_would_count_it() -> None:
    source = pl.DataFrame({"age": [20, 20, 30, 40], "sex": ["M", "F", "M", "M"]})
    table = Table.of(source, qi=["age", "sex"])
    released = pl.DataFrame({"age": ["20", "[20;30]", "[20;30]"], "sex": ["M", "F", "*"]})
    public = Table.of(released, qi=["age", "sex"])
    case = Comparison(table, public, np.array([0, 1, 2]))
    before, after = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for age, sex in source.iter_rows():
        before[age, sex] += 1
    for ages, sexes in (((20,), "M"), ((20, 30), "F"), ((20, 30), "MF")):
        for age in ages:
            for sex in sexes:
                after[age, sex] += 1 / (len(ages) * len(sexes))
    cells = {*before, *after}
    wrong = sum(abs(before[one] - after[one]) for one in cells) / 4
    assert miscount_share(case, ("age", "sex")) == pytest.approx((wrong + 1 / 4) / 2)
    assert miscount_share(Comparison(table, table, np.arange(4)), ("age", "sex")) == 0
