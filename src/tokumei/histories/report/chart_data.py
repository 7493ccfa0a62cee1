"""Rows of the charts that show several sweeps side by side.

With categories a sweep's loss is measured against items already replaced, which flatters it; where
releases are compared, the loss against the original items counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep, SweepPoint, pareto_front
from tokumei.histories.categories.keywords import category_title
from tokumei.histories.data.column_parsing import is_value_column
from tokumei.histories.measures.losses import DayLoss, ItemLoss, PriceLoss, QuantityLoss
from tokumei.histories.study import HistoryStudy
from tokumei.histories.sweeps import STRONGEST_FOUND
from tokumei.pages.palette import bilingual_columns

HONEST_LOSS_KEY = "honest_loss"
COLUMN_TITLES = {loss.name: loss.heading for loss in (DayLoss, ItemLoss, PriceLoss, QuantityLoss)}
"""The columns of a history, which are the parts of the loss."""


@dataclass(frozen=True)
class SweepRun:
    """One sweep with a label, and the study it belongs to if there is one."""

    number: int
    label: Message
    sweep: Sweep
    study: HistoryStudy | None = None

    @property
    def categorized(self) -> bool:
        """Whether items were replaced by categories first."""
        return HONEST_LOSS_KEY in self.sweep.points[0].measured

    @property
    def attacked(self) -> bool:
        """Whether every release was attacked."""
        return all(STRONGEST_FOUND in point.measured for point in self.sweep.points)

    @property
    def columns(self) -> int:
        """How many columns of the table of all releases are this sweep's."""
        return 4 + self.categorized + 2 * self.attacked

    @property
    def best(self) -> SweepPoint:
        """The smallest sum of risk and the loss that the page shows, against the real items."""
        return min(self.sweep.points, key=honest_total)

    @property
    def chosen(self) -> SweepPoint:
        """The release looked at: the study's, else the smallest sum."""
        return self.study.point if self.study else self.best


def to_sweep_runs(sources: Sequence[HistoryStudy | Sweep]) -> list[SweepRun]:
    """All sweeps in the order given, a study's sweep with categories right behind it."""
    sweeps: list[tuple[Sweep, HistoryStudy | None]] = []
    for source in sources:
        if isinstance(source, Sweep):
            sweeps.append((source, None))
            continue
        sweeps.append((source.sweep, source))
        if source.by_category:
            sweeps.append((source.by_category, None))
    labels = _number_duplicates([_sweep_label(sweep) for sweep, _ in sweeps])
    return [
        SweepRun(number, label, sweep, study)
        for number, (label, (sweep, study)) in enumerate(zip(labels, sweeps, strict=True), 1)
    ]


def honest_loss_of(point: SweepPoint) -> float:
    """The loss against the original items."""
    return point.measured.get(HONEST_LOSS_KEY, point.loss)


def honest_total(point: SweepPoint) -> float:
    """The sum that may be compared between sweeps."""
    return honest_loss_of(point) + point.risk


def front_over_all_runs(runs: Sequence[SweepRun]) -> list[list[bool]]:
    """Per sweep and release: whether no release of any sweep beats it in loss and risk."""
    points = [point for run in runs for point in run.sweep.points]
    costs = np.array([[honest_loss_of(point), point.risk] for point in points])
    on_front = iter(pareto_front(costs).tolist())
    return [[next(on_front) for _ in run.sweep.points] for run in runs]


def _sweep_label(sweep: Sweep) -> Message:
    name = sweep.method
    if sweep.points and HONEST_LOSS_KEY in sweep.points[0].measured:
        return Message("{method} + categories", method=name)
    return Message.verbatim(name)


def _number_duplicates(labels: list[Message]) -> list[Message]:
    """Equal labels numbered, so that no two curves share a name."""
    counts: dict[Message, int] = {}
    numbered = []
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
        again = Message("{label} ({number})", label=label, number=counts[label])
        numbered.append(again if counts[label] > 1 else label)
    return numbered


SweepChartRow = dict[str, object]

LOSS = Message("loss")
RISK = Message("risk 1/k")
TOTAL = Message("sum")
SIDE_TITLES = (Message("Original"), Message("Release", context="of a pair"))
CATEGORY_LOSSES = {
    "plain": Message("items as they are"),
    "contest": Message("categories, the contest's figure"),
    "honest": Message("categories, honest figure"),
}


def loss_risk_rows(runs: Sequence[SweepRun]) -> list[SweepChartRow]:
    """Loss, risk and sum against the parameter; equal risks of several sweeps only once.

    The loss is the honest one, as everywhere on the page that says no other.
    """
    rows: list[SweepChartRow] = []
    risks: set[tuple[object, float]] = set()
    highest = max(runs, key=lambda run: honest_total(run.best))
    for run in runs:
        # Only above the highest and below the others is room for a label.
        side = "above" if len(runs) > 1 and run is highest else "below"
        for point in run.sweep.points:
            shown = [(LOSS, honest_loss_of(point)), (TOTAL, honest_total(point))]
            if (point.value, point.risk) not in risks:
                risks.add((point.value, point.risk))
                shown.insert(1, (RISK, point.risk))
            for figure, value in shown:
                best = point is run.best and figure is TOTAL
                note = f"{run.sweep.parameter} = {point.value}: {value:.3f}" if best else ""
                names = {
                    **bilingual_columns(figure, "what_"),
                    **bilingual_columns(run.label, "run_"),
                }
                marks = {"best": best, "note": note, "side": side}
                rows.append({"x": point.value, "value": value, **names, **marks})
    return rows


def front_rows(runs: Sequence[SweepRun]) -> list[SweepChartRow]:
    """Loss against risk, one row per release; the loss is the honest one."""
    rows: list[SweepChartRow] = []
    for run, front in zip(runs, front_over_all_runs(runs), strict=True):
        values = [point.value for point in run.sweep.points]
        for point, on_front in zip(run.sweep.points, front, strict=True):
            best = point is run.best
            tag = (
                str(point.value) if best or (on_front and _is_labelled(point.value, values)) else ""
            )
            row = {"x": point.value, "loss": honest_loss_of(point), "risk": point.risk}
            marks = {"front": on_front, "best": best, "tag": tag}
            rows.append({**row, **bilingual_columns(run.label, "run_"), **marks})
    return rows


def _is_labelled(value: object, values: Sequence[object]) -> bool:
    """Few enough labels to stay apart: small numbers, fives and the last."""
    if len(values) <= 8 or not isinstance(value, int):
        return True
    return value <= 6 or value % 5 == 0 or value == values[-1]


def rows_kept_rows(runs: Sequence[SweepRun]) -> list[SweepChartRow]:
    """Share of rows kept against the parameter."""
    return [
        {"x": point.value, "kept": point.rows_kept, **bilingual_columns(run.label, "run_")}
        for run in runs
        for point in run.sweep.points
    ]


def column_rows(sweep: Sweep) -> list[SweepChartRow]:
    """What each column adds to the loss (its share of its mean cell error)."""
    rows: list[SweepChartRow] = []
    for point in sweep.points:
        titles = {
            f"loss_{name}": title for name, title in _measured_columns(point.measured).items()
        }
        parts = [key for key in titles if key in point.measured]
        for order, key in enumerate(parts):
            error = point.measured[key]
            position = {"x": point.value, "order": order, **bilingual_columns(titles[key])}
            rows.append({**position, "part": error / len(parts), "error": error})
    return rows


def _measured_columns(measured: Mapping[str, float]) -> dict[str, Message]:
    """The columns of a history; further values go by their own names."""
    values = [name for key in measured if is_value_column(name := key.removeprefix("loss_"))]
    return COLUMN_TITLES | {name: Message.verbatim(name) for name in values}


def column_titles(runs: Sequence[SweepRun]) -> dict[str, Message]:
    """The columns that have a loss in any run."""
    points = (point for run in runs for point in run.sweep.points)
    return {
        name: title
        for sweep_point in points
        for name, title in _measured_columns(sweep_point.measured).items()
    }


def activity_rows(study: HistoryStudy) -> list[SweepChartRow]:
    """Rows kept per tenth of the customers by activity."""
    return study.activity.select(
        pl.col("decile").alias("tenth"), "kept", "customers", "rows"
    ).to_dicts()


def month_rows(study: HistoryStudy) -> list[SweepChartRow]:
    """Sales per month, both curves."""
    return [
        {"month": f"{month:%Y-%m}", **bilingual_columns(title), "sales": sales}
        for month, *sides in study.months.iter_rows()
        for title, sales in zip(SIDE_TITLES, sides, strict=True)
    ]


def category_size_rows(sizes: Mapping[str, int]) -> list[SweepChartRow]:
    """Items per category, built-in names in every language."""
    return [
        {**bilingual_columns(category_title(name)), "items": count} for name, count in sizes.items()
    ]


FIVE_LINE_TITLES = (
    Message("loss, items"),
    Message("sum, items"),
    Message("loss, categories"),
    Message("sum, categories"),
    Message("risk 1/k"),
)


def loss_and_sum_rows(plain: Sweep, categorized: Sweep) -> list[SweepChartRow]:
    """Loss and sum without and with categories, as the contest counts them, and 1/k."""
    rows: list[SweepChartRow] = []
    unmarked = {"best": False, "note": ""}
    for number, sweep in enumerate((plain, categorized)):
        loss, total = FIVE_LINE_TITLES[2 * number : 2 * number + 2]
        for point in sweep.points:
            best = point is sweep.best
            note = f"{sweep.parameter} = {point.value}: {point.total:.3f}" if best else ""
            position = {"x": point.value, "side": "above" if number == 0 else "below"}
            rows.append({**position, **bilingual_columns(loss), "value": point.loss, **unmarked})
            rows.append(
                {
                    **position,
                    **bilingual_columns(total),
                    "value": point.total,
                    "best": best,
                    "note": note,
                }
            )
    risk = bilingual_columns(FIVE_LINE_TITLES[4])
    return rows + [
        {"x": p.value, **risk, "value": p.risk, **unmarked, "side": ""} for p in plain.points
    ]


def category_loss_rows(plain: Sweep, categorized: Sweep) -> list[SweepChartRow]:
    """Three losses against the parameter: without categories, and with them told two ways."""
    losses = [(p.value, "plain", p.loss) for p in plain.points]
    losses += [(p.value, "contest", p.loss) for p in categorized.points]
    losses += [(p.value, "honest", p.measured[HONEST_LOSS_KEY]) for p in categorized.points]
    return [
        {"x": x, **bilingual_columns(CATEGORY_LOSSES[loss_kind]), "loss": loss}
        for x, loss_kind, loss in losses
    ]
