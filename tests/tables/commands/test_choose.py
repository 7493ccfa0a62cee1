"""Tests of tokumei.tables.commands.choose."""

from __future__ import annotations

from pathlib import Path

from fuzz.judged import run
from tables.profiling.without_names_samples import log


def test_choose_reads_such_a_file_as_look_does(tmp_path: Path) -> None:
    users = log(tmp_path / "access.tsv")
    told = run(["choose", "--data", str(tmp_path / "access.tsv"), "--answers", "defaults"])
    assert told.code == 0, told.err
    assert not any(user in told.out + told.err for user in users)
