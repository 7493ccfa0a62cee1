"""Computes positions and ticks of the scatter plot of candidates.

Risk goes up by factors of ten from nobody; loss goes to the right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokumei.apps.studio.adapters.base import LoadedAdapter
from tokumei.apps.studio.store.records import CandidateRecord
from tokumei.core.formatting import format_number, format_percent

PLOT_WIDTH, PLOT_HEIGHT = 640.0, 360.0
LABEL_WIDTH, LABEL_HEIGHT = 44.0, 14.0
LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 76.0, 24.0, 20.0, 52.0


@dataclass(frozen=True)
class PlotPoint:
    """A candidate on the plane; not `attacked`: its risk is estimated from class sizes."""

    id: str
    x: float
    y: float
    front: bool
    attacked: bool
    chosen: bool
    label: str
    candidate: CandidateRecord


@dataclass(frozen=True)
class ScatterPlot:
    """Points, ticks and the line of the front."""

    points: list[PlotPoint]
    lines: list[str]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    wide: float = PLOT_WIDTH
    high: float = PLOT_HEIGHT
    left: float = LEFT_MARGIN
    right: float = PLOT_WIDTH - RIGHT_MARGIN
    top: float = TOP_MARGIN
    bottom: float = PLOT_HEIGHT - BOTTOM_MARGIN


def plot_candidates(
    all_candidates: Sequence[CandidateRecord], chosen: Sequence[str], *, kind: LoadedAdapter
) -> ScatterPlot:
    """Where everything stands; points of a method are joined along the curve of the kind."""
    risks = {entry["id"]: _people_at_risk(entry) for entry in all_candidates}
    highest_risk = max([*(risk for risk, _ in risks.values()), 9.0])
    highest_loss = max([*(entry["figures"]["loss"] for entry in all_candidates), 0.05])
    x_step = next(
        step
        for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
        if highest_loss / step <= 6 or step == 0.25
    )
    x_top = math.ceil(highest_loss / x_step) * x_step
    y_top = math.ceil(math.log10(1 + highest_risk))

    def x(loss: float) -> float:
        return float(
            round(LEFT_MARGIN + loss / x_top * (PLOT_WIDTH - LEFT_MARGIN - RIGHT_MARGIN), 1)
        )

    def y(risk: float) -> float:
        return round(
            PLOT_HEIGHT
            - BOTTOM_MARGIN
            - math.log10(1 + risk) / y_top * (PLOT_HEIGHT - TOP_MARGIN - BOTTOM_MARGIN),
            1,
        )

    points = [
        PlotPoint(
            entry["id"],
            x(entry["figures"]["loss"]),
            y(risks[entry["id"]][0]),
            bool(entry["on_front"]),
            risks[entry["id"]][1],
            entry["id"] in chosen,
            _point_label(entry, kind) if kind.curve else "",
            entry,
        )
        for entry in all_candidates
    ]
    points = _hide_overlapping_labels(points)
    attacked = [point for point in points if point.attacked]
    if kind.curve:
        methods = dict.fromkeys(map(_method_names, points))
        curves = [
            [entry for entry in attacked if _method_names(entry) == method] for method in methods
        ]
    else:
        curves = [[point for point in attacked if point.front]]
    people = [0, *(10**n for n in range(y_top + 1))]
    losses = [i * x_step for i in range(round(x_top / x_step) + 1)]
    y_ticks = [(y(count), format_number(count)) for count in people]
    x_ticks = [(x(loss), format_percent(loss)) for loss in losses]
    return ScatterPlot(
        points,
        [_polyline_points(curve) for curve in curves if len(curve) > 1],
        x_ticks,
        [tick for tick in y_ticks if tick[0] >= TOP_MARGIN - 1],
    )


def _hide_overlapping_labels(points: Sequence[PlotPoint]) -> list[PlotPoint]:
    """Labels that would stand upon each other are left out; the chosen one is always there."""
    shown = [point for point in points if point.chosen]
    for point in points:
        if not any(
            abs(point.x - other.x) < LABEL_WIDTH and abs(point.y - other.y) < LABEL_HEIGHT
            for other in shown
        ):
            shown.append(point)
    labelled_ids = {point.id for point in shown}
    return [point if point.id in labelled_ids else replace(point, label="") for point in points]


def _method_names(point: PlotPoint) -> str:
    return ",".join(str(step["method"]) for step in point.candidate["request"]["steps"])


def _polyline_points(points: Sequence[PlotPoint]) -> str:
    ordered = sorted(points, key=lambda point: (point.x, -point.y))
    return " ".join(f"{point.x},{point.y}" for point in ordered)


def _people_at_risk(candidate: CandidateRecord) -> tuple[float, bool]:
    attack_figures = candidate["figures"][candidate["counted"]]
    if attack_figures is not None:
        return float(attack_figures["people"]), True
    share = candidate["figures"]["estimate"]  # null: nothing that is public is known
    return float(share or 0.0) * candidate["figures"]["people"], False


def _point_label(candidate: CandidateRecord, kind: LoadedAdapter) -> str:
    steps = (step for step in candidate["request"]["steps"] if kind.curve in step)
    value = next((step[kind.curve] for step in steps), None)
    return "" if value is None else kind.curve_label.fill(value=value).show()
