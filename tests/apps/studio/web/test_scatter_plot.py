"""Tests of tokumei.apps.studio.web.scatter_plot."""

from __future__ import annotations

from typing import Any

from apps.studio.store.project_scene import candidate
from tokumei.apps.studio.adapters.base import load_adapter
from tokumei.apps.studio.web.scatter_plot import plot_candidates
from tokumei.apps.studio.web.verdict_figures import VerdictFigures

FIGURES = {
    "worst": VerdictFigures("does-not-fit", "people", 400, 0.9, {"found": 385.0, "certain": 385.0}),
    "fine": VerdictFigures("fits", "people", 400, 0.7, {"found": 18.0, "certain": 0.0}),
    "beaten": VerdictFigures("fits", "people", 400, 0.6, {"found": 20.0, "certain": 0.0}),
    "nobody": VerdictFigures("fits", "people", 400, 0.0, {"found": 0.0, "certain": 0.0}),
    "untold": VerdictFigures("unknown", "people", 400, 0.8, None),
}
CANDIDATES: Any = [candidate(id, 0.1, 1.0, order) for order, id in enumerate([*FIGURES, "new"])]


def test_fewer_people_stand_lower_and_more_information_further_right() -> None:
    plot = plot_candidates(CANDIDATES, FIGURES, ["fine"], kind=load_adapter("tables"))
    points = {point.id: point for point in plot.points}
    assert points.keys() == FIGURES.keys() - {"untold"}
    assert points["worst"].y < points["beaten"].y < points["fine"].y < points["nobody"].y
    assert points["nobody"].x < points["beaten"].x < points["fine"].x < points["worst"].x
    for point in plot.points:
        assert plot.left <= point.x <= plot.right
        assert plot.top <= point.y <= plot.bottom
    assert [id for id, point in points.items() if point.front] == ["worst", "fine", "nobody"]
    assert [id for id, point in points.items() if point.chosen] == ["fine"]
    assert points["worst"].verdict == "does-not-fit"
    assert len(plot.lines) == 1


def test_nothing_assessed_is_an_empty_plane() -> None:
    plot = plot_candidates(CANDIDATES, {}, [], kind=load_adapter("tables"))
    assert not plot.points
    assert not plot.lines
    assert plot.y_ticks
