"""What the tests split from test_activity share."""

from __future__ import annotations

from fractions import Fraction


def class_of(values: list[int], value: int, classes: int) -> int:
    """The mean rank of the value among equals, then the class that holds it."""
    ranks = [rank for rank, other in enumerate(sorted(values), 1) if other == value]
    place = (Fraction(sum(ranks), len(ranks)) - Fraction(1, 2)) / len(values)
    return next(c for c in range(1, classes + 1) if place < Fraction(c, classes))
