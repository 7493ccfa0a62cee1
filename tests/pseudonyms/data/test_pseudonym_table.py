"""Tests of tokumei.pseudonyms.data.pseudonym_table."""

from __future__ import annotations

import polars as pl

from pseudonyms.data.rows_and_tables_helpers import RELEASED, T
from support.period_rows import rows_of
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import Months


def test_the_table_of_a_release() -> None:
    original, released = rows_of(T), rows_of(RELEASED)
    months = Months.spanning(original.days)
    customers = pl.Series("customer", ["B", "A"])
    table = PseudonymTable.of_rows(original, released, customers=customers, months=months)
    assert table.cells().rows() == [("B", "DEL", "DEL"), ("A", "q", "p")]
    again = PseudonymTable.of_cells(customers, table.cells().drop("customer"))
    assert again.codes.tolist() == table.codes.tolist() == [[-1, -1], [1, 0]]
    assert table.codes_among(pl.Series(["z", "q"])).tolist() == [[-1, -1], [1, -2]]
    assert "q" not in repr(table)
