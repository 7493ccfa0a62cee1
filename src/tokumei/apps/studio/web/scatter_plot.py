"""Computes positions and ticks of the scatter plot of candidates.

People found go up by factors of ten from nobody; information kept goes to the right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tokumei.apps.studio.adapters.base import LoadedAdapter
from tokumei.apps.studio.store.records import CandidateRecord
from tokumei.apps.studio.web.verdict_figures import VerdictFigures, unbeaten
from tokumei.core.formatting import format_number, format_percent

PLOT_WIDTH, PLOT_HEIGHT = 640.0, 360.0
LABEL_WIDTH, LABEL_HEIGHT = 44.0, 14.0
LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 76.0, 24.0, 20.0, 52.0
KEPT_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)


@dataclass(frozen=True)
class PlotPoint:
    """A candidate on the plane, with the verdict on it; `front`: no other one beats it."""

    id: str
    x: float
    y: float
    verdict: str
    front: bool
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


@dataclass(frozen=True)
class PlotScales:
    """Where a number of people and a share of information stand."""

    most: int
    """The power of ten at the top."""
    least: float
    """The share kept at the left."""
    step: float

    @classmethod
    def of(cls, figures: Sequence[VerdictFigures]) -> PlotScales:
        """Scales that hold all figures."""
        people = max([*(entry.found or 0.0 for entry in figures), 9.0])
        lost = max([*(1 - (entry.kept or 0.0) for entry in figures), 0.05])
        step = next(step for step in KEPT_STEPS if lost / step <= 6 or step == KEPT_STEPS[-1])
        return cls(math.ceil(math.log10(1 + people)), 1 - math.ceil(lost / step) * step, step)

    def x(self, kept: float) -> float:
        """From the left."""
        wide = PLOT_WIDTH - LEFT_MARGIN - RIGHT_MARGIN
        return round(LEFT_MARGIN + (kept - self.least) / (1 - self.least) * wide, 1)

    def y(self, people: float) -> float:
        """From the top."""
        high = PLOT_HEIGHT - TOP_MARGIN - BOTTOM_MARGIN
        return round(PLOT_HEIGHT - BOTTOM_MARGIN - math.log10(1 + people) / self.most * high, 1)

    @property
    def x_ticks(self) -> list[tuple[float, str]]:
        """Shares of information."""
        shares = [1 - i * self.step for i in range(round((1 - self.least) / self.step) + 1)]
        return [(self.x(share), format_percent(abs(round(share, 6)))) for share in shares]

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        """Numbers of people."""
        people = [0, *(10**n for n in range(self.most + 1))]
        ticks = [(self.y(count), format_number(count)) for count in people]
        return [tick for tick in ticks if tick[0] >= TOP_MARGIN - 1]


def plot_candidates(
    all_candidates: Sequence[CandidateRecord],
    figures: Mapping[str, VerdictFigures],
    chosen: Sequence[str],
    *,
    kind: LoadedAdapter,
) -> ScatterPlot:
    """Where everything that was assessed stands; methods are joined along the kind's curve."""
    front, scales = unbeaten(figures), PlotScales.of(list(figures.values()))
    points = [
        PlotPoint(
            entry["id"],
            scales.x(figures[entry["id"]].kept or 0.0),
            scales.y(figures[entry["id"]].found or 0.0),
            figures[entry["id"]].verdict,
            entry["id"] in front,
            entry["id"] in chosen,
            _point_label(entry, kind) if kind.curve else "",
            entry,
        )
        for entry in all_candidates
        if entry["id"] in figures and figures[entry["id"]].found is not None
    ]
    points = _hide_overlapping_labels(points)
    if kind.curve:
        methods = dict.fromkeys(map(_method_names, points))
        curves = [
            [entry for entry in points if _method_names(entry) == method] for method in methods
        ]
    else:
        curves = [[point for point in points if point.front]]
    lines = [_polyline_points(curve) for curve in curves if len(curve) > 1]
    return ScatterPlot(points, lines, scales.x_ticks, scales.y_ticks)


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


def _point_label(candidate: CandidateRecord, kind: LoadedAdapter) -> str:
    steps = (step for step in candidate["request"]["steps"] if kind.curve in step)
    value = next((step[kind.curve] for step in steps), None)
    return "" if value is None else kind.curve_label.fill(value=value).show()
