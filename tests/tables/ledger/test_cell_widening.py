"""Tests of tokumei.tables.ledger.cell_widening."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import Step
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.table import Table
from tokumei.tables.ledger.cell_widening import CellWidening


def test_slack_keeps_the_gap() -> None:
    values = [v for low in (10, 30, 50) for v in [None, *range(low, low + 12, 2)]]
    towns = [town for town in "abc" for _ in range(7)]
    frame = pl.DataFrame({"q": pl.Series(values), "w": towns, "s": range(21)})
    table = Table.of(frame, qi=["q", "w"], sa=["s"])
    made = CellWidening(Mondrian(7), share=1.0).change(
        Step(table, np.arange(table.rows)), rng=Randomness(3)
    )
    reader = ColumnReader.of(frame["q"], made.table.frame["q"])
    for text, origin in zip(made.table.frame["q"], made.link.tolist(), strict=True):
        value = frame["q"][origin]
        known = reader.covered(reader.read(text))
        assert known[reader.places[None if value is None else str(value)]], (text, value)
    assert made.table.frame["q"].str.starts_with("{∅;").any()
