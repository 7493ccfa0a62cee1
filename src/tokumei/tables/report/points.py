"""The points of the utility–safety chart, and the axis they need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.scorecard import front_of, is_relabelled

NEAR = 0.045
"""Points closer than this share of the chart on both axes carry one common tag."""


@dataclass(frozen=True)
class Axis:
    """A symlog axis from 0 to `top`: linear up to about `constant`, with round ticks."""

    top: float
    constant: float
    ticks: tuple[float, ...]
    format: str


def tradeoff_points(evaluations: Sequence[Evaluation], measure: str) -> list[dict[str, Any]]:
    """One row per release that has the measure, numbered as in the scorecard."""
    front = front_of(evaluations, measure)
    points = [
        _point(number, evaluation, measure, on)
        for number, (evaluation, on) in enumerate(zip(evaluations, front, strict=True), start=1)
        if measure in evaluation.scores and math.isfinite(evaluation.scores[measure].value)
    ]
    _tag(points, axis_of(points))
    return points


def axis_of(points: Sequence[dict[str, Any]]) -> Axis:
    """An axis on which small and large losses are both visible."""
    largest = max((point["x"] for point in points), default=0.0)
    if largest <= 0:
        return Axis(1.0, 1.0, (0.0, 1.0), "~g")
    top, constant = largest * 1.15, largest / 20
    powers = range(math.floor(math.log10(constant)), math.ceil(math.log10(top)) + 1)
    round_ones = (digit * 10.0**power for power in powers for digit in (1, 2, 5))
    ticks = tuple(tick for tick in round_ones if constant <= tick <= top)
    return Axis(top, constant, (0.0, *ticks), "~s" if top >= 1000 else "~g")


def _point(number: int, evaluation: Evaluation, measure: str, on: bool) -> dict[str, Any]:
    relabelled = is_relabelled(evaluation)
    strongest = evaluation.strongest
    return {
        "number": number,
        "label": evaluation.label,
        "x": evaluation.scores[measure].value,
        "attack": strongest.attack,
        "rate": strongest.rate,
        "low": strongest.low,
        "high": strongest.high,
        "standing": "relabelled" if relabelled else "front" if on else "beaten",
        "tag": "",
    }


def _tag(points: list[dict[str, Any]], axis: Axis) -> None:
    """Give the first point of every cluster the numbers of all of it."""
    heads: list[tuple[float, float, dict[str, Any]]] = []
    for point in points:
        x = _symlog(point["x"], axis.constant) / _symlog(axis.top, axis.constant)
        y = _symlog(point["rate"], 0.05) / _symlog(1.0, 0.05)
        near = [head for a, b, head in heads if abs(a - x) < NEAR and abs(b - y) < NEAR]
        if near:
            near[0]["tag"] += f" · {point['number']}"
        else:
            point["tag"] = str(point["number"])
            heads.append((x, y, point))


def _symlog(value: float, constant: float) -> float:
    return math.log1p(value / constant)
