"""Everything public is known: against a plain loop, and never less than what roles make of it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from support.small_tables import Small, chances, covers, small_tables, uniform
from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.everything import Everything
from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.table import Table


@settings(max_examples=100)
@given(small_tables(rows=6, sa_columns=0, general_qi=True, nulls=True))
def test_rows_that_fit_in_all_columns_are_equally_likely(case: Small) -> None:
    guess = Everything().attack(case.y(), Knowledge(case.x()), rng=Randomness(1))
    found = chances(guess, len(case.released), len(case.original))
    varying = [j for j in range(2) if len({str(row[j]) for row in case.released}) > 1]
    for row, shares in zip(case.released, found, strict=True):
        fits = [
            i
            for i, known in enumerate(case.original)
            if all(covers(row[j], known[j]) for j in varying)
        ]
        if fits and isinstance(row[0], str):
            assert np.allclose(shares, uniform(fits, len(case.original)))


def test_columns_that_cannot_be_read_are_left_out_unless_they_were_named() -> None:
    frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": ["p", "q", "r", "s"]})
    released = Table.of(frame.with_columns(b=pl.Series(["0x1", "0x2", "0x3", "0x4"])))
    known = Table.of(frame, qi=["a"])
    guess = Everything().attack(released, Knowledge(known), rng=Randomness(1))
    assert guess.chance_of(np.arange(4)).tolist() == [1.0] * 4
    named = Knowledge(Table.of(frame, qi=["a", "b"]))
    with pytest.raises(InputError, match="column 'b'"):
        Everything().attack(released, named, rng=Randomness(1))


def test_known_columns_only() -> None:
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "b": ["p", "q", "r", "s"]})
    table = Table.of(frame, qi=["a"])
    guess = Everything(known=("a",)).attack(table, Knowledge(table), rng=Randomness(1))
    assert guess.chance_of(np.arange(4)).tolist() == [0.5] * 4
