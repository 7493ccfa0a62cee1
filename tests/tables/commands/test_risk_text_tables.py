"""Tests of tokumei.tables.commands.risk_text_tables."""

from __future__ import annotations

from pathlib import Path


def test_a_file_without_column_names_keeps_its_cells_to_itself(tokumei) -> None:
    """The first line is a row: no message may list it as names of columns."""
    places = ("東京都", "大阪府", "福岡県")
    lines = [f"山田太郎{n},{30 + n % 5},{places[n % 3]},{900 + n}" for n in range(12)]
    Path("rows.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = tokumei("risk", "--data", "rows.csv", "--json")
    assert (done.code, done.json["rows"]) == (0, 12)
    wrong = tokumei("risk", "--data", "rows.csv", "--qi", "age")
    assert (wrong.code, "column3" in wrong.err, "山田" in wrong.err) == (2, True, False)
