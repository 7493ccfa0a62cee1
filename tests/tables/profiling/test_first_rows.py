"""Tests of tokumei.tables.profiling.first_rows."""

from __future__ import annotations

import shlex
from pathlib import Path

import tokumei as tk
from fuzz.judged import run
from tables.profiling.without_names_samples import log


def test_the_first_row_of_a_file_without_names_is_a_row(tmp_path: Path) -> None:
    source = tmp_path / "access.tsv"
    users = log(source)
    looked = tk.look(str(source))
    assert looked.source.header_row is None
    assert looked["column3"].kind == "date"
    words = shlex.split(looked.command)[1:]
    words[words.index("--out") + 1] = str(tmp_path / "y.csv")
    made = run(words)
    assert made.code == 0, made.err
    released = (tmp_path / "y.csv").read_text(encoding="utf-8")
    assert released.split()[0] == "column3"
    assert len(released.splitlines()) == 301
    assert not any(user in released + made.err + made.out for user in users)
