"""The plane of candidates: where each point is drawn, and the ticks; no figure is made here.

Risk goes up by factors of ten from nobody; loss goes to the right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokumei.studio.kinds.kind import StudioKind

WIDE, HIGH = 640.0, 360.0
NEAR_X, NEAR_Y = 44.0, 14.0
LEFT, RIGHT, TOP, BOTTOM = 76.0, 24.0, 20.0, 52.0


@dataclass(frozen=True)
class Point:
    """A candidate on the plane; not `attacked`: its risk is estimated from class sizes."""

    id: str
    x: float
    y: float
    front: bool
    attacked: bool
    chosen: bool
    label: str
    one: dict[str, Any]


@dataclass(frozen=True)
class Plane:
    """Points, ticks and the line of the front."""

    points: list[Point]
    lines: list[str]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    wide: float = WIDE
    high: float = HIGH
    left: float = LEFT
    right: float = WIDE - RIGHT
    top: float = TOP
    bottom: float = HIGH - BOTTOM


def plane_of(found: Sequence[dict[str, Any]], chosen: Sequence[str], *, kind: StudioKind) -> Plane:
    """Where everything stands; points of a method are joined along the curve of the kind."""
    risks = {one["id"]: _risk(one) for one in found}
    most = max([*(risk for risk, _ in risks.values()), 9.0])
    widest = max([*(one["figures"]["loss"] for one in found), 0.05])
    x_step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25) if widest / s <= 6 or s == 0.25)
    x_top = math.ceil(widest / x_step) * x_step
    y_top = math.ceil(math.log10(1 + most))

    def x(loss: float) -> float:
        return float(round(LEFT + loss / x_top * (WIDE - LEFT - RIGHT), 1))

    def y(risk: float) -> float:
        return round(HIGH - BOTTOM - math.log10(1 + risk) / y_top * (HIGH - TOP - BOTTOM), 1)

    points = [
        Point(
            one["id"],
            x(one["figures"]["loss"]),
            y(risks[one["id"]][0]),
            bool(one["on_front"]),
            risks[one["id"]][1],
            one["id"] in chosen,
            _label(one, kind) if kind.curve else "",
            one,
        )
        for one in found
    ]
    points = _readable(points)
    attacked = [point for point in points if point.attacked]
    if kind.curve:
        methods = dict.fromkeys(map(_method, points))
        curves = [[one for one in attacked if _method(one) == method] for method in methods]
    else:
        curves = [[point for point in attacked if point.front]]
    y_ticks = [(y(0), "0"), *((y(10**n), f"{10**n:,}") for n in range(y_top + 1))]
    x_ticks = [(x(i * x_step), f"{i * x_step:.0%}") for i in range(round(x_top / x_step) + 1)]
    return Plane(
        points,
        [_joined(curve) for curve in curves if len(curve) > 1],
        x_ticks,
        [tick for tick in y_ticks if tick[0] >= TOP - 1],
    )


def _readable(points: Sequence[Point]) -> list[Point]:
    """Labels that would stand upon each other are left out; the chosen one is always there."""
    shown = [point for point in points if point.chosen]
    for point in points:
        if not any(abs(point.x - o.x) < NEAR_X and abs(point.y - o.y) < NEAR_Y for o in shown):
            shown.append(point)
    kept = {point.id for point in shown}
    return [point if point.id in kept else replace(point, label="") for point in points]


def _method(point: Point) -> str:
    return ",".join(str(step["method"]) for step in point.one["request"]["steps"])


def _joined(points: Sequence[Point]) -> str:
    ordered = sorted(points, key=lambda point: (point.x, -point.y))
    return " ".join(f"{point.x},{point.y}" for point in ordered)


def _risk(one: dict[str, Any]) -> tuple[float, bool]:
    found = one["figures"][one["counted"]]
    if found is not None:
        return float(found["people"]), True
    share = one["figures"]["estimate"]  # null: nothing that is public is known
    return float(share or 0.0) * one["figures"]["people"], False


def _label(one: dict[str, Any], kind: StudioKind) -> str:
    steps = (step for step in one["request"]["steps"] if kind.curve in step)
    value = next((step[kind.curve] for step in steps), None)
    return "" if value is None else str(kind.curve_label).format(value)
