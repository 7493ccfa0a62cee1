"""Tests of tokumei.tables.profiling.first_rows."""

from __future__ import annotations

import shlex
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tables.profiling.without_names_samples import log
from tokumei.core.errors import ClaimError
from tokumei.tables.profiling.first_rows import profile_sample


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


def doubtful_columns() -> pl.DataFrame:
    """Two columns of which only their owner knows whether they identify somebody."""
    words = [f"{'abcd'[row % 4]}-word-{'pqrstuvwxyz'[row % 11]}" for row in range(60)]
    ages = [20 + row % 4 for row in range(60)]
    return pl.DataFrame({"x": words, "y": words[::-1], "age": ages})


def test_only_the_columns_in_doubt_are_asked_about() -> None:
    frame = doubtful_columns()
    everything, only_y = profile_sample(frame), profile_sample(frame, question_columns=("y",))
    assert {*everything.questions} == {"x", "y"}
    assert only_y.questions == {"y": everything.questions["y"]}
    assert only_y["x"].type == everything["x"].type


def test_a_column_in_doubt_without_a_role_is_refused_though_roles_are_given() -> None:
    with pytest.raises(ClaimError) as refused:
        tk.anonymize(doubtful_columns(), "mondrian", qi=["age", "x"], k=2, seed=1)
    assert [fault.column for fault in refused.value.faults] == ["y"]
