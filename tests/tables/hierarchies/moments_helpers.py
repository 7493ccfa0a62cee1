"""What the tests split from test_moments share."""

from __future__ import annotations

from random import Random


def moments(way: str, rows: int = 150) -> list[str]:
    """Some often, some once."""
    draw = Random(1)
    often = [way.format(2020, 5, 1 + i % 28, i % 24, 45) for i in range(8)]
    once = [
        way.format(draw.randint(2001, 2024), draw.randint(1, 12), draw.randint(1, 28), 8, i % 60)
        for i in range(rows)
    ]
    return [one if draw.random() < 0.4 else draw.choice(often) for one in once]
