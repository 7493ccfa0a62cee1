"""The contest's rules: each broken alone, many at once, and against a cell-by-cell reference."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.histories import contest_history, history
from support.histories import rows as purchases
from tokumei.core.randomness import Randomness
from tokumei.files.contest_files import ContestRows, read_contest_file
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.pws2018 import parse_contest_history as parsed
from tokumei.histories.verification.pws2018 import check_release

T = """\
c1,2011/1/5,a,1.5,2
c1,2011/1/1,b,2,1
c2,2011/1/9,c,1.125,12
c2,2011/1/9,c,1.125,12
c3,2011/2/28,d,300,-4
"""
A = """\
101,[2011/1/1;2011/1/9],{a;b;c},[1.125;2],[1;12]
101,2011/1/1,b,2,1
202,[2011/1/1;2011/1/9],{a;b;c},1.125,*
*,*,*,*,*
303,*,d,300.00,[-4;-4]
"""


def text(content: str) -> ContestRows:
    lines = [line.split(",") for line in content.splitlines()]
    cells = [[*line, *[None] * 5][:5] for line in lines]
    frame = pl.DataFrame(cells, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")
    return ContestRows(frame, np.array([len(line) for line in lines], dtype=np.int64))


def found(original: str, release: str) -> list[tuple[int | None, str | None, str]]:
    faults = check_release(parsed(text(original)), text(release))
    for fault in faults:
        if fault.line:
            assert fault.message.show("en").startswith(f"line {fault.line}"), fault
            assert fault.message.show("ja").startswith(f"{fault.line} 行目"), fault
    return [(fault.line, fault.column, fault.rule) for fault in faults]


def changed(line: int, column: int, cell: str) -> str:
    lines = [row.split(",") for row in A.splitlines()]
    lines[line - 1][column] = cell
    return "\n".join(",".join(row) for row in lines)


def test_a_good_file_has_no_fault():
    assert found(T, A) == []


MANY = ";".join(f"x{n}" for n in range(101))

CASES = [
    ("a row is missing", A.replace("*,*,*,*,*\n", ""), None, None, "rows"),
    ("a row too many", A + "404,*,d,1,1\n", None, None, "rows"),
    ("four fields", A.replace("101,2011/1/1,b,2,1", "101,2011/1/1,b,2"), 2, None, "fields"),
    ("six fields", A.replace("b,2,1\n", "b,2,1,\n"), 2, None, "fields"),
    ("an empty line", A.replace("*,*,*,*,*\n", "\n"), 4, None, "fields"),
    ("star pseudonym", changed(2, 0, "*"), 2, "customer", "deleted-row"),
    ("half deleted", changed(4, 1, "2011/1/9"), 4, "customer", "deleted-row"),
    ("pseudonym only", changed(4, 0, "202"), 4, "customer", "deleted-row"),
    ("letters", changed(5, 0, "c3"), 5, "customer", "pseudonym-form"),
    ("wide digits", changed(5, 0, "３０３"), 5, "customer", "pseudonym-form"),
    ("no pseudonym", changed(5, 0, ""), 5, "customer", "pseudonym-form"),
    ("two pseudonyms", changed(2, 0, "404"), 2, "customer", "one-pseudonym"),
    ("two customers", changed(5, 0, "101"), 5, "customer", "one-customer"),
    ("no day", changed(2, 1, "2011/2/30"), 2, "day", "day-form"),
    ("dashes", changed(2, 1, "2011-01-01"), 2, "day", "day-form"),
    ("short year", changed(2, 1, "11/1/1"), 2, "day", "day-form"),
    ("open interval", changed(2, 1, "[2011/1/1;2011/1/9"), 2, "day", "day-form"),
    ("one end", changed(2, 1, "[2011/1/1]"), 2, "day", "day-form"),
    ("bad end", changed(2, 1, "[2011/1/1;2011/1/32]"), 2, "day", "day-form"),
    ("star end", changed(2, 1, "[2011/1/1;*]"), 2, "day", "day-form"),
    ("three ends", changed(2, 1, "[2011/1/1;2011/1/2;2011/1/3]"), 2, "day", "day-form"),
    ("exponent", changed(2, 3, "2e0"), 2, "price", "price-form"),
    ("plus", changed(2, 3, "+2"), 2, "price", "price-form"),
    ("too many decimals", changed(2, 3, "[1.1234567;3]"), 2, "price", "price-form"),
    ("blank", changed(2, 3, " 2"), 2, "price", "price-form"),
    ("set of prices", changed(2, 3, "{1;2}"), 2, "price", "price-form"),
    ("fraction", changed(2, 4, "1.0"), 2, "quantity", "quantity-form"),
    ("empty", changed(2, 4, ""), 2, "quantity", "quantity-form"),
    ("empty ends", changed(2, 4, "[;]"), 2, "quantity", "quantity-form"),
    ("days reversed", changed(2, 1, "[2011/1/9;2011/1/1]"), 2, "day", "interval-order"),
    ("prices reversed", changed(2, 3, "[10;9]"), 2, "price", "interval-order"),
    ("quantities reversed", changed(5, 4, "[-3;-4]"), 5, "quantity", "interval-order"),
    ("another day", changed(2, 1, "2011/1/2"), 2, "day", "true-value"),
    ("days after", changed(2, 1, "[2011/1/2;2011/12/31]"), 2, "day", "true-value"),
    ("another price", changed(3, 3, "1.12"), 3, "price", "true-value"),
    ("prices before", changed(3, 3, "[0;1.124999]"), 3, "price", "true-value"),
    ("another quantity", changed(5, 4, "4"), 5, "quantity", "true-value"),
    ("another item", changed(2, 2, "a"), 2, "item", "true-value"),
    ("set without it", changed(2, 2, "{a;c;d}"), 2, "item", "true-value"),
    ("open set", changed(2, 2, "{a;b"), 2, "item", "item-form"),
    ("no braces", changed(2, 2, "a;b"), 2, "item", "item-form"),
    ("no item", changed(2, 2, ""), 2, "item", "item-form"),
    ("empty member", changed(2, 2, "{a;;b}"), 2, "item", "set-empty"),
    ("repeated member", changed(2, 2, "{a;b;a}"), 2, "item", "set-repeated"),
    ("unknown item", changed(2, 2, "z"), 2, "item", "unknown-item"),
    ("unknown member", changed(2, 2, "{b;z;y}"), 2, "item", "unknown-item"),
    ("star member", changed(2, 2, "{b;*}"), 2, "item", "unknown-item"),
]


@pytest.mark.parametrize(
    ("release", "line", "column", "rule"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_each_rule_alone(release, line, column, rule):
    assert found(T, release) == [(line, column, rule)]


def test_a_set_of_101_items():
    names = [f"x{n:03}" for n in range(101)]
    original = "".join(f"c1,2011/1/1,{name},1,1\n" for name in names)
    fits = f"7,*,{{{';'.join(names[:100])}}},*,*\n"
    release = fits * 100 + "7,*,x100,*,*\n"
    assert found(original, release) == []
    wide = f"7,*,{{{';'.join(names)}}},*,*\n"
    assert found(original, wide + release[len(fits) :]) == [(1, "item", "set-size")]


def test_an_empty_set_has_no_member_and_not_the_true_one():
    assert found(T, changed(2, 2, "{}")) == [(2, "item", "set-empty"), (2, "item", "true-value")]


@pytest.mark.parametrize(
    ("line", "column", "cell"),
    [
        (2, 1, "2011/01/01"),
        (2, 1, "[2011/1/1;2011/1/1]"),
        (2, 3, "2.000000"),
        (2, 3, "[-1;999999999999.999999]"),
        (2, 2, "{b}"),
        (2, 2, "*"),
        (2, 1, "*"),
        (5, 4, "[-10;0]"),
        (5, 0, "0"),
    ],
)
def test_other_spellings_are_legal(line, column, cell):
    assert found(T, changed(line, column, cell)) == []


def test_messages_name_both_lines_and_the_cell():
    faults = check_release(parsed(text(T)), text(changed(2, 0, "202")))
    assert [fault.rule for fault in faults] == ["one-pseudonym", "one-customer"]
    first, second = (fault.message for fault in faults)
    assert first.show("en") == (
        "line 2, column 'customer': '202' is a second pseudonym of customer 'c1', "
        "who is '101' on line 1"
    )
    assert second.show("en").startswith("line 3, column 'customer': '202' is customer 'c2' here")
    assert "'c1' on line 2" in second.show("en")
    assert "1 行目" in first.show("ja")
    long = check_release(parsed(text(T)), text(changed(2, 2, f"{{b;{MANY}}}")))
    assert {fault.rule for fault in long} == {"set-size", "unknown-item"}
    assert all(len(fault.message.show("en")) < 250 for fault in long)


def test_a_thousand_faults_are_a_thousand():
    original = "".join(f"c{n},2011/1/1,a,1,1\n" for n in range(1200))
    bad = "".join(f"{n},2011/1/1,a,{1 if n < 200 else 'x'},1\n" for n in range(1200))
    expected = [(n + 1, "price", "price-form") for n in range(200, 1200)]
    assert found(original, bad) == expected


def test_a_file_with_every_fault_lists_them_by_line():
    bad = "x,?,{;a;a;z,?,?\n" + A.split("\n", 1)[1].replace("202,", "101,")
    lines = [line for line, *_ in found(T, bad)]
    assert lines == sorted(lines)
    assert found(T, bad)[0] == (1, "customer", "pseudonym-form")


class TestEdges:
    def test_no_rows(self):
        assert found(T, "") == [(None, None, "rows")]

    def test_everything_deleted(self):
        assert found(T, "*,*,*,*,*\n" * 5) == []

    def test_one_customer_with_one_row(self):
        assert found("c,2011/1/1,a,1,1", "1,2011/1/1,a,1.0,1") == []
        assert found("c,2011/1/1,a,1,1", "1,2011/1/1,a,1.1,1") == [(1, "price", "true-value")]

    def test_all_rows_alike(self):
        assert found("c,2011/1/1,a,1,1\n" * 9, "1,2011/1/1,{a},*,[1;1]\n" * 9) == []

    def test_items_with_signs_in_their_names_can_only_be_plain(self):
        original = "c,2011/1/1,a;b,1,1\nc,2011/1/1,{x},1,1\nc,2011/1/1,x,1,1\n"
        plain = "1,*,a;b,1,1\n1,*,{x},1,1\n1,*,x,1,1\n"
        assert found(original, plain) == []
        in_set = plain.replace("a;b", "{a;b;x}")
        assert found(original, in_set) == [(1, "item", "unknown-item"), (1, "item", "true-value")]

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "cp932"])
    def test_files_in_any_encoding(self, tmp_path, encoding):
        original = parsed(text("c,2011/1/1,紅茶,1,1\nc,2011/1/1,緑茶,1,1"))
        path = tmp_path / "A.csv"
        path.write_bytes("1,*,{紅茶;緑茶},1,1\r\n1,*,{紅茶;緑茶},1,1\r\n".encode(encoding))
        assert check_release(original, read_contest_file(path, COLUMNS)) == []


def number(cell: str, column: str) -> Decimal | date | None:
    """A plain cell's value, the obvious way."""
    if column == "day":
        parts = re.fullmatch(r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})", cell)
        try:
            return date(*map(int, parts.groups())) if parts else None
        except ValueError:
            return None
    pattern = r"-?[0-9]{1,12}(\.[0-9]{1,6})?" if column == "price" else r"-?[0-9]{1,15}"
    return Decimal(cell) if re.fullmatch(pattern, cell) else None


def number_rules(cell: str, column: str, true: str) -> set[str]:
    interval = re.fullmatch(r"\[([^;]*);([^;]*)\]", cell)
    ends = [number(end, column) for end in (interval.groups() if interval else (cell, cell))]
    if cell == "*":
        return set()
    if None in ends:
        return {f"{column}-form"}
    if ends[0] > ends[1]:
        return {"interval-order"}
    return set() if ends[0] <= number(true, column) <= ends[1] else {"true-value"}


def item_rules(cell: str, true: str, items: set[str]) -> set[str]:
    if cell == "*":
        return set()
    if cell in items:
        return set() if cell == true else {"true-value"}
    if not (len(cell) > 1 and cell[0] == "{" and cell[-1] == "}"):
        return {"item-form"} if not cell or set(cell) & set(";{}") else {"unknown-item"}
    members = cell[1:-1].split(";")
    filled = [member for member in members if member]
    broken = {
        "set-empty": "" in members,
        "set-repeated": len(set(filled)) < len(filled),
        "set-size": len(set(filled)) > 100,
        "unknown-item": bool(set(filled) - items),
        "true-value": true not in members,
    }
    return {rule for rule, is_broken in broken.items() if is_broken}


def reference(original: list[list[str]], release: list[list[str]]) -> set[tuple[int, str, str]]:
    """Every rule, row by row."""
    items = {row[2] for row in original}
    faults = set()
    pseudonym_of: dict[str, str] = {}
    customer_of: dict[str, str] = {}
    seen = set()
    for line, (true, cells) in enumerate(zip(original, release, strict=True), 1):
        stars = [cell == "*" for cell in cells]
        if stars[0] or all(stars[1:]):
            if not all(stars):
                faults.add((line, "customer", "deleted-row"))
            continue
        person, customer = cells[0], true[0]
        if not re.fullmatch("[0-9]+", person):
            faults.add((line, "customer", "pseudonym-form"))
        if (person, customer) not in seen:
            if pseudonym_of.setdefault(customer, person) != person:
                faults.add((line, "customer", "one-pseudonym"))
            if customer_of.setdefault(person, customer) != customer:
                faults.add((line, "customer", "one-customer"))
        seen.add((person, customer))
        for place, column in ((1, "day"), (3, "price"), (4, "quantity")):
            rules = number_rules(cells[place], column, true[place])
            faults |= {(line, column, rule) for rule in rules}
        faults |= {(line, "item", rule) for rule in item_rules(cells[2], true[2], items)}
    return faults


def cell(values: list[str], junk: list[str], brackets: str) -> st.SearchStrategy[str]:
    inside = st.lists(st.sampled_from([*values, *junk]), min_size=1, max_size=3)
    general = inside.map(lambda parts: brackets[0] + ";".join(parts) + brackets[1])
    return st.one_of(st.sampled_from(values), general, st.sampled_from(["*", *junk]))


DAYS, ITEMS = ["2011/1/1", "2011/1/9", "2011/02/28"], ["a", "b", "c"]
PRICES, COUNTS = ["1", "1.50", "1.125", "-2"], ["1", "5", "-3"]
true_rows = st.tuples(*map(st.sampled_from, [["c1", "c2"], DAYS, ITEMS, PRICES, COUNTS]))
released_rows = st.tuples(
    st.sampled_from(["1", "2", "3", "*", "x"]),
    cell(DAYS, ["2011/2/30", "", "1"], "[]"),
    cell(ITEMS, ["z", "", "}"], "{}"),
    cell(PRICES, ["1.", "", "*", "0.0000001"], "[]"),
    cell(COUNTS, ["1.5", "", "]"], "[]"),
)


@given(pairs=st.lists(st.tuples(true_rows, released_rows), min_size=1, max_size=8))
def test_against_the_reference(pairs):
    original = [list(true) for true, _ in pairs]
    release = [list(row) for _, row in pairs]
    lines = ["\n".join(",".join(row) for row in rows) for rows in (original, release)]
    faults = found(*lines)
    assert len(faults) == len(set(faults))
    assert set(faults) == reference(original, release)


def aligned(source: History, k: int) -> ContestRows:
    frame = RankMatch(k).anonymize(source, rng=Randomness(1)).aligned_text()
    return ContestRows(frame, np.full(frame.height, 5))


@given(rows=purchases(least=8), k=st.integers(2, 3))
def test_what_the_paper_s_method_makes_keeps_the_rules(rows, k):
    source = history(rows)
    if len(source.customers) >= k:
        assert check_release(source, aligned(source, k)) == []


@pytest.mark.data
@pytest.mark.parametrize("k", [2, 20])
def test_the_contest_file(real_data, k):
    source = contest_history(real_data)
    assert check_release(source, aligned(source, k)) == []
