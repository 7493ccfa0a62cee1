"""One method over many values of a parameter: loss, risk, their sum, optimum and Pareto front.

found = sweep(history, "rank-match", values=range(2, 21))
found.best.value, found.front()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.core.answer import Listing
from tokumei.core.pareto import pareto_front
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.core.threads import threads

TITLE = Text("sweep", "掃引")
COLUMNS = (
    Text("loss", "損失"),
    Text("risk", "リスク"),
    Text("sum", "合計"),
    Text("rows kept", "残存行"),
)
MORE_COLUMNS = {
    "honest_loss": Text("honest loss", "元の商品での損失"),
    "plain_loss": Text("without categories", "カテゴリーなし"),
}


@dataclass(frozen=True)
class SweepPoint:
    """One release: what it loses, what it risks, and everything else that was measured."""

    value: Any
    loss: float
    risk: float
    rows_kept: float
    measured: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """Loss plus risk. The two have different units: read the Pareto front beside it."""
        return self.loss + self.risk


@dataclass(frozen=True)
class Sweep:
    """All releases of a sweep, in the order of the parameter's values."""

    method: str
    parameter: str
    points: tuple[SweepPoint, ...]
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The method with the parameters that do not vary."""
        given = ", ".join(f"{name} = {value}" for name, value in self.params.items())
        return f"{self.method} ({given})" if given else self.method

    @property
    def best(self) -> SweepPoint:
        """The release with the smallest sum (the first of equals)."""
        return min(self.points, key=lambda point: point.total)

    def front(self) -> list[bool]:
        """Which releases no other one beats in both loss and risk."""
        costs = np.array([[point.loss, point.risk] for point in self.points])
        return [bool(kept) for kept in pareto_front(costs)]

    def as_json(self) -> list[dict[str, Any]]:
        """One object per release, as the command line prints it."""
        return [
            {
                self.parameter: point.value,
                "loss": point.loss,
                "risk": point.risk,
                "total": point.total,
                "rows_kept": point.rows_kept,
                **point.measured,
                "front": kept,
                "best": point is self.best,
            }
            for point, kept in zip(self.points, self.front(), strict=True)
        ]


def run_sweep(
    method: str,
    parameter: str,
    values: Sequence[Any],
    trial: Callable[[Any], SweepPoint],
    params: Mapping[str, Any] | None = None,
) -> Sweep:
    """Try every value, several at once where there are cores; the result does not depend on it."""
    with meter(TITLE, len(values)) as advance, ThreadPoolExecutor(threads()) as pool:
        running = [pool.submit(trial, value) for value in values]
        try:
            points = []
            for one in running:
                points.append(one.result())
                advance(1)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return Sweep(method, parameter, tuple(points), dict(params or {}))


def sweep_shown(found: Sweep) -> list[Listing | Text]:
    """The table of a sweep, its smallest sum marked, and what the marks mean."""
    measured = [name for name in found.points[0].measured if not name.startswith("loss_")]
    more = (MORE_COLUMNS.get(name, Text(name, name)) for name in measured)
    header: list[Text | str] = [found.parameter, *COLUMNS, *more, Text("front", "最適")]
    rows = []
    for point, kept in zip(found.points, found.front(), strict=True):
        figures = [point.loss, point.risk, point.total, point.rows_kept]
        figures += [point.measured[name] for name in measured]
        mark = "*" if point is found.best else ""
        cells = (f"{figure:.4f}" for figure in figures)
        rows.append([f"{point.value}{mark}", *cells, "●" if kept else ""])
    best = found.best
    marks = Text(
        f"* smallest sum: {found.parameter} = {best.value} ({best.total:.4f}). Loss and risk "
        "have different units; ● no other release has both smaller.",
        f"* 合計の最小: {found.parameter} = {best.value} ({best.total:.4f})。"
        "損失とリスクは単位が異なります。● はどちらでも他に劣らないもの。",
    )
    return [Listing(Text(found.label, found.label), header, rows), marks]
