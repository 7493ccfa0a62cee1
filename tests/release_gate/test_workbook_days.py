"""Tests of tokumei.release_gate.workbook_days."""

from __future__ import annotations

import zipfile
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tokumei.core.release_terms import TableLayout
from tokumei.release_gate.public_files import PublicFile
from tokumei.release_gate.workbook_days import read_day_styles

DAYS = [date(1931, 5, 17) + timedelta(days=37 * number) for number in range(400)]


def test_days_of_a_workbook_are_read_as_they_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "y.xlsx"
    moments = [datetime(2001, 2, 3, 4, 5, 6)] * len(DAYS)
    pl.DataFrame({"day": DAYS, "at": moments, "n": range(400)}).write_excel(path)
    (batch,) = PublicFile(path, "y.xlsx", TableLayout()).batches()
    assert batch["day"].to_list() == [day.isoformat() for day in DAYS]
    assert set(batch["at"]) == {"2001-02-03 04:05:06"}
    assert batch["n"].to_list() == [str(number) for number in range(400)]


def test_a_style_that_writes_no_day_leaves_numbers_alone(tmp_path: Path) -> None:
    path = tmp_path / "y.xlsx"
    pl.DataFrame({"n": [45000.5]}).write_excel(path, column_formats={"n": '#,##0.00 "days"'})
    with zipfile.ZipFile(path) as archive:
        assert read_day_styles(archive).styles == frozenset()


def test_unnamed_days_of_birth_leave_in_no_workbook(
    tokumei: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ages, sexes = [20 + n % 40 for n in range(400)], ["M", "F"] * 200
    pl.DataFrame({"age": ages, "sex": sexes, "seen": DAYS}).write_csv("x.csv")
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "age,sex", "--pass-rest", "--method",
        "mondrian", "--k", "5", "--seed", "1", "--out", "y.xlsx", "--secret", "link.csv",
    )  # fmt: skip
    assert ran.code == 1
    assert "seen" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]
