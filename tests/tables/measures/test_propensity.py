"""pMSE, its ratio and SPECKS by hand for one column, and the regression by its gradient."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei import anonymize, measure, sample_table
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.propensity import (
    PropensityError,
    PropensityRatio,
    Specks,
    fit_logistic,
)


def compare(before: list[str], after: list[str]) -> Comparison:
    tables = [Table.of(pl.DataFrame({"a": side}), qi=["a"], sa=[]) for side in (before, after)]
    return Comparison(*tables, np.arange(len(after)))


@given(
    before=st.lists(st.sampled_from("xy"), min_size=4, max_size=12),
    share=st.floats(0.2, 1.0),
    flips=st.integers(0, 11),
)
def test_one_column_of_two_values(before: list[str], share: float, flips: int) -> None:
    """The chance of a row is the share of released rows among those with its value."""
    before = ["x", "y", *before]
    after = list(before[: max(2, int(share * len(before)))])
    after[flips % len(after)] = "x" if after[flips % len(after)] == "y" else "y"
    rows = [(value, 0) for value in before] + [(value, 1) for value in after]
    chance = {
        value: sum(side for other, side in rows if other == value)
        / sum(other == value for other, _ in rows)
        for value, _ in rows
    }
    c, n = len(after) / len(rows), len(rows)
    pmse = sum((chance[value] - c) ** 2 for value, _ in rows) / n
    case = compare(before, after)
    if all(0 < one < 1 for one in chance.values()):
        assert PropensityError().score(case).value == pytest.approx(pmse, abs=1e-5)
        ratio = pmse / ((1 - c) ** 2 * c / n)
        assert PropensityRatio().score(case).value == pytest.approx(ratio, abs=1e-3)
    shares = [side.count("x") / len(side) for side in (before, after)]
    assert Specks().score(case).value == pytest.approx(abs(shares[0] - shares[1]), abs=1e-9)


def test_the_fit_is_where_the_gradient_vanishes() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(400, 3))
    target = (rng.random(400) < 1 / (1 + np.exp(-rows @ [1.0, -2.0, 0.3] - 0.5))).astype(float)
    residuals = fit_logistic(rows, target) - target
    assert np.abs(rows.T @ residuals).max() < 0.01
    assert abs(residuals.sum()) < 0.01


def test_a_release_that_is_equal_and_one_that_is_apart() -> None:
    people = sample_table(400, seed=1)
    same = anonymize(people, "noise", scale=0, seed=1)
    found = measure(people, same, methods=["pmse", "pmse_ratio", "specks"])
    assert [score.value for score in found.values()] == pytest.approx([0, 0, 0], abs=1e-9)
    case = compare(["x"] * 999 + ["y"], ["y"] * 999)
    assert PropensityError().score(case).value == pytest.approx(0.25, abs=2e-3)
    assert Specks().score(case).value == pytest.approx(0.999)
    nothing = compare(["x"] * 5, ["x"] * 5)
    assert PropensityRatio().score(nothing).value == 0.0
