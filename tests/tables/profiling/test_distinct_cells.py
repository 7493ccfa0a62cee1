"""Tests of tokumei.tables.profiling.distinct_cells."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.tables.profiling.detection.missing_in_text import find_marks


@pytest.mark.parametrize(
    "cells",
    [["A", "B", "O", "AB", "NA"], ["M", "F", "NA"], ["DE", "FR", "NA"], ["flu", "cold", "NA"]],
    ids=["blood", "sex", "too few codes", "words"],
)
def test_na_is_missing_where_the_others_are_no_codes(cells: list[str]) -> None:
    assert find_marks(pl.Series("q", cells)).to_list() == ["NA"]
