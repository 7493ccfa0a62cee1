"""Runs a method over values of a parameter: loss, risk, optimum and Pareto front.

result = sweep(HISTORIES, history, "rank-match", range(2, 21))
result.best.value, result.front()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.data_kind import DataKind
from tokumei.core.errors import UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar, thread_count
from tokumei.core.result_table import ShownAsTable

SWEEP_TITLE = Message("sweep")


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


@dataclass(frozen=True, repr=False)
class Sweep(ShownAsTable):
    """All releases of a sweep, in the order of the parameter's values."""

    method: str
    parameter: str
    points: tuple[SweepPoint, ...]
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The method with the parameters that do not vary."""
        fixed_params = ", ".join(f"{name} = {value}" for name, value in self.params.items())
        return f"{self.method} ({fixed_params})" if fixed_params else self.method

    @property
    def best(self) -> SweepPoint:
        """The release with the smallest sum (the first of equals)."""
        return min(self.points, key=lambda point: point.total)

    def front(self) -> list[bool]:
        """Which releases no other one beats in both loss and risk."""
        costs = np.array([[point.loss, point.risk] for point in self.points])
        return [bool(on_front) for on_front in pareto_front(costs)]

    def table_rows(self) -> list[JsonObject]:
        """A row per release; what was measured beside loss and risk stands last."""
        points = zip(self.as_json(), self.points, strict=True)
        return [
            {name: row[name] for name in sorted(row, key=lambda key: key in point.measured)}
            for row, point in points
        ]

    def caption(self) -> Message:
        """The method with the parameters that do not vary."""
        return Message.verbatim(self.label)

    def as_json(self) -> list[JsonObject]:
        """One object per release, as the command line prints it."""
        return [
            {
                self.parameter: point.value,
                "loss": point.loss,
                "risk": point.risk,
                "total": point.total,
                "rows_kept": point.rows_kept,
                **point.measured,
                "front": on_front,
                "best": point is self.best,
            }
            for point, on_front in zip(self.points, self.front(), strict=True)
        ]


Trial = Callable[[Any], SweepPoint]
"""Makes and measures the release for one value of the parameter."""


def sweep(
    kind: DataKind,
    source: object,
    method: str,
    values: Sequence[object],
    *,
    parameter: str = "k",
    params: Mapping[str, object] | None = None,
    **options: object,
) -> Sweep:
    """Loss, risk and what else is asked, for every value; the kind of data says how."""
    values = list(values)
    if not values:
        raise UsageError("give at least one value")
    make_trial = kind.flow.trial
    if make_trial is None:
        title = kind.title
        raise UsageError("{title}: there is no sweep of these", title=title)
    trial = make_trial(source, method, values, parameter=parameter, params=params, **options)
    return run_sweep(method, parameter, values, trial, params)


def run_sweep(
    method: str,
    parameter: str,
    values: Sequence[object],
    trial: Trial,
    params: Mapping[str, object] | None = None,
) -> Sweep:
    """Try every value, several at once where there are cores; the result does not depend on it."""
    with (
        progress_bar(SWEEP_TITLE, len(values)) as advance,
        ContextThreadPool(thread_count()) as pool,
    ):
        running = [pool.submit(trial, value) for value in values]
        try:
            points = []
            for future in running:
                points.append(future.result())
                advance(1)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return Sweep(method, parameter, tuple(points), dict(params or {}))


def pareto_front(costs: np.ndarray) -> np.ndarray:
    """Which rows no other row beats: at most equal in all columns and smaller in one."""
    costs = np.asarray(costs, dtype=np.float64)
    no_worse = (costs[:, None, :] <= costs[None, :, :]).all(axis=2)
    better = (costs[:, None, :] < costs[None, :, :]).any(axis=2)
    return np.asarray(~(no_worse & better).any(axis=0))
