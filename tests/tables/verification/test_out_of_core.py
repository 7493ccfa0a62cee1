"""Any file that is too large for memory is checked where it is, as it would be in memory."""

from __future__ import annotations

import pytest

from tables.verification.out_of_core_samples import run_check
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
    found.require_valid(2)
    with pytest.raises(RuntimeError, match="3 rows should have been written, but there are 2"):
        found.require_valid(3)


def test_a_release_larger_than_memory_is_checked_on_disk(tmp_path, monkeypatch, capsys):
    path = tmp_path / "x.csv"
    path.write_text("name\n" + "".join(f"{i}\n" for i in range(1200)), encoding="utf-8")
    monkeypatch.setattr(file_formats, "free_memory", lambda: 10)
    monkeypatch.setattr("tokumei.files.reading.read_frame", None)  # it would hold all rows
    assert run_check("--release", str(path), "--qi", "name", "--k", "2") == 1
    assert "1,200 faults" in capsys.readouterr().out
    path.write_text("a,b\n1,2\n3\n", encoding="utf-8")
    assert run_check("--release", str(path), "--qi", "a", "--k", "2") == 2
    assert "line 3" in capsys.readouterr().err
