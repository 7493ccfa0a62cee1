"""Tests of tokumei.tables.services.check."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tables.verification.out_of_core_samples import run_check

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
