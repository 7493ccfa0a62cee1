"""Tests of tokumei.tables.profiling.identity_questions."""

from __future__ import annotations

import polars as pl

import tokumei as tk
from tokumei.tables.profiling.profile import TableProfile


def profile_codes(rows_per_code: int) -> TableProfile:
    codes = [f"u{number:03d}x" for number in range(20) for _ in range(rows_per_code)]
    sexes = ["f", "m"] * (len(codes) // 2)
    ages = [20 + row % 50 for row in range(len(codes))]
    return tk.look(pl.DataFrame({"uid": codes, "sex": sexes, "age": ages}))


def test_codes_of_few_rows_each_are_asked_about() -> None:
    question = profile_codes(5)["uid"].question
    assert question is not None
    assert question.id == "key-like"


def test_few_codes_of_many_rows_are_a_category() -> None:
    assert profile_codes(40)["uid"].question is None
