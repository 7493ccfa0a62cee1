"""Two tables in one file: the larger is read, the other named, and none of its cells released.

Columns without a name of their own get one.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run

PAY = [["dept", "age", "pay"]] + [[("Sales", "IT")[i % 2], 30 + i % 9, 3000] for i in range(40)]
CALLS = [["Contact", "Phone", "Note"]] + [[f"Amy {i}", f"090-1234-560{i}", "x"] for i in "123"]
ORDERS = {"below": (PAY, CALLS), "above": (CALLS, PAY)}


def written(order: str, form: str, folder: Path) -> Path:
    first, second = ORDERS[order]
    rows = [[str(cell) for cell in row] for row in (*first, ["", "", ""], *second)]
    path = folder / f"two.{form}"
    if form == "csv":
        path.write_text("\n".join(",".join(row) if any(row) else "" for row in rows) + "\n")
    else:
        pl.DataFrame(rows, orient="row").write_excel(path, include_header=False)
    return path


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize(("order", "header", "other"), [("below", 1, 43), ("above", 6, 1)])
def test_the_larger_is_read_and_the_other_named(
    order: str, header: int, other: int, form: str, tmp_path: Path
) -> None:
    path = written(order, form, tmp_path)
    found = tk.look(path)
    assert [column.name for column in found.columns] == PAY[0]
    assert (found.source.frame.height, found.source.header_row) == (40, header)
    assert [(one.rule, one.line) for one in found.warnings] == [("two-tables", other)]
    assert [one.id for one in found.questions.values()] == ["two-tables"]
    out = tmp_path / "y.csv"
    call = ["anonymize", "table", "--data", str(path), "--k", "3", "--out", str(out)]
    made = run(call)
    assert made.code == 0, made.err
    assert f"another table begins in line {other}" in made.err
    text = out.read_text()
    assert len(text.splitlines()) == 41
    assert "Amy" not in text
    assert "090" not in text


def test_names_that_are_missing_or_repeated_are_made_unless_strict(tmp_path: Path) -> None:
    path, out = tmp_path / "x.csv", tmp_path / "y.csv"
    rows = [f"{20 + i % 5},{'FM'[i % 2]},{i % 3},{'AB'[i % 2]}" for i in range(40)]
    path.write_text("\n".join(["age,sex,,sex", *rows]) + "\n")
    look = run(["look", str(path), "--strict"])
    assert look.code == 2
    assert "Unnamed: 2, sex.2" in look.err
    call = ["anonymize", "table", "--data", str(path), "--answers", "defaults", "--out", str(out)]
    call += ["--k", "3"]
    assert run([*call, "--strict"]).code == 2
    assert not out.exists()
    made = run(call)
    assert made.code == 0, made.err
    assert "are called: Unnamed: 2, sex.2" in made.err
    assert pl.read_csv(out).columns == ["age", "sex", "sex.2"]


def test_groups_between_blank_lines_are_one_table(tmp_path: Path) -> None:
    rows = [",".join(map(str, row)) for row in PAY]
    (tmp_path / "one.csv").write_text("\n".join([*rows[:20], "", *rows[20:]]) + "\n")
    found = tk.look(tmp_path / "one.csv")
    assert found.source.frame.height == 40
    assert not found.warnings
