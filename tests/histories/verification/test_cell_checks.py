"""Tests of tokumei.histories.verification.cell_checks."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.files.contest_files import ContestRows
from tokumei.histories.data.history import History
from tokumei.histories.verification.pws2018 import check_release


def test_a_false_cell_of_a_value_is_a_fault() -> None:
    frame = pl.DataFrame(
        {"customer": ["a", "b"], "day": ["2024-05-01"] * 2, "tax": [1.5, 2.0], "store": ["n", "s"]}
    )
    source = History.of(frame, value1="tax", value2="store")
    line = ("1", "2024/5/1", "-", "0", "1", "[2;3]", "{s;x}")
    text = pl.DataFrame([line, ("*",) * 7], schema=list(source.columns), orient="row")
    faults = check_release(source, ContestRows(text, np.full(2, 7)))
    assert [(fault.rule, fault.column) for fault in faults] == [
        ("true-value", "value1"),
        ("unknown-item", "value2"),
        ("true-value", "value2"),
    ]
