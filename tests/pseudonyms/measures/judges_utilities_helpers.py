"""What the tests split from test_judges_utilities share."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

from support.period_cases import Row, Small

Value = Callable[[Row], float]


def number(text: str) -> float | None:
    try:
        return float(text) if math.isfinite(float(text)) else None
    except ValueError:
        return None


def one(row: Row) -> float:
    return 1


def columns(rows: list[Row], items: list[str], value: Value, entry: Value) -> dict:
    """For each item the entries of its buyers that are not 0."""
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        if row[0] != "DEL" and row[4] in items:
            sums[row[0], row[4]] += value(row)
    found: dict[str, dict[str, float]] = {item: {} for item in items}
    for (user, item), total in sums.items():
        if entry(total):
            found[item][user] = entry(total)
    return found


def cosine(x: dict[str, float], y: dict[str, float]) -> float:
    if not x or not y:
        return 0.0
    product = sum(x[user] * y[user] for user in x if user in y)
    return product / math.sqrt(sum(v * v for v in x.values()) * sum(v * v for v in y.values()))


def distance(small: Small, items: list[str], value: Value, entry: Value, diagonal: bool) -> float:
    original = columns(small.rows, items, value, entry)
    released = columns(small.released, items, value, entry)
    changed = total = 0.0
    for i in items:
        for j in items:
            w = cosine(original[i], original[j])
            if w != 0 and (diagonal or i != j):
                changed += abs(w - cosine(released[i], released[j]))
                total += w
    return min(changed / total, 1) if total else 0.0


def items_of(small: Small) -> list[str]:
    return sorted({row[4] for row in small.rows})
