"""Information kept of a column, by the losses that docs/assess.md defines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.assessment.small_releases import column

from tokumei.assessment.information_kept import (
    ColumnKept,
    headline,
    mean_difference,
    measure_column,
)

AGES = [20, 25, 30, 40]
"""Mean difference of two: (5 + 10 + 20 + 5 + 15 + 10) / 6 = 65 / 6."""


def kept(values: list[Any], cells: list[Any], link: list[int] | None = None) -> ColumnKept:
    origins = np.arange(len(cells)) if link is None else np.array(link)
    return measure_column(column(values, cells), origins, len(values))


@pytest.mark.parametrize(
    ("values", "cells", "losses"),
    [
        (AGES, ["[20;25]", "[20;25]", "30", "40"], [5 / 20, 5 / 20, 0, 0]),
        (AGES, ["[20;40]", "*", "30", "40"], [1, 1, 0, 0]),
        (AGES, ["20", "25", "[20;25]", "40"], [0, 0, 5 / 20 + 5 / (65 / 6), 0]),
        (AGES, [20, 25, 30, 41], [0, 0, 0, 1 / (65 / 6)]),
        (AGES, [20, 25, 30, 400], [0, 0, 0, 1]),
        (list("abcd"), ["{a;b}", "{a;b}", "c", "d"], [1 / 3, 1 / 3, 0, 0]),
        (list("abcd"), ["{a;b;c;d}", "b", "{a;b;c}", "d"], [1, 0, 2 / 3, 0]),
        (list("abcd"), ["b", "a", "c", "d"], [1, 1, 0, 0]),
    ],
)
def test_losses_of_cells(values: list[Any], cells: list[Any], losses: list[float]) -> None:
    found = kept(values, cells)
    assert found.kept == pytest.approx(1 - sum(losses) / 4)
    assert found.empty == pytest.approx(sum(loss == 1 for loss in losses) / 4)
    assert found.changed == sum(loss > 0 for loss in losses)


def test_a_missing_value_is_a_value_of_the_domain() -> None:
    # a, b and missing: a set of two of three values loses one half.
    assert kept(["a", "b", None], ["{a;b}", "b", None]).kept == pytest.approx(1 - 0.5 / 3)


def test_deleted_rows_are_lost() -> None:
    found = kept(AGES, [40, 20], link=[3, 0])
    assert (found.kept, found.empty, found.cells) == (0.5, 0.5, 4)
    assert found.changed == 0


@pytest.mark.parametrize(
    ("cells", "treatment"),
    [
        (["20", "25", "30", "40"], "unchanged"),
        (["[20;25]", "[20;25]", "30", "40"], "generalized"),
        (["25", "20", "30", "40"], "changed"),
        (["*", "*", "*", "*"], "suppressed"),
    ],
)
def test_what_was_done_to_a_column(cells: list[str], treatment: str) -> None:
    assert kept(AGES, cells).treatment == treatment


def test_without_a_link_nothing_is_said_to_be_kept() -> None:
    found = measure_column(column(AGES, ["*", "25", "30", "40"]), None, 4)
    assert (found.kept, found.changed, found.empty) == (None, None, 0.25)


def test_cells_that_nothing_explains_leave_open_what_is_kept() -> None:
    assert kept(["f"] * 3 + ["m"] * 3, ["woman"] * 3 + ["person"] * 3).kept is None


def test_mean_difference_of_two_rows() -> None:
    assert mean_difference(np.array([1.0, 4.0, 2.0, np.nan])) == pytest.approx((3 + 1 + 2) / 3)
    assert mean_difference(np.array([7.0])) == 0


def of(name: str, share: float | None, treatment: str = "changed") -> ColumnKept:
    return ColumnKept(name, treatment, share, 0.0, 0, 4)


def test_the_headline_is_the_weighted_mean_without_identifiers() -> None:
    columns = [of("a", 1.0), of("b", 0.0), of("id", None, "identifier")]
    assert headline(columns, {}) == 0.5
    assert headline(columns, {"b": 3.0}) == 0.25
    assert headline(columns, {"a": 0.0, "b": 0.0}) is None
    assert headline([*columns, of("c", None)], {}) is None
    assert headline([of("id", None, "identifier")], {}) is None
