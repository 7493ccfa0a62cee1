"""Every question is raised where only the owner of the data can answer, and nowhere else."""

from __future__ import annotations

import polars as pl

from tables.profiling.questions_helpers import CASES, DAYS, PEOPLE, N
from tokumei.tables.profiling.profiler import look


def test_no_header_is_asked_about(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("".join(f"男,{20 + i},2024-01-{1 + i % 28:02}\n" for i in range(40)))
    found = look(str(path))
    assert found.source.header_row is None
    assert found.questions["column1"].id == "no-header"


def test_a_plain_table_raises_none() -> None:
    frame = pl.DataFrame({**PEOPLE, "氏名": ["佐藤 太郎", "鈴木 花子"] * (N // 2), "登録日": DAYS})
    assert not look(frame).questions


def test_what_is_asked_is_never_passed() -> None:
    for id, (columns, name) in CASES.items():
        column = look(pl.DataFrame(columns))[name]
        assert column.fate in ("ask", "drop", "generalize", "protect") or id == "not-people", id
