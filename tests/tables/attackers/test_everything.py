"""Everything public is known: against a plain loop, and never less than what roles make of it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from support.small_tables import Small, chances, covers, small_tables, uniform
from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.attackers.everything import Everything
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation_suite import attack_suite


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


METHODS = {
    "mondrian": Mondrian(5),
    "noise": Noise(0.5),
    "swap": Swap(),
    "mondrian, noise": Pipeline((Mondrian(5), Noise(0.5))),
    "mondrian, swap": Pipeline((Mondrian(5), Swap())),
}


@pytest.mark.parametrize("name", METHODS)
def test_it_finds_as_many_as_linkage_with_all_roles_named_and_needs_none(name: str) -> None:
    people = sample_table(400, seed=3)
    release = METHODS[name].anonymize(people, rng=Randomness(1))
    named = Comparison.of(people, release)
    bare = Comparison(Table.of(people, qi=people.schema.qi[:2]), release.public, release.link)
    linkage = attack_suite(named, ["linkage"], rng=Randomness(2), expected=True)["linkage"]
    found = attack_suite(bare, ["everything"], rng=Randomness(2), expected=True)["everything"]
    assert found.rate >= linkage.rate - 0.02


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
