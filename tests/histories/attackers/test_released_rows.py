"""Tests of tokumei.histories.attackers.released_rows."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from histories.attackers.consistency_helpers import fast_counts, slow_counts
from histories.further_values_helpers import _ends, _number, histories, lines_of
from support.released_histories import smalls
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.attackers import released_rows as consistency
from tokumei.histories.attackers.released_rows import (
    count_consistent_rows,
    distinct_released_rows,
    parse_public_rows,
)
from tokumei.histories.data.history import History


@settings(max_examples=40)
@given(smalls())
def test_small_blocks_give_the_same_counts(small):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(consistency, "_BLOCK_WORK", 7)
        patch.setattr(consistency, "_BLOCK_PAIRS", 1)
        patch.setattr(consistency, "_SAMPLE_ROWS", 1)
        assert fast_counts(small) == slow_counts(small)


@given(source=histories, seed=st.integers(0, 99))
def test_attacks_use_them(source: History, seed: int) -> None:
    """A known row can be behind a released one only if all its values can."""
    if len(source.customers) < 2:
        return
    made = RankMatch(2).anonymize(source, rng=Randomness(seed))
    if not made.rows.kept.any():
        return
    released = distinct_released_rows(parse_public_rows(made.public, source))
    found = {
        (block.first + row, customer): count
        for block in count_consistent_rows(released, source)
        for row, customer, count in zip(block.row, block.customer, block.count, strict=True)
    }
    known, people = lines_of(source), source.customers.to_list()
    distinct = _distinct(made.public.rows())
    assert len(distinct) == len(released.times)
    expected: dict[tuple[tuple[str, ...], int], int] = {}
    for cells, line in product(distinct, known):
        if all(_may_be(cell, value) for cell, value in zip(cells[0], line[1:], strict=True)):
            place = (cells, people.index(line[0]))
            expected[place] = expected.get(place, 0) + 1
    assert sorted(found.values()) == sorted(expected.values())


def _distinct(public: list[tuple[str, ...]]) -> set[tuple[tuple[str, ...], int]]:
    own: dict[tuple[str, tuple[str, ...]], int] = {}
    for who, *cells in public:
        own[who, tuple(cells)] = own.get((who, tuple(cells)), 0) + 1
    return {(cells, times) for (_, cells), times in own.items()}


def _may_be(cell: str, value: str) -> bool:
    if cell == "*" or cell == value:
        return True
    if cell.startswith("{"):
        return value in cell.strip("{}").split(";")
    return cell.startswith("[") and _number(_ends(cell)[0]) <= _number(value) <= _number(
        _ends(cell)[1]
    )
