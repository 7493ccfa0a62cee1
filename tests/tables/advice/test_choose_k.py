"""Tests of tokumei.tables.advice.choose_k."""

from __future__ import annotations

import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.advice.choose_k import choose


@pytest.mark.filterwarnings("error")
def test_mondrian_and_choices_do_not_depend_on_the_unit() -> None:
    small = pl.DataFrame({"q": [float(n * 7 % 20 - 10) for n in range(40)], "s": [1.0, -1.0] * 20})
    large = small.with_columns(pl.col("q") * 2.0**1020, pl.col("s") * 2.0**1023)
    made = [tk.anonymize(one, "mondrian", k=4, qi=["q"], seed=1) for one in (small, large)]
    classes = [sorted(one.public.frame["q"].value_counts()["count"]) for one in made]
    assert classes[0] == classes[1]
    found = [
        choose(one, values=[4], qi=["q"], sa=["s"], attacks=["E1"], seed=1)
        for one in (small, large)
    ]
    assert found[0].points[0].loss == found[1].points[0].loss
