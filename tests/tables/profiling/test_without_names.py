"""Files without a line of names, times of logs, titles abroad, and tables that nobody knows."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tables.profiling.without_names_samples import log
from tokumei.core.parsing.dates import DateStyle


def test_an_unknown_column_tells_no_cell_of_a_file_without_names(tmp_path: Path) -> None:
    users = log(tmp_path / "access.tsv")
    given = ["--data", str(tmp_path / "access.tsv"), "--out", str(tmp_path / "y.csv")]
    refused = run(["anonymize", "table", *given, "--qi", "agent", "--k", "3"])
    assert refused.code == 2
    assert "column1" in refused.err
    assert not any(user in refused.err for user in users)


@pytest.mark.parametrize(
    "cell", ["01/Feb/2024:08:01:01 +0100", "1/Feb/2024:08:01:01", "01-Feb-2024", "1 Feb 2024"]
)
def test_times_as_servers_write_them_are_days(cell: str) -> None:
    assert DateStyle().day(cell) == date(2024, 2, 1)


def test_a_table_that_nobody_knows_says_what_to_add(tmp_path: Path) -> None:
    source = tmp_path / "rent.csv"
    lines = [f"{i % 7}{i:03}.111.222-{i % 90:02},{700 + 13 * i}" for i in range(60)]
    source.write_text("\n".join(["cpf,rent_paid_amount", *lines]) + "\n", encoding="utf-8")
    told = run(["look", str(source)])
    assert re.search("add --qi with at least one of .*rent_paid_amount", told.out)
    assert "--qi に次から一つ以上" in run(["--lang", "ja", "look", str(source)]).out


def test_surnames_among_purposes_are_asked_about() -> None:
    names = ["Schmidt", "Schneider", "Wagner", "Becker", "Weber"]
    purposes = ["Miete", "Spende", "Beitrag", *names] * 20
    frame = pl.DataFrame({"Zweck": purposes, "Betrag": [13 * i % 97 for i in range(len(purposes))]})
    found = tk.look(frame)["Zweck"]
    assert found.question is not None
    assert found.fate == "ask" or found.role == "identifier"
