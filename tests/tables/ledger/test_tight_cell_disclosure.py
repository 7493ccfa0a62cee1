"""Tests of tokumei.tables.ledger.tight_cell_disclosure."""

from __future__ import annotations

import polars as pl

from tokumei.tables.ledger.tight_cell_disclosure import ClassHulls, attained_values


def test_ends_and_gap_of_three_rows_are_their_values() -> None:
    frame = pl.DataFrame({"q": ["{∅;[20;30]}"] * 3 + ["{∅;[20;31]}"] * 4})
    hulls = ClassHulls.of_frame(frame, ["q"])
    assert hulls.exact().tolist() == [True, False]
    assert attained_values(hulls.cells["q"][0]) == [20.0, 30.0, None]
