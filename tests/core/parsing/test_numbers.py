"""Tests of tokumei.core.parsing.numbers."""

from __future__ import annotations

import polars as pl

from tokumei.core.parsing.numbers import parse_numbers


def test_two_units_are_no_unit() -> None:
    assert parse_numbers(pl.Series(["5kg", "7cm"])).values.is_null().all()
