"""Several sweeps side by side: what each is called, and which releases none of them beats.

With categories a sweep's loss is measured against items already replaced, which flatters it; where
releases are compared, the loss against the original items counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.core.sweep import Sweep, SweepPoint, pareto_front
from tokumei.core.text import Text
from tokumei.histories.measures.losses import DayLoss, ItemLoss, PriceLoss, QuantityLoss
from tokumei.histories.study import HistoryStudy

HONEST = "honest_loss"
COLUMNS = {one.name: one.heading for one in (DayLoss, ItemLoss, PriceLoss, QuantityLoss)}
"""The columns of a history, which are the parts of the loss."""


@dataclass(frozen=True)
class Run:
    """One sweep with a label, and the study it belongs to if there is one."""

    number: int
    label: Text
    sweep: Sweep
    study: HistoryStudy | None = None

    @property
    def categorized(self) -> bool:
        """Whether items were replaced by categories first."""
        return HONEST in self.sweep.points[0].measured

    @property
    def chosen(self) -> SweepPoint:
        """The release looked at: the study's, else the smallest sum."""
        return self.study.point if self.study else self.sweep.best


def runs_of(sources: Sequence[HistoryStudy | Sweep]) -> list[Run]:
    """All sweeps in the order given, a study's sweep with categories right behind it."""
    found: list[tuple[Sweep, HistoryStudy | None]] = []
    for source in sources:
        if isinstance(source, Sweep):
            found.append((source, None))
            continue
        found.append((source.sweep, source))
        if source.by_category:
            found.append((source.by_category, None))
    labels = _distinct([_label(sweep) for sweep, _ in found])
    return [
        Run(number, label, sweep, study)
        for number, (label, (sweep, study)) in enumerate(zip(labels, found, strict=True), 1)
    ]


def honest_loss_of(point: SweepPoint) -> float:
    """The loss against the original items."""
    return point.measured.get(HONEST, point.loss)


def honest_total(point: SweepPoint) -> float:
    """The sum that may be compared between sweeps."""
    return honest_loss_of(point) + point.risk


def common_front(runs: Sequence[Run]) -> list[list[bool]]:
    """Per sweep and release: whether no release of any sweep beats it in loss and risk."""
    points = [point for run in runs for point in run.sweep.points]
    costs = np.array([[honest_loss_of(point), point.risk] for point in points])
    kept = iter(pareto_front(costs).tolist())
    return [[next(kept) for _ in run.sweep.points] for run in runs]


def _label(sweep: Sweep) -> Text:
    name = sweep.method
    if sweep.points and HONEST in sweep.points[0].measured:
        return Text(f"{name} + categories", f"{name} + カテゴリー")
    return Text(name, name)


def _distinct(labels: list[Text]) -> list[Text]:
    """Equal labels numbered, so that no two curves share a name."""
    seen: dict[Text, int] = {}
    found = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        again = f" ({seen[label]})" if seen[label] > 1 else ""
        found.append(Text(label.en + again, label.ja + again))
    return found
