"""Tests of tokumei.tables.profiling.detection.neighbour_columns."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.neighbour_columns import has_known_names


@pytest.mark.parametrize(
    "words",
    [
        ["April", "May", "June", "August", "January", "March"],
        ["Brown", "Green", "White", "Rose", "Olive"],
        ["山口", "石川", "福島", "宮崎", "千葉"],
        ["Miete", "Spende", "Beitrag", "Weber"],
    ],
)
def test_words_that_may_be_names_too_are_no_names(words: list[str]) -> None:
    assert not has_known_names(ColumnCells.of(pl.Series("q", words * 9)))
