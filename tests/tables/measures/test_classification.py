"""Classification before and after: what is learnt, what it is tried on, and the baseline."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.classification import ClassificationAccuracy

ROWS = 200


def tables(released: dict[str, list[str]]) -> Comparison:
    """`label` is told by `color` alone; `number` is noise."""
    chance = np.random.default_rng(1)
    colors = chance.choice(["red", "green", "blue"], ROWS).tolist()
    columns = {
        "color": colors,
        "number": chance.integers(0, 9, ROWS).tolist(),
        "label": ["yes" if color == "red" else "no" for color in colors],
    }
    x = Table.of(pl.DataFrame(columns), qi=["color", "number"], sa=[])
    y = Table.of(pl.DataFrame({**columns, **released}), qi=["color", "number"], sa=[])
    return Comparison(x, y, np.arange(ROWS))


def majority(case: Comparison) -> float:
    return case.original.frame["label"].value_counts()["count"].max() / ROWS


@pytest.mark.parametrize("model", ["tree", "logistic"])
def test_an_unchanged_release_is_as_good_and_a_suppressed_one_is_the_baseline(model: str) -> None:
    measure = ClassificationAccuracy("label", model)
    assert measure.score(tables({})).value == 1
    case = tables({"color": ["*"] * ROWS})
    gone = measure.score(case)
    assert gone.baseline == majority(case)
    assert abs(gone.value - gone.baseline) < 0.1


def test_sets_that_keep_the_target_apart_keep_its_worth() -> None:
    colors = tables({}).original.frame["color"].to_list()
    case = tables({"color": [c if c == "red" else "{blue;green}" for c in colors]})
    found = ClassificationAccuracy("label", model="logistic").score(case)
    assert found.value == 1
    assert found.baseline == majority(case)
    hierarchy = Hierarchy.of(
        "color", [["red", "warm", "*"], ["green", "cold", "*"], ["blue", "cold", "*"]]
    )
    named = tables({"color": ["warm" if c == "red" else "cold" for c in colors]})
    measure = ClassificationAccuracy("label", "logistic", hierarchies={"color": hierarchy})
    assert measure.score(named).value == 1


def test_cells_that_give_their_own_target_away_are_not_worth_anything() -> None:
    """The set names a color by the row's label only; true colors do not follow it."""
    case = tables({})
    label = np.random.default_rng(2).choice(["yes", "no"], ROWS).tolist()
    x = case.original.frame.with_columns(label=pl.Series(label))
    told = ["{red;green}" if value == "yes" else "{blue;green}" for value in label]
    y = x.with_columns(color=pl.Series(told))
    qi = ["color", "number"]
    leaking = Comparison(Table.of(x, qi=qi, sa=[]), Table.of(y, qi=qi, sa=[]), np.arange(ROWS))
    assert ClassificationAccuracy("label").score(leaking).value < 0.7


def test_what_cannot_be_learnt_is_refused() -> None:
    case = tables({})
    with pytest.raises(UnknownNameError, match="lable"):
        ClassificationAccuracy("lable").score(case)
    with pytest.raises(InputError, match="folds"):
        ClassificationAccuracy("label", folds=1).score(case)
    one = Table.of(case.original.frame, qi=["color"], sa=[])
    with pytest.raises(UsageError, match="beside its target"):
        ClassificationAccuracy("color").score(Comparison(one, one, np.arange(ROWS)))


def test_a_constant_target_is_always_right() -> None:
    table = Table.of(pl.DataFrame({"q": list("abcabc"), "t": ["x"] * 6}), qi=["q"], sa=[])
    case = Comparison(table, table, np.arange(6))
    found = ClassificationAccuracy("t", folds=2).score(case)
    assert (found.value, found.baseline) == (1, 1)


def test_without_scikit_learn_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(UsageError, match=r'pip install "tokumei\[learn\]"'):
        ClassificationAccuracy("label").score(tables({}))
