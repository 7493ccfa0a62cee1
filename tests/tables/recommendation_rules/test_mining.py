"""Mined rules against plain loops; nothing is found where nothing is, and what is known is."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.recommendation_rules.mining_helpers import TREES
from tokumei.core.errors import UsageError
from tokumei.tables.hierarchies.files import read_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
from tokumei.tables.recommendation_rules.mining import (
    benjamini_hochberg,
    mine,
    p_values,
    purchases_as_items,
)
from tokumei.tables.recommendation_rules.rules_file import parse_yaml_rules, to_yaml


def slow_p(rows: int, inside: int, buyers: int, both: int) -> Fraction:
    """P(X ≥ both), counting all ways to deal the item."""
    ways = sum(
        comb(inside, x) * comb(rows - inside, buyers - x)
        for x in range(both, min(inside, buyers) + 1)
    )
    return Fraction(ways, comb(rows, buyers))


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_every_box_against_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(5, 40))
    codes = np.column_stack([rng.integers(0, 3, rows), rng.integers(0, 2, rows)])
    bought = rng.random((rows, 2)) < 0.4
    found = mine(codes, TREES, bought, ["i", "j"], rate=1.0, lift=0.0)
    in_a = {"1": [0], "2": [1], "low": [0, 1], "3": [2]}
    in_b = {"x": [0], "y": [1]}
    masks = {("a", n): np.isin(codes[:, 0], v) for n, v in in_a.items()}
    masks |= {("b", n): np.isin(codes[:, 1], v) for n, v in in_b.items()}
    boxes = {(key,): mask for key, mask in masks.items()}
    for one, first in masks.items():
        for other, second in masks.items():
            if one[0] < other[0]:
                boxes[one, other] = first & second
    boxes = {key: mask for key, mask in boxes.items() if mask.any()}
    assert found.tests == len(boxes) * 2 == found.passed
    for one in found.kept:
        told = one.as_json(["a", "b"])
        mask = boxes[tuple(told["box"].items())]
        has = bought[:, ["i", "j"].index(one.item)]
        both = int((mask & has).sum())
        assert (one.people, one.support) == (mask.sum(), both)
        assert one.p == pytest.approx(float(slow_p(rows, int(mask.sum()), int(has.sum()), both)))
        assert one.lift == pytest.approx((both / mask.sum()) / max(has.mean(), 1e-9))
    for item in ("i", "j"):
        taken = [
            boxes[tuple(x.as_json(["a", "b"])["box"].items())] for x in found.kept if x.item == item
        ]
        assert sum(mask.astype(int) for mask in taken).max(initial=0) <= 1 if taken else True


@given(st.lists(st.floats(0, 1), max_size=12), st.sampled_from([0.05, 0.3]))
def test_benjamini_and_hochberg_step_by_step(p: list[float], rate: float) -> None:
    found = benjamini_hochberg(p, rate)
    ranked = sorted(p)
    limit = max((v for r, v in enumerate(ranked, 1) if v <= rate * r / len(p)), default=-1)
    assert found.tolist() == [value <= limit for value in p]


def test_rules_are_written_as_they_are_read() -> None:
    rng = np.random.default_rng(1)
    codes = np.column_stack([rng.integers(0, 3, 300), rng.integers(0, 2, 300)])
    bought = (codes[:, [0]] == 2) | (rng.random((300, 1)) < 0.1)
    found = mine(codes, TREES, bought, ["item: 1"])
    text = to_yaml(found.rules)
    again = leaf_rules(parse_yaml_rules(text, where="r.yaml"), TREES)
    first = leaf_rules(found.rules, TREES)
    assert [rule.name for rule in again] == ["item: 1"]
    for one, other in zip(again[0].insides, first[0].insides, strict=True):
        assert all((x == y).all() for x, y in zip(one, other, strict=True))
    with pytest.raises(UsageError, match="not below"):
        mine(codes, TREES, bought, ["i"], levels={"b": 1})


def test_who_bought_what() -> None:
    people = pl.Series([1, 2, 3])
    bought, items = purchases_as_items(
        people, pl.Series([1, 1, 2, 9]), pl.Series(["x", "x", "y", "x"])
    )
    assert (items, bought.tolist()) == (["x", "y"], [[True, False], [False, True], [False, False]])


@pytest.mark.data
@pytest.mark.parametrize(
    ("column", "tests", "passed"), [("sex", 810, 0), ("decade", 2430, 0), ("country", 1620, 5)]
)
def test_contest_customers(real_data: Path, column: str, tests: int, passed: int) -> None:
    """The customers' sex and birth are invented, their countries are real."""
    folder = real_data / "pwscup2017"
    read = {"has_header": False, "infer_schema": False}
    people = pl.read_csv(folder / "M.csv", new_columns=["id", "sex", "birth", "country"], **read)
    people = people.with_columns(decade=pl.col("birth").str.slice(0, 3))
    sales = pl.read_csv(folder / "T.csv", new_columns=list("abcdefg"), **read)
    bought, items = purchases_as_items(people["id"], sales["a"], sales["e"], 20)
    tree = Hierarchy.of(column, [[value, "*"] for value in people[column].unique().sort()])
    found = mine(tree.leaf_codes(people[column])[:, None], {column: tree}, bought, items)
    assert (found.tests, found.passed) == (tests, passed)


def test_no_rules_where_there_is_no_relation(tmp_path: Path) -> None:
    codes = np.random.default_rng(3).integers(0, [3, 2], (2000, 2))
    bought = np.random.default_rng(4).random((2000, 20)) < 0.2
    found = mine(codes, TREES, bought, [f"i{n}" for n in range(20)])
    assert found.passed == 0


@pytest.mark.data
def test_adult_has_many_rules(real_data: Path) -> None:
    """Occupation depends on sex, education, workclass and age; shuffled it depends on nothing."""
    people = pl.read_csv(real_data / "adult" / "adult.csv", separator=";", infer_schema=False)
    names = ["sex", "education", "workclass", "age"]
    trees = {
        name: read_hierarchy(real_data / "adult" / f"adult_hierarchy_{name}.csv", name)
        for name in names
    }
    codes = np.column_stack([tree.leaf_codes(people[name]) for name, tree in trees.items()])
    items = people["occupation"].unique().sort().to_list()
    has = np.array([(people["occupation"] == item).to_numpy() for item in items]).T
    levels = {"age": 2, "education": 0, "workclass": 0}
    found = mine(codes, trees, has, items, levels=levels, people=100)
    assert found.passed > 0.2 * found.tests
    order = np.random.default_rng(1).permutation(len(has))
    shuffled = mine(codes, trees, has[order], items, levels=levels, people=100)
    assert shuffled.passed <= 2


@pytest.mark.data
def test_adult_by_the_normal_approximation_on_two_sides(real_data: Path) -> None:
    """Two of sex, education, workclass and age decade, boxes of 100 people: 1,449 of 2,296."""
    people = pl.read_csv(real_data / "adult" / "adult.csv", separator=";", infer_schema=False)
    columns = {
        "sex": people["sex"],
        "education": people["education"],
        "workclass": people["workclass"],
        "age": people["age"].str.slice(0, 1),
    }
    trees = {
        name: Hierarchy.of(name, [[leaf, "*"] for leaf in values.unique().sort()])
        for name, values in columns.items()
    }
    codes = np.column_stack([trees[name].leaf_codes(one) for name, one in columns.items()])
    items = people["occupation"].unique().sort().to_list()
    has = np.array([(people["occupation"] == item).to_numpy() for item in items]).T
    how = {"people": 100, "fewest": 2, "sides": 2}
    found = mine(codes, trees, has, items, test="normal", **how)
    assert (found.passed, found.tests) == (1449, 2296)
    assert mine(codes, trees, has, items, **how).passed == 1430
    assert all(one.lift > 1 for one in found.kept)


@given(st.integers(0, 10**6))
def test_both_tests_on_either_side(seed: int) -> None:
    """The exact test by adding up; the normal one near it where counts are large."""
    draw = np.random.default_rng(seed)
    everybody, buyers, size = 60, int(draw.integers(1, 59)), int(draw.integers(1, 59))
    x = int(draw.hypergeometric(buyers, everybody - buyers, size))
    chances = {
        n: comb(buyers, n) * comb(everybody - buyers, size - n) / comb(everybody, size)
        for n in range(max(0, size + buyers - everybody), min(size, buyers) + 1)
    }
    above = sum(chance for n, chance in chances.items() if n >= x)
    below = sum(chance for n, chance in chances.items() if n <= x)
    given_ = np.array([[x]]), everybody, np.array([[buyers]]), np.array([[size]])
    assert p_values(*given_)[0, 0] == pytest.approx(above)
    both = min(1.0, 2 * min(above, below))
    assert p_values(*given_, "exact", 2)[0, 0] == pytest.approx(both)
    large = np.array([[520]]), 10_000, np.array([[5000]]), np.array([[1000]])
    assert p_values(*large, "normal", 1) == pytest.approx(p_values(*large), rel=0.1)
