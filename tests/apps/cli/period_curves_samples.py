"""What the tests split from test_period_curves share."""

from __future__ import annotations


def words(text: str) -> list[str]:
    return text.split()
