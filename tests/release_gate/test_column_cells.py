"""The distinct cells of a column are counted alike in one batch and in many."""

from __future__ import annotations

import random
import re
from collections import Counter

import polars as pl
import pytest

from tokumei.core.release_terms import ReleaseTerms
from tokumei.release_gate.column_cells import CELLS, TEXT, ColumnCells

POOL = ["cold", "12", "-3.5", "1234567", "12345678", "1e9", "0.123456789", "2026-01-01", "", None]
SHORT = re.compile(r"[-+]?[0-9]{0,7}(\.[0-9]*)?([eE][-+]?[0-9]+)?|[-+]?0\.[0-9]+([eE][-+]?[0-9]+)?")


@pytest.mark.parametrize("batches", [1, 3, 30])
def test_candidates_are_all_cells_but_short_numbers(batches: int) -> None:
    chance = random.Random(batches)
    cells, counted = [chance.choice(POOL) for _ in range(300)], ColumnCells("temp", ReleaseTerms())
    for batch in range(batches):
        counted.add(pl.Series("temp", cells[batch::batches], dtype=pl.String))
    wanted = Counter(cell for cell in cells if cell is not None and not SHORT.fullmatch(cell))
    found = counted.candidates()
    assert dict(zip(found[TEXT], found[CELLS], strict=True)) == dict(wanted)


def test_rare_texts_of_a_passing_column_are_counted_not_told() -> None:
    terms = ReleaseTerms(passing=frozenset({"note"}), k=3)
    counted = ColumnCells("note", terms)
    counted.add(pl.Series(["often"] * 3 + ["rare", "rare", "once", "17", "*", "2026-01-01"]))
    (finding,) = counted.rare_texts()
    assert finding.cells == 3
    other = ColumnCells("temp", terms)
    other.add(pl.Series(["once"]))
    assert list(other.rare_texts()) == []


def test_a_cell_that_is_the_name_of_the_column_is_noticed() -> None:
    counted = ColumnCells("temp", ReleaseTerms())
    counted.add(pl.Series([1.5, 2.5]))
    assert not counted.has_its_name_as_cell()
    counted.add(pl.Series(["cold", "temp"]))
    assert counted.has_its_name_as_cell()
