import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.level_checks import examine_levels
from tokumei.tables.hierarchies.level_rows import LevelRows

CELLS = st.sampled_from(["a", "b", "c", "1", "1.0", "*", ""])
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5)


def is_valid(rows):
    """The slow, obvious reading of the rules."""
    width = max(map(len, rows))
    for row in rows:
        if len(row) != width or row[-1] != "*" or "*" in row[:-1] or width < 2:
            return False
        if "" in row[1:] and row[0] != "":
            return False
    for row in rows:
        for other in rows:
            if same_value(row[0], other[0]) and row != other:
                return False
            for level in range(1, width - 1):
                if row[level] == other[level] and row[level + 1] != other[level + 1]:
                    return False
    return True


def topped(rows):
    """Rows of one length without any `*` get one on top."""
    whole = len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
    starless = not any(label == "*" for row in rows for label in row)
    return [[*row, "*"] for row in rows] if whole and starless else rows


def same_value(one, other):
    return one == other or {one, other} == {"1", "1.0"}


def completed(rows):
    """Strip what ends a row, repeat its last label, add `*`."""
    stripped = []
    for row in rows:
        kept = list(row)
        while len(kept) > 1 and kept[-1] in ("*", ""):
            kept.pop()
        stripped.append(kept)
    width = max(map(len, stripped))
    return [[*row, *[row[-1]] * (width - len(row)), "*"] for row in stripped]


@given(ROWS)
def test_faults_are_found_exactly_where_a_rule_is_broken(rows):
    found = examine_levels(LevelRows.of(rows), column="x")
    rows = topped(rows)
    assert (not found.faults) == is_valid(rows)
    assert found.total == len(found.faults)
    if not found.faults:
        assert found.rows.frame.rows() == list(dict.fromkeys(map(tuple, rows)))


@given(ROWS)
def test_completing_repeats_the_last_label_and_adds_the_star(rows):
    whole = completed(rows)
    found = examine_levels(LevelRows.of(rows), column="x", complete=True)
    assert (not found.faults) == is_valid(whole)
    if not found.faults:
        assert found.rows.frame.rows() == list(dict.fromkeys(map(tuple, whole)))


def faults(rows, **options):
    with pytest.raises(InputError) as caught:
        Hierarchy.of("x", rows, **options)
    return [(fault.line, fault.rule, fault.message.show("en")) for fault in caught.value.faults]


def test_all_faults_are_listed_with_line_value_and_level():
    rows = [
        ["a", "A", "T", "*"],
        ["b", "A", "U", "*"],
        ["a", "B", "T", "*"],
        ["c", "C", "T", "U"],
        ["d", "*", "T", "*"],
        ["*", "C", "T", "*"],
        ["e", "", "T", "*"],
        ["f", "*"],
    ]
    found = faults(rows)
    assert [(line, rule) for line, rule, _ in found] == [
        (2, "hierarchy-nested"),
        (3, "hierarchy-leaf"),
        (4, "hierarchy-star"),
        (5, "hierarchy-star"),
        (6, "hierarchy-star"),
        (7, "hierarchy-empty"),
        (8, "hierarchy-levels"),
    ]
    said = [message for *_, message in found]
    assert said[0] == (
        "line 2: 'A' (level 1) lies in 'U' here and in 'T' on line 1: "
        "a node has one parent on level 2"
    )
    assert "a → A → T → *" in said[1]
    assert "'c' ends in 'U', not in '*'" in said[2]
    assert "'d' is already '*' on level 1" in said[3]
    assert "a leaf cannot be named '*'" in said[4]
    assert "'e' has an empty label on level 1" in said[5]
    assert "'f' has 2 levels, other rows have 4" in said[6]


def test_the_error_says_when_completing_would_do():
    with pytest.raises(InputError, match="complete=True"):
        Hierarchy.of("x", [["a", "A", "*"], ["b", "B", "T"]])
    with pytest.raises(InputError) as caught:
        Hierarchy.of("x", [["a", "A"], ["a", "B"]])
    assert "complete=True" not in str(caught.value)


def test_a_file_whose_top_is_not_a_star_is_accepted():
    made = Hierarchy.of("x", [["a", "A", "Any"], ["b", "B", "Any"]])
    assert made.frame().rows() == [("a", "A", "Any", "*"), ("b", "B", "Any", "*")]
    (note,) = examine_levels(LevelRows.of([["a", "A"], ["b", "B"]]), column="x").notes[:1]
    assert "put on top" in note.show("en")


def test_completed_levels():
    made = Hierarchy.of("x", [["a", "A", "T"], ["b", "*", ""], ["c"]], complete=True)
    assert made.frame().rows() == [("a", "A", "T", "*"), ("b",) * 3 + ("*",), ("c",) * 3 + ("*",)]


def test_nothing_is_no_hierarchy():
    assert faults([]) == [(None, "hierarchy-empty", "there are no rows")]


def test_many_faults_are_counted():
    rows = [["a", "A", "*"], *[[f"l{i}", "A", "x"] for i in range(3000)]]
    found = examine_levels(LevelRows.of(rows), column="x")
    assert found.total == 3000
    assert len(found.faults) == 1000


def notes(rows):
    return [note.show("en") for note in examine_levels(LevelRows.of(rows), column="x").notes]


def test_repeated_rows_are_dropped_with_a_note():
    rows = [["a", "*"], ["a", "*"], ["b", "*"], ["a", "*"]]
    assert Hierarchy.of("x", rows).leaves.to_list() == ["a", "b"]
    assert notes(rows)[0].startswith("2 rows repeat")


def test_spaces_are_kept_with_a_note():
    assert "' a'" in notes([[" a", "*"], ["b", "*"]])[0]


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=6, unique_by=min))
def test_ambiguous_labels_are_those_with_two_sets_of_leaves(paths):
    rows = [[*path, "*"] for path in paths]
    if not is_valid(rows):
        return
    sets = {}
    for level in range(3):
        for name in {row[level] for row in rows}:
            members = frozenset(row[0] for row in rows if row[level] == name)
            sets.setdefault(name, set()).add(members)
    wrong = sorted(name for name, members in sets.items() if len(members) > 1)
    said = [note for note in notes(rows) if "two levels" in note]
    assert bool(said) == bool(wrong)
    assert all(f"'{name}'" in said[0] for name in wrong)
