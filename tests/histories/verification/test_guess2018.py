"""The contest's rules for guesses: each broken alone, and against a loop."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.files.contest_files import ContestRows
from tokumei.histories.verification.pws2018 import check_guess

PUBLIC = pl.DataFrame({"customer": ["101", "101", "202", "303"]})
CUSTOMERS = pl.Series(["c1", "c2", "c3"])


def text(lines: list[list[str]]) -> ContestRows:
    cells = [[*line, None, None][:2] for line in lines]
    frame = pl.DataFrame(cells, schema={"pid": pl.String, "cid": pl.String}, orient="row")
    return ContestRows(frame, np.array([len(line) for line in lines], dtype=np.int64))


def found(lines: list[list[str]]) -> list[tuple[int | None, str | None, str]]:
    faults = check_guess(PUBLIC, CUSTOMERS, text(lines))
    return [(fault.line, fault.column, fault.rule) for fault in faults]


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        ([], []),
        ([["202", "c1"]], []),
        ([["101", "c1"], ["202", "c1"]], []),
        ([["101", "c1"], ["202"]], [(2, None, "fields")]),
        ([["101", "c1", ""], ["202", "c2"]], [(1, None, "fields")]),
        ([["404", "c1"]], [(1, "pid", "unknown-pseudonym")]),
        ([["*", "c1"]], [(1, "pid", "unknown-pseudonym")]),
        ([["101", "101"]], [(1, "cid", "unknown-customer")]),
        ([["101", "c1"], ["202", "c2"], ["101", "c1"]], [(3, "pid", "repeated")]),
    ],
)
def test_each_rule_alone(lines, faults):
    assert found(lines) == faults


def test_a_repeated_answer_names_both_lines():
    lines = [["202", "c2"], ["101", "c1"], ["101", "c3"]]
    message = check_guess(PUBLIC, CUSTOMERS, text(lines))[0].message
    assert message.show("en") == "line 3, column 'pid': '101' was answered before, on line 2"
    assert "2 行目" in message.show("ja")


def test_a_thousand_faults_are_a_thousand():
    lines = [[f"x{n}", "c1"] for n in range(1000)]
    assert found(lines) == [(n + 1, "pid", "unknown-pseudonym") for n in range(1000)]


pids = st.sampled_from(["101", "202", "303", "404", ""])
cids = st.sampled_from(["c1", "c2", "c9", ""])
guesses = st.lists(st.one_of(st.tuples(pids, cids), st.tuples(pids), st.tuples(pids, cids, cids)))


@given(lines=guesses)
def test_against_a_loop(lines):
    expected, seen = set(), set()
    for line, fields in enumerate(lines, 1):
        if len(fields) != 2:
            expected.add((line, None, "fields"))
            continue
        if fields[0] not in ("101", "202", "303"):
            expected.add((line, "pid", "unknown-pseudonym"))
        if fields[1] not in ("c1", "c2", "c3"):
            expected.add((line, "cid", "unknown-customer"))
        if fields[0] in seen:
            expected.add((line, "pid", "repeated"))
        seen.add(fields[0])
    faults = found([list(fields) for fields in lines])
    assert set(faults) == expected
    assert len(faults) == len(expected)
