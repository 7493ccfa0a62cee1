"""Tests of tokumei.tables.commands.measure."""

from __future__ import annotations

from pathlib import Path

from fuzz.judged import run
from tables.profiling.odd_cells_samples import ROLES, people


def test_anonymize_lists_them_and_attacks_and_measures_say_so(tmp_path: Path) -> None:
    x, y, link = people(tmp_path / "x.csv"), str(tmp_path / "y.csv"), str(tmp_path / "l.csv")
    call = ["anonymize", "table", "--data", x, *ROLES, "--k", "5", "--out", y, "--secret", link]
    refused = run(call)
    assert refused.code == 2
    assert "line 9, age: a cell of the form" in refused.err
    assert "line 11, income: a cell of the form" in refused.err
    made = run([*call, "--bad-cells", "missing"])
    assert made.code == 0, made.err
    assert "[" in Path(y).read_text(encoding="utf-8")  # still ranges, not a column of stars
    case = ["--original", x, "--release", y, "--truth", link]
    for command in (["attack", *case, "--method", "linkage"], ["measure", "utility", *case]):
        told = run(command)
        assert told.code == 0
        assert "age: 1 of 120 cells are not numbers (row 8 of the original)" in told.err
        assert "income: 1 of 120 cells are not numbers (row 10 of the original)" in told.err
        assert "count as missing" in told.err
    same = run(["attack", "--original", x, "--release", x, *ROLES, "--method", "everything"])
    assert "the whole column is compared as text" in same.err
