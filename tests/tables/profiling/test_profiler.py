"""Tests of tokumei.tables.profiling.profiler."""

from __future__ import annotations

from random import Random

import polars as pl
import pytest

import tokumei as tk


@pytest.mark.parametrize("name", ["cc_last4", "card_last_4", "カード下4桁"])
def test_the_last_four_digits_number_nobody(name: str) -> None:
    draw = Random(2)
    digits = [f"{draw.randint(0, 9999):04}" for _ in range(120)]
    frame = pl.DataFrame({name: digits, "age": [20 + i % 50 for i in range(120)]})
    assert tk.look(frame)[name].role == "other"
