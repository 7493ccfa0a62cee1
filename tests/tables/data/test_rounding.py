"""Tests of tokumei.tables.data.rounding."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.tables.data.cell_reader import ColumnReader


def test_rounding_of_decimals() -> None:
    values = pl.Series("q", [i * 0.037 for i in range(300)])
    reader = ColumnReader.of(values, values.round(1))
    assert reader.rounding is not None
    assert reader.read("1.5").low == pytest.approx(1.45)
