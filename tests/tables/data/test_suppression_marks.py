"""Tests of tokumei.tables.data.suppression_marks."""

from __future__ import annotations

import polars as pl
import pytest

from tables.data.cell_reader_samples import JOBS
from tokumei.tables.data.cell_reader import ColumnReader


@pytest.mark.parametrize("mark", ["?", "NA", "-", "N/A", "NaN", "", "***", "＊"])
def test_a_mark_for_nothing_that_became_more_frequent_was_put_there(mark: str) -> None:
    original = pl.Series("q", ["cook", "nurse", "smith", mark])
    gone = ColumnReader.of(original, pl.Series("q", ["cook", mark, mark, "smith"]))
    kept = ColumnReader.of(original, pl.Series("q", ["cook", mark, "nurse", "smith"]))
    stars = not mark.strip("*＊") and mark
    assert gone.covered(gone.read(mark)).sum() == (1 if stars else 4)
    assert kept.covered(kept.read(mark)).sum() == 1
    new = ColumnReader.of(pl.Series("q", JOBS), pl.Series("q", ["cook", mark]))
    assert new.covered(new.read(mark)).all()
