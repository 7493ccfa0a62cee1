"""What a release must still be worth: bounds on measures, and whether they are kept."""

from __future__ import annotations

from collections.abc import Mapping

from tokumei.core.errors import UsageError
from tokumei.core.figures import plain
from tokumei.core.measure import Goal
from tokumei.core.registry import required_params
from tokumei.core.text import Text
from tokumei.tables.registry import measures

ROUNDING = 1e-9


def require_bounds(bounds: Mapping[str, float]) -> None:
    """Fail unless there is a bound, and every one is on a measure that needs nothing else."""
    if not bounds:
        raise UsageError(
            "defend: name at least one bound, for example U4=0.05; what is not bounded is given up",
            "defend: 上限を一つ以上指定してください (例 U4=0.05)。上限のないものは犠牲になります",
        )
    for name in bounds:
        lacking = required_params(measures.get(name))
        if lacking:
            raise UsageError(
                f"defend: {name} needs the parameter '{lacking[0]}' and cannot be a bound",
                f"defend: {name} にはパラメータ '{lacking[0]}' が必要なため、上限にできません",
            )


def excess(name: str, value: float, bound: float) -> float:
    """How far a value is on the wrong side of its bound, as a share of it; 0 or less: kept."""
    over = value - bound if measures.get(name).goal is Goal.MINIMIZE else bound - value
    return float((over - ROUNDING * max(1.0, abs(value), abs(bound))) / (abs(bound) or 1.0))


def worst_excess(values: Mapping[str, float], bounds: Mapping[str, float]) -> float:
    """The largest of them."""
    return max(excess(name, values[name], bound) for name, bound in bounds.items())


def bounds_words(values: Mapping[str, float], bounds: Mapping[str, float]) -> Text:
    """Every measure beside its bound."""
    parts = []
    for name, bound in bounds.items():
        sign = "≤" if measures.get(name).goal is Goal.MINIMIZE else "≥"
        parts.append(f"{name} {plain(float(f'{values[name]:.4g}'))} ({sign} {plain(bound)})")
    return Text(", ".join(parts), "、".join(parts))
