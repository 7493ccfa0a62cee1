"""A k of everybody's own: the partition, the proof, and what it costs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.drawn_people import GIVEN, people
from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.measures.decidability import level_table, prec
from tokumei.tables.registry import claim_checks


def released(frame: pl.DataFrame, k: int, personal: str = "") -> pl.DataFrame:
    ids = [name for name in frame.columns if name not in GIVEN]
    method = HierarchicalMondrian(k=k, hierarchies=GIVEN, choice="prec", personal=personal)
    table = Table.of(frame, qi=list(GIVEN), sa=[], ids=ids)
    return method.anonymize(table, rng=Randomness(1), shuffle=False).public.frame


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.sampled_from([2, 3]))
def test_everybody_gets_what_they_ask_for(seed: int, k: int) -> None:
    frame = people(120, seed)
    wishes = np.random.default_rng(seed).choice([0, 2, 5, 20], 120, p=[0.5, 0.3, 0.15, 0.05])
    wish = pl.Series("wish", [int(w) or None for w in wishes], dtype=pl.Int64)
    found = released(frame.with_columns(wish), k, "wish")
    assert found.columns == list(GIVEN)
    sizes = Counter(found.iter_rows())
    for row, asked in zip(found.iter_rows(), wishes, strict=True):
        assert sizes[row] >= max(k, asked)


def test_equal_wishes_are_one_k() -> None:
    frame = people(200, 1)
    for k in (2, 7):
        wish = pl.Series("wish", [k] * 200)
        assert released(frame.with_columns(wish), 2, "wish").equals(released(frame, k))


def test_a_tenth_that_asks_for_more_costs_less_than_all() -> None:
    """People who are alike ask alike: about a tenth, the tallest."""
    frame = people(1500, 2)
    trees = choose_hierarchies(GIVEN, frame, list(GIVEN))
    tall = frame["height"].cast(pl.Int64) >= 186
    wish = pl.Series("wish", [20 if one else None for one in tall])
    heights = [tree.height for tree in trees.values()]
    plain, some, all20 = (
        prec(level_table(one, trees), heights)
        for one in (
            released(frame, 2),
            released(frame.with_columns(wish), 2, "wish"),
            released(frame, 20),
        )
    )
    assert all20 < some < plain


def test_wishes_that_are_none() -> None:
    frame = people(20, 3).with_columns(wish=pl.Series(["2"] * 19 + ["many"]))
    with pytest.raises(InputError, match="'many' is not a number of people"):
        released(frame, 2, "wish")


def test_the_rule_sees_small_classes() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "y", "y"], "k": ["2", "", "3", None]})
    table = Table.of(frame, qi=["a"], sa=[], ids=[])
    rule = claim_checks.build("personal-k", {"columns": ["a"], "personal": "k"})
    (fault,) = rule.check(table)
    assert "(y) occurs in 2 rows, but somebody in it asks for 3" in fault.message.show("en")
    assert rule.check(table.take(np.array([0, 1]))) == []
    wrong = Table.of(frame.with_columns(k=pl.lit("x")), qi=["a"], sa=[], ids=[])
    assert len(rule.check(wrong)) == 4
