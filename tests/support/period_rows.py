"""Rows of the 2017 format from lines of text: `rows_of(["A,0,2010/12/1,9:09,21258,10.95,32"])`."""

from __future__ import annotations

import polars as pl

from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows


def rows_of(lines: list[str]) -> PeriodRows:
    """The lines as rows."""
    schema = dict.fromkeys(PERIOD_COLUMNS, pl.String)
    return PeriodRows(
        pl.DataFrame([line.split(",") for line in lines], schema=schema, orient="row")
    )
