import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.hierarchy_trees import trees
from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import canonicalize_value
from tokumei.tables.hierarchies.hierarchy import Hierarchy

WORK = [
    ["Private", "Other", "*"],
    ["Federal", "Government", "*"],
    ["Local", "Government", "*"],
]


def test_what_a_hierarchy_holds():
    work = Hierarchy.of("work", WORK)
    assert work.height == 2
    assert [names.to_list() for names in work.names] == [
        ["Private", "Federal", "Local"],
        ["Other", "Government"],
        ["*"],
    ]
    assert work.up.dtype == np.int32
    assert work.up.tolist() == [[0, 1, 2], [0, 1, 1], [0, 0, 0]]
    assert work.widths().tolist() == [[1, 1, 1], [1, 2, 2], [3, 3, 3]]
    assert work.ncp().tolist() == [[0, 0, 0], [0, 0.5, 0.5], [1, 1, 1]]
    assert work.label(1, 1) == "Government"
    assert work.labels(1).to_list() == ["Other", "Government", "Government"]
    assert work.parents(0).tolist() == [0, 1, 1]
    assert work.leaf_codes(pl.Series(["Local", "Private"])).tolist() == [2, 0]


def test_one_leaf_loses_nothing():
    assert Hierarchy.of("x", [["a", "*"]]).ncp().tolist() == [[0], [0]]


@given(trees())
def test_arrays_equal_counting_by_hand(rows):
    made = Hierarchy.of("x", rows)
    assert made.frame().rows() == [tuple(row) for row in rows]
    assert made.up[0].tolist() == list(range(len(rows)))
    widths, ncp = made.widths(), made.ncp()
    for level in range(len(rows[0])):
        assert len(set(made.names[level])) == len(made.names[level])
        for leaf, row in enumerate(rows):
            same = sum(other[level] == row[level] for other in rows)
            assert made.label(level, made.up[level, leaf]) == row[level]
            assert widths[level, leaf] == same
            assert ncp[level, leaf] == (same - 1) / (len(rows) - 1 if len(rows) > 1 else 1)
            if level < made.height:
                assert made.parents(level)[made.up[level, leaf]] == made.up[level + 1, leaf]


@given(trees(), st.data())
def test_leaf_codes_equal_looking_up(rows, data):
    made = Hierarchy.of("x", rows)
    leaves = [row[0] for row in rows]
    asked = data.draw(st.lists(st.sampled_from([*leaves, "absent", "absent too"])))
    places = {canonicalize_value(leaf): place for place, leaf in enumerate(leaves)}
    missing = sorted({value for value in asked if canonicalize_value(value) not in places})
    values = pl.Series("x", asked, dtype=pl.String)
    if not missing:
        assert made.leaf_codes(values).tolist() == [places[canonicalize_value(v)] for v in asked]
        return
    with pytest.raises(InputError) as caught:
        made.leaf_codes(values)
    assert caught.value.total == len(missing)
    said = " ".join(fault.message.show("en") for fault in caught.value.faults)
    for value in missing:
        rows = asked.count(value)
        assert f"'{value}' ({rows} {'row' if rows == 1 else 'rows'})" in said


@pytest.mark.parametrize("name", ["", "NULL"])
def test_missing_cells_have_the_leaf_named_for_them(name):
    made = Hierarchy.of("x", [["a", "*"], [name, "*"]])
    assert made.leaf_codes(pl.Series(["a", None, name])).tolist() == [0, 1, 1]


def test_missing_cells_prefer_the_leaf_without_name():
    made = Hierarchy.of("x", [["NULL", "*"], ["", "*"]])
    assert made.leaf_codes(pl.Series([None, "NULL"])).tolist() == [1, 0]


def test_missing_cells_without_a_leaf_are_an_error_that_says_so():
    made = Hierarchy.of("x", [["a", "*"]])
    with pytest.raises(InputError) as caught:
        made.leaf_codes(pl.Series("x", ["a", None, None]))
    assert "empty cells (2 rows)" in caught.value.faults[0].message.show("en")
    assert "NULL" in caught.value.faults[0].message.show("ja")


def test_many_missing_values_are_counted_and_the_most_frequent_shown():
    made = Hierarchy.of("x", [["a", "*"]])
    with pytest.raises(InputError) as caught:
        made.leaf_codes(pl.Series([f"v{i}" for i in range(50)] + ["often"] * 3))
    assert caught.value.total == 51
    assert caught.value.faults[0].message.show("en").startswith("'often' (3 rows)")


def test_a_value_that_differs_by_spaces_is_pointed_out():
    made = Hierarchy.of("x", [["Male", "*"]])
    with pytest.raises(InputError) as caught:
        made.leaf_codes(pl.Series([" male"]))
    assert "the hierarchy has 'Male'" in caught.value.faults[0].message.show("en")


def test_no_rows_no_codes():
    made = Hierarchy.of("x", WORK)
    assert made.leaf_codes(pl.Series([], dtype=pl.String)).tolist() == []


def test_arrays_must_fit_names():
    with pytest.raises(ValueError, match="per level"):
        Hierarchy("x", (pl.Series(["a"]), pl.Series(["*"])), np.zeros((1, 1), dtype=np.int32))
