"""The verifier itself: each claim once kept and once broken, on cells written by hand."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from independent.cells import Cells, read_cells, same_cell
from independent.claims import broken
from independent.histories import mispaired, misplaced, published, unlike
from independent.originals import changed, few_persons, link_faults, lost
from independent.verifier import verify

ROOT = Path(__file__).parents[2]


def table(*rows):
    return Cells(["q", "s"], [list(row) for row in rows])


def claim(rule, **params):
    return {"rule": rule, "params": {"columns": ["q"], "sensitive": ["s"], **params}}


HALVES = table(*[("a", "x"), ("a", "y")] * 2, *[("b", "x"), ("b", "y")] * 2)
APART = table(*[("a", "x")] * 3, ("a", "y"), *[("b", "y")] * 3, ("b", "x"))

KEPT_OR_NOT = [
    ({"rule": "k-anonymity", "params": {"k": 4, "columns": ["q"]}}, HALVES, True),
    ({"rule": "k-anonymity", "params": {"k": 5, "columns": ["q"]}}, HALVES, False),
    ({"rule": "k-per-person", "params": {"k": 4, "columns": ["q"], "rows": 8}}, HALVES, True),
    ({"rule": "k-per-person", "params": {"k": 4, "columns": ["q"], "rows": 9}}, HALVES, False),
    ({"rule": "constant", "params": {"columns": ["q"]}}, HALVES, False),
    ({"rule": "constant", "params": {"columns": ["q"]}}, table(("a", "x"), ("a", "y")), True),
    ({"rule": "no-identifiers", "params": {"columns": ["id"]}}, HALVES, True),
    ({"rule": "no-identifiers", "params": {"columns": ["q"]}}, HALVES, False),
    (claim("l-diversity", l=2), HALVES, True),
    (claim("l-diversity", l=3), HALVES, False),
    (claim("entropy-l-diversity", l=2), HALVES, True),
    (claim("entropy-l-diversity", l=2), APART, False),
    (claim("recursive-l-diversity", c=2, l=2), HALVES, True),
    (claim("recursive-l-diversity", c=3, l=2), APART, False),
    (claim("alpha-k", alpha=0.5, k=4), HALVES, True),
    (claim("alpha-k", alpha=0.5, k=5), HALVES, False),
    (claim("alpha-k", alpha=0.7, k=2), APART, False),
    (claim("t-closeness", t=0.0), HALVES, True),
    (claim("t-closeness", t=0.25), APART, True),
    (claim("t-closeness", t=0.24), APART, False),
    (claim("beta-likeness", beta=0.5), APART, True),
    (claim("beta-likeness", beta=0.49), APART, False),
    (claim("beta-likeness", beta=2, enhanced=True), APART, True),
    (claim("beta-likeness", beta=2, enhanced=True), table(("a", "x"), ("b", "y")), False),
    (claim("delta-disclosure", delta=0.7), APART, True),
    (claim("delta-disclosure", delta=0.69), APART, False),
    (claim("t-closeness", t=0.25, distance="ordered", order=["x", "y"]), APART, True),
    (claim("t-closeness", t=0.24, distance="ordered", order=["x", "y"]), APART, False),
]


@pytest.mark.parametrize(("said", "cells", "holds"), KEPT_OR_NOT)
def test_a_claim_is_kept_or_broken(said, cells, holds):
    assert (broken(cells, said) == []) is holds


def test_ordered_and_hierarchical_distances_are_those_of_the_papers():
    """Numbers 1, 2, 4 in order: moving a half by one of two steps costs a quarter."""
    cells = table(("a", "1"), ("a", "1"), ("b", "2"), ("b", "4"))
    ordered = claim("t-closeness", distance="ordered", t=0.375)
    assert broken(cells, ordered) == []
    assert broken(cells, claim("t-closeness", distance="ordered", t=0.37))
    paths = {"1": ["low", "*"], "2": ["low", "*"], "4": ["high", "*"]}
    near = claim("t-closeness", distance="hierarchical", hierarchy=paths, t=0.375)
    assert broken(cells, near) == []
    assert broken(cells, {**near, "params": {**near["params"], "t": 0.37}})


def test_missing_and_empty_text_are_read_both_ways():
    kept = {"rule": "k-anonymity", "params": {"k": 3, "columns": ["q"]}}
    assert broken(table(*[("", "x")] * 3), kept) == []
    assert broken(table(("", "x"), (None, "x"), (None, "x")), kept)
    mixed = table(("a", ""), ("a", None), ("a", ""))
    assert broken(mixed, claim("l-diversity", l=2))


def test_numbers_that_are_equal_are_one_value_too():
    assert broken(table(("a", "0.0"), ("a", "-0.0")), claim("l-diversity", l=2))
    assert broken(table(("a", "1"), ("a", "1.0")), claim("l-diversity", l=2))
    assert broken(table(("1", "x"), ("1.0", "y")), claim("l-diversity", l=2))
    assert broken(table(("a", "1"), ("a", "1.0"), ("a", "x")), claim("l-diversity", l=3))
    assert broken(table(("a", "1"), ("a", "2"), ("a", "x")), claim("l-diversity", l=3)) == []


def test_cells_leave_as_they_came_or_not():
    assert same_cell("1.50", "1.50")
    assert not same_cell("1.50", "1.5")
    assert not same_cell("1.50", 1.5)
    assert same_cell(1.5, "1.50")
    assert not same_cell(0.0, "-0.0")
    assert not same_cell(2**63 - 1, str(2**63))
    assert same_cell(None, "")
    assert not same_cell(None, "0")
    assert same_cell(True, "true")
    assert same_cell(date(2020, 1, 2), "2020-01-02")


def test_links_and_persons():
    original = Cells(["q", "who"], [["a", "1"], ["a", "1"], ["b", "2"], ["b", "3"]])
    released = Cells(["q"], [["*"], ["*"], ["b"], ["b"]])
    link = [1, 0, 2, 3]
    assert link_faults(link, released, original) == []
    assert link_faults([0, 0, 2, 9], released, original)
    params = {"columns": ["q"], "person": "who", "k": 2}
    assert few_persons(original, released, link, params) == [
        "('*',) has rows of 1 person(s), k = 2"
    ]
    assert changed(original, released, ["q"], link)
    assert lost(original, released, ["q"])
    assert lost(original, original, ["q"]) == []


def test_containers_give_the_same_cells(tmp_path):
    import pyarrow
    import xlsxwriter
    from pyarrow import parquet

    (tmp_path / "t.csv").write_text('a,"b,c"\n1,"x ""y"""\n,"two\nlines"\n', encoding="utf-8")
    parquet.write_table(
        pyarrow.table({"a": [1, None], "b,c": ['x "y"', "two\nlines"]}), tmp_path / "t.parquet"
    )
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        sheet = book.add_worksheet()
        for row, line in enumerate([["a", "b,c"], [1, 'x "y"'], [None, "two\nlines"]]):
            sheet.write_row(row, 0, line)
    read = [read_cells(tmp_path / f"t.{end}") for end in ("csv", "parquet", "xlsx")]
    assert [one.names for one in read] == [["a", "b,c"]] * 3
    expected = [("1", 'x "y"'), ("", "two\nlines")]
    assert [one.texts(["a", "b,c"]) for one in read] == [expected] * 3


def test_histories():
    public = [("p", "2011/1/1", "x", "1", "1"), ("q", "2011/1/1", "x", "1", "1")]
    assert unlike(public, 2) == []
    assert unlike(public, 3)
    assert unlike([*public, ("q", "2011/1/1", "x", "1", "1")], 2)
    original = [("1", "2011/1/1", "x", "1.5", "3"), ("2", "2011/1/2", "y", "2", "3")]
    aligned = [("p", "[2011/1/1;2011/1/2]", "{x;y}", "[1.5;2]", "3"), ("*",) * 5]
    assert misplaced(original, aligned) == []
    assert misplaced(original, [("p", "2011/1/2", "y", "*", "3"), ("*",) * 5])
    assert mispaired(original, [aligned[0], aligned[0]])
    assert published(aligned, [aligned[0]]) == []
    assert published(aligned, [aligned[0], aligned[0]])


def test_histories_of_any_columns():
    names = ("who", "day", "fee", "room")
    original = [("1", "2024-05-01", "1.5", "007"), ("2", "2024-05-02", "-2", "12")]
    aligned = [("p", "[2024/5/1;2024/5/2]", "[-2;1.5]", "{007;12}"), ("*",) * 4]
    assert misplaced(original, aligned, names) == []
    for place, cell in ((1, "2024/5/2"), (2, "[-2;1]"), (3, "7")):
        wrong = [*aligned[0]]
        wrong[place] = cell
        assert misplaced(original, [tuple(wrong), aligned[1]], names), names[place]


def test_it_is_a_program_of_its_own_that_loads_nothing_of_tokumei(tmp_path):
    public = tmp_path / "public.csv"
    public.write_text("q\na\na\n", encoding="utf-8")
    said = {
        "rows": 2,
        "columns": {"q": "quasi-identifier"},
        "claims": [{"rule": "k-anonymity", "params": {"k": 3, "columns": ["q"]}}],
        "provenance": {"steps": [{"method": "mondrian"}]},
    }
    Path(f"{public}.manifest.json").write_text(json.dumps(said), encoding="utf-8")
    program = (
        "import sys; from independent.__main__ import main; code = main(sys.argv[1:]);"
        "sys.exit(code if not [m for m in sys.modules if m.startswith('tokumei')] else 3)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(public)],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    assert json.loads(ran.stdout)["broken"]
    assert verify(public).broken


def test_a_text_that_is_called_nan_is_the_same_text_on_both_sides():
    cells = table(("NaN", 1), ("b", None), ("NaN", 2))
    assert lost(cells, cells, ["q", "s"]) == []
    mixed = table(("NaN", 1), (None, 2))
    assert lost(mixed, mixed, ["q"]) == []
    assert lost(mixed, table(("NaN", 1), ("NaN", 2)), ["q"]) != []


def test_booleans_and_gaps_have_their_places_in_a_hierarchy():
    cells = table(("a", True), ("a", False), ("b", True), ("b", False))
    paths = {"true": ["yes", "*"], "false": ["no", "*"]}
    near = claim("t-closeness", t=0.1, distance="hierarchical", hierarchy=paths)
    assert broken(cells, near) == []
    apart = table(("a", True), ("a", True), ("b", False), ("b", False))
    assert broken(apart, near) != []
