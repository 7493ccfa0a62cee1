"""The contest's rules: each broken alone, many at once, and against a cell-by-cell reference."""

from __future__ import annotations

import re
from datetime import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.period_histories import history_of
from tokumei.core.errors import ClaimError
from tokumei.files.contest_files import ContestRows
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS
from tokumei.pseudonyms.verification.pws2017 import check_release, require_release

T = [
    "c1,0,2011/1/5,9:00,a,1.5,2",
    "c1,0,2011/1/31,9:00,b,2,1",
    "c2,0,2011/1/9,10:30,c,1.25,12",
    "c2,0,2011/2/9,10:30,c,1.25,12",
    "c3,0,2011/02/28,0:00,d,300,4",
    "c1,0,2011/2/1,23:59,a,1,1",
]


A = [
    "p1,0,2011/1/15,9:00,b,99999.99,999999",
    "p1,inv_-9,2011/01/1,09:00,b,2.00,1",
    "p2,0,2011/1/31,0:00,c,0,0",
    "p2,0,2011/2/9,10:30,c,1.25,12",
    "DEL,,,,,,",
    "p3,0,2011/2/28,23:59,a,1,1",
]


def text(lines: list[str]) -> ContestRows:
    cells = [[*line.split(","), *[None] * 7][:7] for line in lines]
    frame = pl.DataFrame(cells, schema=dict.fromkeys(PERIOD_COLUMNS, pl.String), orient="row")
    return ContestRows(frame, np.array([line.count(",") + 1 for line in lines], dtype=np.int64))


def found(lines: list[str], customers: list[str] | None = None) -> list[tuple[object, ...]]:
    faults = check_release(history_of(T, customers), text(lines))
    for fault in faults:
        assert fault.message.show("en") != fault.message.show("ja")
        if fault.column:
            assert f"line {fault.line}, column '{fault.column}'" in fault.message.show("en")
            assert f"{fault.line} 行目、列 '{fault.column}'" in fault.message.show("ja")
    return [(fault.line, fault.column, fault.rule) for fault in faults]


def test_a_release_that_keeps_all_rules():
    assert found(A) == []
    require_release(history_of(T), text(A), where="A")


@pytest.mark.parametrize(
    ("line", "cells", "fault"),
    [
        (2, "p9,0,2011/1/1,9:00,b,2,1", (2, "customer", "one-pseudonym")),
        (3, "p1,0,2011/1/1,9:00,b,2,1", (3, "customer", "one-customer")),
        (6, "p2,0,2011/2/1,9:00,b,2,1", (6, "customer", "one-customer")),
        (3, "c4,0,2011/1/1,9:00,b,2,1", (3, "customer", "pseudonym-is-customer")),
        (3, "p 2,0,2011/1/1,9:00,b,2,1", (3, "customer", "pseudonym-form")),
        (3, "仮名,0,2011/1/1,9:00,b,2,1", (3, "customer", "pseudonym-form")),
        (3, ",0,2011/1/1,9:00,b,2,1", (3, "customer", "pseudonym-form")),
        (3, "p2,,2011/1/1,9:00,b,2,1", (3, "invoice", "invoice-form")),
        (3, "p2,*,2011/1/1,9:00,b,2,1", (3, "invoice", "invoice-form")),
        (3, "p2,0,2011/2/1,9:00,b,2,1", (3, "day", "same-month")),
        (3, "p2,0,2010/1/1,9:00,b,2,1", (3, "day", "same-month")),
        (3, "p2,0,2011/1/32,9:00,b,2,1", (3, "day", "day-form")),
        (3, "p2,0,2011-01-02,9:00,b,2,1", (3, "day", "day-form")),
        (3, "p2,0,,9:00,b,2,1", (3, "day", "day-form")),
        (3, "p2,0,2011/1/1,24:00,b,2,1", (3, "time", "time-form")),
        (3, "p2,0,2011/1/1,9:60,b,2,1", (3, "time", "time-form")),
        (3, "p2,0,2011/1/1,,b,2,1", (3, "time", "time-form")),
        (3, "p2,0,2011/1/1,9:00,e,2,1", (3, "item", "unknown-item")),
        (3, "p2,0,2011/1/1,9:00,,2,1", (3, "item", "unknown-item")),
        (3, "p2,0,2011/1/1,9:00,b,100000,1", (3, "price", "price-form")),
        (3, "p2,0,2011/1/1,9:00,b,1.234,1", (3, "price", "price-form")),
        (3, "p2,0,2011/1/1,9:00,b,-1,1", (3, "price", "price-form")),
        (3, "p2,0,2011/1/1,9:00,b,1.,1", (3, "price", "price-form")),
        (3, "p2,0,2011/1/1,9:00,b,2,1000000", (3, "quantity", "quantity-form")),
        (3, "p2,0,2011/1/1,9:00,b,2,-1", (3, "quantity", "quantity-form")),
        (3, "p2,0,2011/1/1,9:00,b,2,1.5", (3, "quantity", "quantity-form")),
        (3, "DEL,0,,,,,", (3, "customer", "deleted-row")),
        (3, "DEL,0,2011/1/1,9:00,b,2,1", (3, "customer", "deleted-row")),
        (3, "p2,,,,,,", (3, "customer", "deleted-row")),
        (3, "p2,0,2011/1/1,9:00,b,2", (3, None, "fields")),
        (3, "p2,0,2011/1/1,9:00,b,2,1,", (3, None, "fields")),
    ],
)
def test_each_rule_alone(line, cells, fault):
    assert found([*A[: line - 1], cells, *A[line:]], ["c4", "c3", "c2", "c1"]) == [fault]


def test_another_month_allows_another_pseudonym_and_another_owner():
    assert found([A[0], A[1], A[2], "p1,0,2011/2/9,10:30,c,1,1", A[4], A[5]]) == []


def test_a_missing_row_is_said_once_and_nothing_is_compared_row_by_row():
    assert found(A[:-1]) == [(6, None, "rows")]
    assert found([*A, A[-1]]) == [(7, None, "rows")]
    assert found([*A[:2], "x,0,2011/2/31,9:00,b,2,1"]) == [
        (4, None, "rows"),
        (3, "day", "day-form"),
    ]


def test_at_least_half_of_the_rows_stay():
    gone = "DEL,,,,,,"
    assert found([*A[:3], gone, gone, gone]) == []
    assert found([*A[:2], gone, gone, gone, gone]) == [(None, None, "rows-kept")]


def test_faults_are_listed_by_line_and_column_in_an_error():
    lines = [*A[:2], "c2,!,x,x,x,x,x", *A[3:]]
    faults = found(lines)
    assert [fault[1] for fault in faults] == list(PERIOD_COLUMNS)
    with pytest.raises(ClaimError, match=r"A\.csv: breaks the rules"):
        require_release(history_of(T), text(lines), where="A.csv")


PIECES = {
    "customer": ["p1", "p2", "p3", "c1", "x y", "", "DEL"],
    "invoice": ["0", "", "é"],
    "day": ["2011/1/7", "2011/2/7", "2011/2/30", ""],
    "time": ["9:00", "25:00", ""],
    "item": ["a", "z", ""],
    "price": ["1", "1.999", ""],
    "quantity": ["3", "x", ""],
}


def reference(lines: list[tuple[str, ...]]) -> set[tuple[int | None, str | None, str]]:
    """All violations, cell by cell; only whether a pair is wrong, not where, is told for pairs."""
    faults: set[tuple[int | None, str | None, str]] = set()
    truth = [line.split(",") for line in T]
    items = {row[4] for row in truth}
    pairs: dict[tuple[str, str, str], set[str]] = {}
    if sum(line[0] != "DEL" for line in lines) * 2 < len(T):
        faults.add((None, None, "rows-kept"))
    for number, (line, true) in enumerate(zip(lines, truth, strict=True), start=1):
        name, invoice, day, time, item, price, quantity = line
        if (name == "DEL") != (set(line[1:]) == {""}):
            faults.add((number, "customer", "deleted-row"))
        if name == "DEL" or set(line[1:]) == {""}:
            continue
        checks = [
            ("customer", "pseudonym-form", re.fullmatch("[A-Za-z0-9_-]+", name)),
            ("customer", "pseudonym-is-customer", name not in {row[0] for row in truth}),
            ("invoice", "invoice-form", re.fullmatch("[A-Za-z0-9_-]+", invoice)),
            ("time", "time-form", is_time(time)),
            ("item", "unknown-item", item in items),
            ("price", "price-form", re.fullmatch(r"\d{1,5}(\.\d{1,2})?", price)),
            ("quantity", "quantity-form", re.fullmatch(r"\d{1,6}", quantity)),
            ("day", "day-form", as_day(day)),
        ]
        month = datetime.strptime(true[2], "%Y/%m/%d").strftime("%Y%m")
        if as_day(day):
            checks.append(("day", "same-month", as_day(day).strftime("%Y%m") == month))
        faults |= {(number, column, rule) for column, rule, good in checks if not good}
        pairs.setdefault(("one-pseudonym", true[0], month), set()).add(name)
        pairs.setdefault(("one-customer", name, month), set()).add(true[0])
    for (rule, _, _), others in pairs.items():
        faults |= {(None, "customer", f"{rule} {len(others) - 1}")} if len(others) > 1 else set()
    return faults


def as_day(cell: str) -> datetime | None:
    try:
        return datetime.strptime(cell, "%Y/%m/%d")
    except ValueError:
        return None


def is_time(cell: str) -> bool:
    parts = re.fullmatch(r"(\d{1,2}):(\d\d)", cell)
    return bool(parts) and int(parts[1]) < 24 and int(parts[2]) < 60


@given(st.lists(st.tuples(*map(st.sampled_from, PIECES.values())), min_size=6, max_size=6))
def test_as_a_cell_by_cell_reference_finds(lines):
    ours = found([",".join(line) for line in lines])
    plain = {fault for fault in ours if not str(fault[2]).startswith("one-")}
    wanted = reference(lines)
    assert plain == {fault for fault in wanted if " " not in str(fault[2])}
    for rule in ("one-pseudonym", "one-customer"):
        further = sum(int(str(f[2]).split()[1]) for f in wanted if str(f[2]).startswith(f"{rule} "))
        several = [f for f in wanted if str(f[2]).startswith(f"{rule} ")]
        number = sum(fault[2] == rule for fault in ours)
        assert (number == 0) == (not several)
        assert number >= further
