"""Strangers' files: encodings, separators, lines that are no rows, and what cannot be read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tokumei.core.errors import InputError, UsageError
from tokumei.tables.profiling.profiler import look


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty"), (b"just some prose\nand more of it\n", "one column"), (b"a,b\n\0,1\n", "NUL")],
)
def test_what_is_no_table_fails_in_words(content: bytes, words: str, tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        look(str(path))


@pytest.mark.parametrize(
    ("name", "words"),
    [("a.xls", "old Excel"), ("a.numbers", "Numbers"), ("a.pdf", "PDF"), ("a.xlsx", "password")],
)
def test_formats_that_are_not_read_are_named(name: str, words: str, tmp_path) -> None:
    path = tmp_path / name
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises((InputError, UsageError), match=words):
        look(str(path))


def test_a_header_alone_can_be_looked_at(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("氏名,性別\n")
    found = look(str(path))
    assert found.rows == 0
    assert [column.name for column in found.columns] == ["氏名", "性別"]


def test_frames_of_pandas_polars_and_arrow_look_alike() -> None:
    rows = {
        "customer_id": range(100, 140),
        "age": [20.0 + i % 40 for i in range(40)],
        "sex": ["m", "f"] * 20,
    }
    frame = pd.DataFrame(rows).assign(note=[np.nan, "x"] * 20)
    found = [
        look(one).as_json()
        for one in (frame, pl.from_pandas(frame), pl.from_pandas(frame).to_arrow())
    ]
    assert found[0] == found[1] == found[2]
    assert [c["type"] for c in found[0]["columns"][:3]] == ["member_id", "age", "sex"]
    assert found[0]["columns"][1]["normalizations"] == [{"rule": "integer-as-float", "cells": 40}]


def test_cells_that_do_not_fit_are_listed_by_line_and_shape(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("age,sex\n" + "".join(f"{20 + i % 50},m\n" for i in range(60)) + "abc,f\n")
    (fault,) = look(str(path)).warnings
    assert (fault.rule, fault.line, fault.column) == ("bad-cell", 62, "age")
    assert "abc" not in fault.message.show("en")


@pytest.mark.parametrize("word", ["Summe", "Итого", "合计", "Gesamtsumme:", "sum"])
def test_a_total_line_is_no_row_in_any_language(tmp_path, word: str) -> None:
    lines = ["nr;patient;cost", *(f"{i};P{i // 2:03};{i}0" for i in range(1, 61)), f"{word};;99"]
    (tmp_path / "x.csv").write_text("\n".join(lines), encoding="utf-8")
    assert look(tmp_path / "x.csv").rows == 60
