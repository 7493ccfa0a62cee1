"""Tests of tokumei.files.excel_output."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import polars as pl
import pytest

from independent.cells import read_cells
from tokumei.files.excel_output import workbook_writer

MOMENT = dt.datetime(2024, 1, 1, 1, 2, 3)


ALMOST_ALIKE = {
    "long floats": [0.3, 0.1 + 0.2],
    "zeros": [0.0, -0.0],
    "least whole numbers": [-(2**63), 1 - 2**63],
    "short floats": pl.Series([0.1, 0.2], dtype=pl.Float32),
    "decimals": [Decimal("0.12345678901234567890"), Decimal("0.12345678901234567891")],
    "microseconds": [MOMENT, MOMENT.replace(microsecond=1)],
    "times": [dt.time(1, 2), dt.time(1, 2, 0, 5)],
    "old days": [dt.date(1850, 1, 1), dt.date(1900, 1, 1)],
    "hours told twice": pl.Series([1730611800000, 1730615400000])
    .cast(pl.Datetime("ms", "UTC"))
    .dt.convert_time_zone("America/New_York"),
}


@pytest.mark.parametrize("kind", list(ALMOST_ALIKE))
def test_a_workbook_tells_apart_what_the_table_tells_apart(tmp_path, kind):
    frame = pl.DataFrame({"s": ALMOST_ALIKE[kind]})
    with (tmp_path / "y.xlsx").open("wb") as stream:
        workbook_writer(frame, "y.xlsx")(stream)
    shown = read_cells(tmp_path / "y.xlsx").texts(["s"])
    assert len(set(shown)) == 2
    numeric = frame["s"].dtype.is_float()
    assert not numeric or [float(one) for (one,) in shown] == frame["s"].to_list()
    assert kind != "old days" or shown == [("1850-01-01",), ("1900-01-01",)]
