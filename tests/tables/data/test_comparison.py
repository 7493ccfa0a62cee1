"""Original, release and link must fit before anything is measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from support.paper import QI, SA, B, X
from tokumei.core.errors import InputError, TokumeiError, UnknownNameError, UsageError
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Release, Table

FOUR = np.arange(4)


def test_what_measures_see() -> None:
    case = Comparison(X, B, FOUR)
    assert (case.qi, case.sa, case.cross) == (QI, SA, tuple(QI))
    assert case.sa_original.tolist()[0] == [100, 100]
    assert case.sa_released.tolist()[0] == [110, 90]


def test_the_cross_table_defaults_to_the_first_six() -> None:
    frame = pl.DataFrame({f"q{j}": [1] for j in range(8)} | {"s": [1]})
    table = Table.of(frame, qi=[f"q{j}" for j in range(8)], sa=["s"])
    assert Comparison(table, table, np.array([0])).cross == tuple(f"q{j}" for j in range(6))
    assert Comparison(table, table, np.array([0]), ("q7",)).cross == ("q7",)


def test_of_a_release() -> None:
    case = Comparison.of(X, Release(B, FOUR), cross=["QI1"])
    assert case.cross == ("QI1",)
    assert case.released is B


@pytest.mark.parametrize(
    ("released", "link", "cross", "error", "message"),
    [
        (B, [0, 1, 2], (), UsageError, "the link has 3 rows but the release has 4"),
        (B, [0, 1, 2, 4], (), UsageError, "that the original, with 4 rows, does not have"),
        (B, [0, 1, 2, -1], (), UsageError, "that the original, with 4 rows, does not have"),
        (B, [0, 1, 2, 2], (), UsageError, "one original row to two released rows"),
        (B.drop(["SA2", "QI1"]), [0, 1, 2, 3], (), InputError, "lacks the columns QI1, SA2"),
        (B, [0, 1, 2, 3], ("QI9",), UnknownNameError, "unknown column 'QI9'"),
        (B.take(FOUR[:0]), [], (), InputError, "at least one row each"),
    ],
)
def test_what_does_not_fit(
    released: Table, link: list[int], cross: Any, error: type[TokumeiError], message: str
) -> None:
    with pytest.raises(error, match=message):
        Comparison(X, released, np.array(link, dtype=np.int64), cross)


def test_an_empty_original() -> None:
    with pytest.raises(InputError, match="at least one row each"):
        Comparison(X.take(FOUR[:0]), B, FOUR)


def test_a_cross_column_that_was_not_released() -> None:
    frame = X.frame.with_columns(who=pl.Series(list("abcd")))
    original = Table.of(frame, qi=QI, sa=SA, ids=["who"])
    with pytest.raises(InputError, match="lacks the column who"):
        Comparison(original, B, FOUR, ("who",))


def test_the_link_does_not_show() -> None:
    assert "link" not in repr(Comparison(X, B, FOUR))
