"""Tests of tokumei.core.person_spellings."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.tables.data.column_encoding import canonicalize_persons

SPELLINGS = [
    ["ann0x", "ann0x ", " Ann0X", "ａｎｎ０ｘ", "ann 0x"],
    ["1", "01", "1.0", "１", "+1", "1."],
    ["山田", "山 田", "山田\u3000"],
]


@pytest.mark.parametrize("spellings", SPELLINGS)
def test_spellings_of_one_person_become_one(spellings: list[str]) -> None:
    assert canonicalize_persons(pl.Series("p", spellings)).n_unique() == 1
