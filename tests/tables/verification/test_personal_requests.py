"""Attributes that a person wants hidden: the cells, the classes, the proof."""

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
from tokumei.tables.registry import claim_checks


def released(frame: pl.DataFrame, k: int, **more: str) -> pl.DataFrame:
    ids = [name for name in frame.columns if name not in GIVEN]
    method = HierarchicalMondrian(k=k, hierarchies=GIVEN, **{"choice": "prec", **more})
    table = Table.of(frame, qi=list(GIVEN), sa=[], ids=ids)
    return method.anonymize(table, rng=Randomness(1), shuffle=False).public.frame


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.sampled_from([2, 4]))
def test_what_is_to_be_hidden_is_a_star_and_classes_have_k(seed: int, k: int) -> None:
    frame = people(150, seed)
    draw = np.random.default_rng(seed)
    wishes = [";".join(name for name in GIVEN if draw.random() < 0.15) for _ in range(150)]
    found = released(frame.with_columns(hide=pl.Series(wishes)), k, hide="hide")
    assert found.columns == list(GIVEN)
    for row, wish in zip(found.iter_rows(named=True), wishes, strict=True):
        assert all(row[name] == "*" for name in wish.split(";") if name)
    assert min(Counter(found.iter_rows()).values()) >= k


def test_nobody_hides_anything_and_all_hide_one() -> None:
    frame = people(200, 1)
    nothing = frame.with_columns(hide=pl.lit(""))
    assert released(nothing, 3, hide="hide").equals(released(frame, 3))
    everybody = released(frame.with_columns(hide=pl.lit("occupation")), 3, hide="hide")
    assert set(everybody["occupation"]) == {"*"}
    assert everybody.drop("occupation").unique().height > 3


def test_with_rules_and_a_k_of_ones_own(tmp_path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text("magazine: {sex: 男性}\n", encoding="utf-8")
    frame = people(300, 2).with_columns(
        hide=pl.Series(["sex、 height" if n % 3 == 0 else None for n in range(300)]),
        wish=pl.Series([9 if n % 5 == 0 else None for n in range(300)]),
    )
    how = {"choice": "tfidf", "rules": str(path), "hide": "hide", "personal": "wish"}
    found = released(frame, 2, **how)
    assert set(found["sex"][::3]) == {"*"} == set(found["height"][::3])
    sizes = Counter(found.iter_rows())
    assert all(sizes[row] >= 9 for row in list(found.iter_rows())[::5])


def test_names_that_are_no_attribute() -> None:
    frame = people(20, 3).with_columns(hide=pl.Series(["sex"] * 19 + ["religion"]))
    with pytest.raises(InputError, match="'religion' is not a quasi-identifier"):
        released(frame, 2, hide="hide")


def test_the_rule_sees_what_is_shown() -> None:
    frame = pl.DataFrame({"a": ["*", "x", "x"], "hide": ["a", "b, a", None]})
    rule = claim_checks.build("hidden-cells", {"columns": ["a"], "hide": "hide"})
    (fault,) = rule.check(Table.of(frame, qi=["a"], sa=[], ids=[]))
    assert "row 2: 'a' is shown" in fault.message.show("en")
