"""Decidability, kept attributes and the level table against slow references."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.rule_reference import decided, node
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import (
    LevelRow,
    count_levels,
    decidability,
    is_covered,
    kept,
    level_table,
    prec,
)
from tokumei.tables.recommendation_rules.leaf_boxes import LeafRule

AREA = Hierarchy.of(
    "area", [["a1", "a", "*"], ["a2", "a", "*"], ["b1", "b", "*"], ["b2", "b", "*"]]
)
SEX = Hierarchy.of("sex", [["m", "*"], ["f", "*"]])
BOTH = {"area": AREA, "sex": SEX}
boxes = st.tuples(st.sets(st.integers(0, 3), min_size=1), st.sets(st.integers(0, 1), min_size=1))
rows = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1), st.integers(0, 1))


def leaf_rule(rule):
    made = [(np.isin(range(4), list(a)), np.isin(range(2), list(s))) for a, s in rule]
    return LeafRule("r", tuple(made))


@settings(max_examples=300)
@given(people=st.lists(rows, min_size=1, max_size=12), rule=st.lists(boxes, min_size=1, max_size=4))
def test_decidability_is_what_all_points_behind_a_row_agree_on(people, rule):
    frame = pl.DataFrame(
        {
            "area": [AREA.label(level, AREA.up[level][leaf]) for leaf, level, _, _ in people],
            "sex": [SEX.label(level, SEX.up[level][leaf]) for _, _, leaf, level in people],
        }
    )
    answers = [
        decided(rule, [node(AREA, level, leaf), node(SEX, up, sex)])
        for leaf, level, sex, up in people
    ]
    found = decidability(frame, BOTH, [leaf_rule(rule)])["r"]
    assert found.targeted == pytest.approx(answers.count(True) / len(people))
    assert found.excluded == pytest.approx(answers.count(False) / len(people))
    assert found.share == pytest.approx(1 - answers.count(None) / len(people))


def test_boxes_can_cover_together():
    half = [(np.array([True, False]),), (np.array([False, True]),)]
    assert is_covered((np.array([True, True]),), half)
    assert not is_covered((np.array([True, True]),), half[:1])


def test_sets_and_intervals_of_other_methods_are_read_too():
    frame = pl.DataFrame({"area": ["{a1;b1}", "{a1;a2}"], "sex": ["m", "*"]})
    only_a = LeafRule("a", [(np.array([1, 1, 0, 0], bool), np.ones(2, bool))])
    found = decidability(frame, BOTH, [only_a])["a"]
    assert (found.targeted, found.excluded) == (0.5, 0.0)


def test_a_cell_outside_the_hierarchy_is_an_error():
    frame = pl.DataFrame({"area": ["a9"], "sex": ["m"]})
    with pytest.raises(InputError, match="there is no 'a9'"):
        decidability(frame, BOTH, [])
    with pytest.raises(InputError, match="not nodes of its hierarchy"):
        level_table(frame, BOTH)


def test_kept_counts_everything_but_stars():
    frame = pl.DataFrame({"area": ["*", "a", "a1", None], "sex": ["*", "*", "*", "m"]})
    assert kept(frame, ["area", "sex"]) == {"area": 0.75, "sex": 0.25}


def test_level_table_lists_the_most_people_first():
    frame = pl.DataFrame({"area": ["a", "a1", "b", "*"], "sex": ["m", "*", "f", "*"]})
    table = level_table(frame, BOTH)
    assert table == [LevelRow((1, 0), 2), LevelRow((0, 1), 1), LevelRow((2, 1), 1)]
    cells = [1 / 2, 0, 1 / 2, 1, 0, 1, 0, 1]
    assert prec(table, [2, 1]) == pytest.approx(1 - np.mean(cells))


def test_the_papers_table_by_hand():
    """92 people (sex, *, *, 10 cm), 8 (sex, decade, *, 10 cm): Prec .382."""
    levels = np.array([[0, 3, 2, 1], [0, 2, 2, 1]])
    table = count_levels(np.repeat(levels, [92, 8], axis=0))
    assert table == [LevelRow((0, 3, 2, 1), 92), LevelRow((0, 2, 2, 1), 8)]
    assert prec(table, [1, 3, 2, 2]) == pytest.approx(0.92 * 0.375 + 0.08 * 0.4583333, abs=1e-6)
    assert round(prec(table, [1, 3, 2, 2]), 3) == 0.382
