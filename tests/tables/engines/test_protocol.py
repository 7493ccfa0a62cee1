"""Tests of tokumei.tables.engines.protocol."""

from __future__ import annotations

from pathlib import Path


def test_an_engine_that_reads_cells_as_they_stand_says_so(tokumei) -> None:  # type: ignore[no-untyped-def]
    Path("x.csv").write_text("age,seen\n" + "20,2024-05-01 08:30\n21,2024-05-01 08:30\n" * 5)
    asked = ["anonymize", "table", "--data", "x.csv", "--qi", "age,seen", "--k", "5"]
    streamed = tokumei(*asked, "--engine", "stream", "--out", "y.csv")
    assert streamed.code == 0, streamed.err
    assert "no normalization, and a row of empty cells is a row" in streamed.err
    here = tokumei(*asked, "--out", "z.csv")
    assert "Cells are read as they stand" not in here.err
