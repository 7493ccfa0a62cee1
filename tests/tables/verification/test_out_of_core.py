"""Any file that is too large for memory is checked where it is, as it would be in memory."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tokumei.apps.cli.app import main
from tokumei.core.provenance import Claim
from tokumei.files import file_formats
from tokumei.tables.engines.stream_files import open_stream
from tokumei.tables.verification.out_of_core import (
    DiskRows,
    out_of_core_violations,
    streamed_violations,
)


def test_the_verifier_sees_planted_violations(tmp_path):
    path = tmp_path / "y.csv"
    path.write_text("q,s\n1,a\n1,b\n2,a\n", encoding="utf-8")
    claims = {
        "k-anonymity": {"k": 2, "columns": ["q"]},
        "l-diversity": {"l": 2, "columns": ["q"], "sensitive": ["s"]},
        "no-identifiers": {"columns": ["q"]},
        "k-per-person": {"k": 2, "columns": ["q"], "person": "p", "rows": 3},
    }
    for rule, params in claims.items():
        faults = streamed_violations(open_stream(path), [Claim(rule, params)])
        assert [fault.rule for fault in faults] == [rule]


def test_rows_that_are_lacking_are_noticed(tmp_path):
    path = tmp_path / "y.csv"
    path.write_text("q,s\n1,a\n1,b\n", encoding="utf-8")
    claims = [Claim("k-anonymity", {"k": 2, "columns": ["q"]})]
    found = out_of_core_violations(DiskRows(open_stream(path)), claims)
    found.require(2)
    with pytest.raises(RuntimeError, match="3 rows should have been written, but there are 2"):
        found.require(3)


def run_check(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as stop:
        main(["check", "--format", "table", *arguments])
    return stop.value.code


CHECKED = [
    (["--k", "3"], 0),
    (["--k", "4"], 1),
    (["--k", "2", "--l", "2", "--sa", "s"], 0),
    (["--k", "2", "--l", "3", "--sa", "s"], 1),
    (["--k", "2", "--person", "p"], 1),
    (["--k", "2", "--person", "nobody"], 2),
]


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(("asked", "code"), CHECKED)
def test_a_file_is_checked_on_disk_as_in_memory(tmp_path, capsys, form, asked, code):
    # Three rows of 1, four of 2; the former belong to one person only.
    frame = pl.DataFrame(
        {
            "q": [1, 1, 1, 2, 2, 2, 2],
            "s": ["a", "b", "b", "a", "a", "b", "c"],
            "p": [7, 7, None, 1, 2, 3, 4],
        }
    )
    path = tmp_path / f"y.{form}"
    frame.write_csv(path) if form == "csv" else frame.write_parquet(path)
    given = ["--release", str(path), "--qi", "q", *asked, "--json"]
    assert run_check(*given) == code
    here = capsys.readouterr().out
    assert run_check(*given, "--engine", "stream") == code
    there = capsys.readouterr().out
    if code < 2:
        found, expected = json.loads(there), json.loads(here)
        assert (found["ok"], found["total"]) == (expected["ok"], expected["total"])
        rules = [[fault["rule"] for fault in one["faults"]] for one in (found, expected)]
        assert rules[0] == rules[1]


def test_a_release_larger_than_memory_is_checked_on_disk(tmp_path, monkeypatch, capsys):
    path = tmp_path / "x.csv"
    path.write_text("name\n" + "".join(f"{i}\n" for i in range(1200)), encoding="utf-8")
    monkeypatch.setattr(file_formats, "free_memory", lambda: 10)
    monkeypatch.setattr("tokumei.files.reading.read_frame", None)  # it would hold all rows
    assert run_check("--release", str(path), "--qi", "name", "--k", "2") == 1
    assert "1200 fault(s)" in capsys.readouterr().out
    path.write_text("a,b\n1,2\n3\n", encoding="utf-8")
    assert run_check("--release", str(path), "--qi", "a", "--k", "2") == 2
    assert "line 3" in capsys.readouterr().err
