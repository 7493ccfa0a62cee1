"""The rows behind the charts: figures of sweeps and studies, nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.sweep import Sweep
from tokumei.core.text import Text
from tokumei.histories.categories.keywords import display_name
from tokumei.histories.report.overlay import COLUMNS, HONEST, Run, common_front, honest_loss_of
from tokumei.histories.study import HistoryStudy

Row = dict[str, Any]

LOSS = Text("loss", "損失")
RISK = Text("risk 1/k", "リスク 1/k")
TOTAL = Text("sum", "合計")
CATEGORY_LOSSES = {
    "plain": Text("items as they are", "商品のまま"),
    "contest": Text("categories, the contest's figure", "カテゴリー (コンテストの計算)"),
    "honest": Text("categories, honest figure", "カテゴリー (元の商品との比較)"),
}


def figure_rows(runs: Sequence[Run]) -> list[Row]:
    """Loss, risk and sum against the parameter; equal risks of several sweeps only once."""
    rows: list[Row] = []
    risks: set[tuple[Any, float]] = set()
    highest = max(runs, key=lambda run: run.sweep.best.total)
    for run in runs:
        # Only above the highest and below the others is room for a label.
        side = "above" if len(runs) > 1 and run is highest else "below"
        for point in run.sweep.points:
            shown = [(LOSS, point.loss), (TOTAL, point.total)]
            if (point.value, point.risk) not in risks:
                risks.add((point.value, point.risk))
                shown.insert(1, (RISK, point.risk))
            best = point is run.sweep.best
            rows += [_figure(run, point.value, what, value, best, side) for what, value in shown]
    return rows


def _figure(run: Run, x: Any, what: Text, value: float, best: bool, side: str) -> Row:
    best = best and what is TOTAL
    note = f"{run.sweep.parameter} = {x}: {value:.3f}" if best else ""
    names = {"what_en": what.en, "what_ja": what.ja, "run_en": run.label.en, "run_ja": run.label.ja}
    return {"x": x, "value": value, **names, "best": best, "note": note, "side": side}


def front_rows(runs: Sequence[Run]) -> list[Row]:
    """Loss against risk, one row per release; the loss is the honest one."""
    rows: list[Row] = []
    for run, front in zip(runs, common_front(runs), strict=True):
        values = [point.value for point in run.sweep.points]
        for point, kept in zip(run.sweep.points, front, strict=True):
            best = point is run.sweep.best
            tag = str(point.value) if best or (kept and _tagged(point.value, values)) else ""
            names = {"run_en": run.label.en, "run_ja": run.label.ja}
            figures = {"loss": honest_loss_of(point), "risk": point.risk}
            rows.append(
                {"x": point.value, **figures, **names, "front": kept, "best": best, "tag": tag}
            )
    return rows


def _tagged(value: Any, values: Sequence[Any]) -> bool:
    """Few enough labels to stay apart: small numbers, fives and the last."""
    few = len(values) <= 8 or not isinstance(value, int)
    return few or value <= 6 or value % 5 == 0 or value == values[-1]


def kept_rows(runs: Sequence[Run]) -> list[Row]:
    """Share of rows kept against the parameter."""
    return [
        {
            "x": point.value,
            "kept": point.rows_kept,
            "run_en": run.label.en,
            "run_ja": run.label.ja,
        }
        for run in runs
        for point in run.sweep.points
    ]


def column_rows(sweep: Sweep) -> list[Row]:
    """What each column adds to the loss (a quarter of its mean cell error)."""
    return [
        {
            "x": point.value,
            "order": order,
            "en": title.en,
            "ja": title.ja,
            "part": point.measured[f"loss_{name}"] / len(COLUMNS),
            "error": point.measured[f"loss_{name}"],
        }
        for point in sweep.points
        for order, (name, title) in enumerate(COLUMNS.items())
        if f"loss_{name}" in point.measured
    ]


def activity_rows(study: HistoryStudy) -> list[Row]:
    """Rows kept per tenth of the customers by activity."""
    return [
        {"tenth": part.tenth, "kept": part.kept, "customers": part.customers, "rows": part.rows}
        for part in study.activity
    ]


def month_rows(study: HistoryStudy) -> list[Row]:
    """Sales per month, both curves."""
    sides = (
        ("original", Text("Original", "元データ")),
        ("released", Text("Release", "匿名加工後")),
    )
    return [
        {"month": month.month, "en": title.en, "ja": title.ja, "sales": getattr(month, side)}
        for month in study.months
        for side, title in sides
    ]


def size_rows(sizes: Mapping[str, int]) -> list[Row]:
    """Items per category, built-in names in both languages."""
    return [
        {"en": display_name(name, "en"), "ja": display_name(name, "ja"), "items": count}
        for name, count in sizes.items()
    ]


def category_rows(plain: Sweep, categorized: Sweep) -> list[Row]:
    """Three losses against the parameter: without categories, and with them told two ways."""
    found = [(p.value, "plain", p.loss) for p in plain.points]
    found += [(p.value, "contest", p.loss) for p in categorized.points]
    found += [(p.value, "honest", p.measured[HONEST]) for p in categorized.points]
    return [
        {"x": x, "en": CATEGORY_LOSSES[what].en, "ja": CATEGORY_LOSSES[what].ja, "loss": loss}
        for x, what, loss in found
    ]
