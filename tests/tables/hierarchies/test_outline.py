import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from support.hierarchy_trees import trees
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.outline import count_leaf_rows, outline


def test_a_small_tree_is_shown_whole():
    work = Hierarchy.of("w", [["a", "A", "*"], ["b", "B", "*"], ["c", "A", "*"]])
    counts = count_leaf_rows(work, pl.Series(["a", "c", "c"]))
    lines = outline(work, counts=counts)
    assert [(line.depth, line.label, line.leaves, line.rows, line.span) for line in lines] == [
        (0, "*", 3, 3, 3),
        (1, "A", 2, 3, 2),
        (2, "a", 1, 1, 1),
        (2, "c", 1, 2, 1),
        (1, "B", 1, 0, 1),
        (2, "b", 1, 0, 1),
    ]
    assert outline(work)[0].rows is None


@given(trees(), st.integers(1, 12))
def test_nothing_is_lost_whatever_is_hidden(rows, most):
    made = Hierarchy.of("x", rows)
    counts = np.arange(len(rows)) + 1
    lines = outline(made, counts=counts, most=most)
    assert lines[0].label == "*"
    for depth in range(made.height + 1):
        here = [line for line in lines if line.depth == depth]
        hidden = [line for line in lines if line.depth < depth and line.more]
        assert sum(line.leaves for line in here + hidden) == len(rows)
        assert sum(line.rows for line in here + hidden) == counts.sum()
        nodes = sum(line.more or 1 for line in here)
        if not hidden:
            assert nodes == len(made.names[made.height - depth])
    ends = sum(line.depth == made.height or line.more > 0 for line in lines)
    assert lines[0].span == ends
    if len(rows) <= most:
        assert not any(line.more for line in lines)


def test_a_large_tree_is_cut_from_its_leaves():
    lines = outline(builtin_hierarchy("birth-date"), most=100)
    assert lines[0].span <= 100
    assert [line.label for line in lines if line.depth == 1] == [f"{y}0s" for y in range(190, 203)]
    assert any(line.more == 364 for line in lines)
