"""What the tests split from test_column_encoding share."""

from __future__ import annotations

import polars as pl


def people(spell) -> pl.DataFrame:
    """Sixty rows of twelve people, each spelled in five ways."""
    ids = [spell(row // 5, row % 5) for row in range(60)]
    return pl.DataFrame({"uid": ids, "age": [20 + row // 5 for row in range(60)], "pay": range(60)})


def spell(person: int, way: int) -> str:
    return [f"u{person}", f"U{person}", f" u{person}", f"u{person} ", f"ｕ{person}"][way]


SPELLED = ["ann0x", "ann0x ", "Ann0X", "bob", "1", "01", "1.0"]
"""Three people in seven rows."""


def spelled_people() -> pl.DataFrame:
    return pl.DataFrame({"who": SPELLED, "age": [30] * 7, "pay": range(7)})
