"""The sweeps as one table: a line per value of the parameter, a group of columns per sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.core.sweep import SweepPoint
from tokumei.histories.report.overlay import HONEST, Run, common_front


@dataclass(frozen=True)
class Cell:
    """One release of one sweep."""

    point: SweepPoint
    honest: float | None
    front: bool
    best: bool
    chosen: bool


@dataclass(frozen=True)
class TableLine:
    """A value of the parameter, its risk, and per sweep its release (None: not swept)."""

    value: Any
    risk: float
    cells: tuple[Cell | None, ...]


def sweep_table(runs: Sequence[Run]) -> list[TableLine]:
    """All releases, in the order of the parameter's values."""
    found: dict[Any, dict[int, Cell]] = {}
    for run, front in zip(runs, common_front(runs), strict=True):
        for point, kept in zip(run.sweep.points, front, strict=True):
            honest = point.measured.get(HONEST)
            best, chosen = point is run.sweep.best, point is run.chosen
            cell = Cell(point, honest, kept, best, chosen)
            found.setdefault(point.value, {})[run.number] = cell
    values = sorted(found) if all(isinstance(v, (int, float)) for v in found) else list(found)
    return [_line(value, found[value], runs) for value in values]


def _line(value: Any, cells: dict[int, Cell], runs: Sequence[Run]) -> TableLine:
    risk = next(iter(cells.values())).point.risk
    return TableLine(value, risk, tuple(cells.get(run.number) for run in runs))
