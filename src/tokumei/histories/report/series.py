"""Several sweeps side by side, and the rows behind their charts: figures, nothing else.

With categories a sweep's loss is measured against items already replaced, which flatters it; where
releases are compared, the loss against the original items counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.sweep import Sweep, SweepPoint, pareto_front
from tokumei.core.text import Text
from tokumei.histories.categories.keywords import display_name
from tokumei.histories.data.columns import is_value
from tokumei.histories.measures.losses import DayLoss, ItemLoss, PriceLoss, QuantityLoss
from tokumei.histories.study import HistoryStudy
from tokumei.histories.sweeps import FOUND
from tokumei.report.palette import both

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
    def attacked(self) -> bool:
        """Whether every release was attacked."""
        return all(FOUND in point.measured for point in self.sweep.points)

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


Row = dict[str, Any]

LOSS = Text("loss", "損失")
RISK = Text("risk 1/k", "リスク 1/k")
TOTAL = Text("sum", "合計")
SIDES = (Text("Original", "元データ"), Text("Release", "匿名加工後"))
CATEGORY_LOSSES = {
    "plain": Text("items as they are", "商品のまま"),
    "contest": Text("categories, the contest's figure", "カテゴリー (コンテストの計算)"),
    "honest": Text("categories, honest figure", "カテゴリー (元の商品との比較)"),
}


def figure_rows(runs: Sequence[Run]) -> list[Row]:
    """Loss, risk and sum against the parameter; equal risks of several sweeps only once.

    The loss is the honest one, as everywhere on the page that says no other.
    """
    rows: list[Row] = []
    risks: set[tuple[Any, float]] = set()
    highest = max(runs, key=lambda run: honest_total(run.best))
    for run in runs:
        # Only above the highest and below the others is room for a label.
        side = "above" if len(runs) > 1 and run is highest else "below"
        for point in run.sweep.points:
            shown = [(LOSS, honest_loss_of(point)), (TOTAL, honest_total(point))]
            if (point.value, point.risk) not in risks:
                risks.add((point.value, point.risk))
                shown.insert(1, (RISK, point.risk))
            for what, value in shown:
                best = point is run.best and what is TOTAL
                note = f"{run.sweep.parameter} = {point.value}: {value:.3f}" if best else ""
                names = {**both(what, "what_"), **both(run.label, "run_")}
                looks = {"best": best, "note": note, "side": side}
                rows.append({"x": point.value, "value": value, **names, **looks})
    return rows


def front_rows(runs: Sequence[Run]) -> list[Row]:
    """Loss against risk, one row per release; the loss is the honest one."""
    rows: list[Row] = []
    for run, front in zip(runs, common_front(runs), strict=True):
        values = [point.value for point in run.sweep.points]
        for point, kept in zip(run.sweep.points, front, strict=True):
            best = point is run.best
            tag = str(point.value) if best or (kept and _tagged(point.value, values)) else ""
            row = {"x": point.value, "loss": honest_loss_of(point), "risk": point.risk}
            looks = {"front": kept, "best": best, "tag": tag}
            rows.append({**row, **both(run.label, "run_"), **looks})
    return rows


def _tagged(value: Any, values: Sequence[Any]) -> bool:
    """Few enough labels to stay apart: small numbers, fives and the last."""
    few = len(values) <= 8 or not isinstance(value, int)
    return few or value <= 6 or value % 5 == 0 or value == values[-1]


def kept_rows(runs: Sequence[Run]) -> list[Row]:
    """Share of rows kept against the parameter."""
    return [
        {"x": point.value, "kept": point.rows_kept, **both(run.label, "run_")}
        for run in runs
        for point in run.sweep.points
    ]


def column_rows(sweep: Sweep) -> list[Row]:
    """What each column adds to the loss (its share of its mean cell error)."""
    rows: list[Row] = []
    for point in sweep.points:
        titles = {f"loss_{name}": title for name, title in _titles(point.measured).items()}
        parts = [key for key in titles if key in point.measured]
        for order, key in enumerate(parts):
            error = point.measured[key]
            at = {"x": point.value, "order": order, **both(titles[key])}
            rows.append({**at, "part": error / len(parts), "error": error})
    return rows


def _titles(measured: Mapping[str, float]) -> dict[str, Text]:
    """The columns of a history; further values go by their own names."""
    values = [name for key in measured if is_value(name := key.removeprefix("loss_"))]
    return COLUMNS | {name: Text(name, name) for name in values}


def column_titles(runs: Sequence[Run]) -> dict[str, Text]:
    """The columns that have a loss in any run."""
    points = (point for run in runs for point in run.sweep.points)
    return {name: title for one in points for name, title in _titles(one.measured).items()}


def activity_rows(study: HistoryStudy) -> list[Row]:
    """Rows kept per tenth of the customers by activity."""
    return study.activity.select(
        pl.col("decile").alias("tenth"), "kept", "customers", "rows"
    ).to_dicts()


def month_rows(study: HistoryStudy) -> list[Row]:
    """Sales per month, both curves."""
    return [
        {"month": f"{month:%Y-%m}", **both(title), "sales": sales}
        for month, *sides in study.months.iter_rows()
        for title, sales in zip(SIDES, sides, strict=True)
    ]


def size_rows(sizes: Mapping[str, int]) -> list[Row]:
    """Items per category, built-in names in both languages."""
    return [
        {"en": display_name(name, "en"), "ja": display_name(name, "ja"), "items": count}
        for name, count in sizes.items()
    ]


FIVE_LINES = (
    Text("loss, items", "損失 (商品のまま)"),
    Text("sum, items", "合計 (商品のまま)"),
    Text("loss, categories", "損失 (カテゴリー)"),
    Text("sum, categories", "合計 (カテゴリー)"),
    Text("risk 1/k", "リスク 1/k"),
)


def five_rows(plain: Sweep, categorized: Sweep) -> list[Row]:
    """Loss and sum without and with categories, as the contest counts them, and 1/k."""
    rows: list[Row] = []
    plainly = {"best": False, "note": ""}
    for number, sweep in enumerate((plain, categorized)):
        loss, total = FIVE_LINES[2 * number : 2 * number + 2]
        for point in sweep.points:
            best = point is sweep.best
            note = f"{sweep.parameter} = {point.value}: {point.total:.3f}" if best else ""
            at = {"x": point.value, "side": "above" if number == 0 else "below"}
            rows.append({**at, **both(loss), "value": point.loss, **plainly})
            rows.append({**at, **both(total), "value": point.total, "best": best, "note": note})
    risk = both(FIVE_LINES[4])
    return rows + [
        {"x": p.value, **risk, "value": p.risk, **plainly, "side": ""} for p in plain.points
    ]


def category_rows(plain: Sweep, categorized: Sweep) -> list[Row]:
    """Three losses against the parameter: without categories, and with them told two ways."""
    found = [(p.value, "plain", p.loss) for p in plain.points]
    found += [(p.value, "contest", p.loss) for p in categorized.points]
    found += [(p.value, "honest", p.measured[HONEST]) for p in categorized.points]
    return [{"x": x, **both(CATEGORY_LOSSES[what]), "loss": loss} for x, what, loss in found]
