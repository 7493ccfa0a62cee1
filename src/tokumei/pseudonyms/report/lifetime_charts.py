"""The charts of a lifetime curve: risk against lifetime and against knowledge, utility lost."""

from __future__ import annotations

from typing import Any

from tokumei.core.text import Text
from tokumei.core.words import title_of
from tokumei.pseudonyms.lifetime import LifetimeCurve
from tokumei.pseudonyms.links import Links
from tokumei.pseudonyms.registry import measures
from tokumei.report.curve_page import Panel
from tokumei.report.lines import Lines
from tokumei.report.palette import both

LINKED = Text("Pseudonyms linked to their customer", "持ち主に結び付いた仮名")
MONTHS = Text("Lifetime of a pseudonym (months)", "仮名の有効期間 (月)")
MOST_LINES = 5


def lifetime_panel(curve: LifetimeCurve) -> Panel:
    """Link rate against lifetime, a line per knowledge; a ring around the longest allowed."""
    names = {alpha: knowledge_title(alpha) for alpha in curve.alphas}
    lines = Lines(
        MONTHS,
        LINKED,
        curve.lifetimes,
        list(names.values()),
        limit=curve.rate,
        top=_top(curve),
        ring=curve.longest is not None,
    )
    rows = []
    for point in curve.points:
        # The longest lifetime allowed, under the most knowledge.
        decides = point.lifetime == curve.longest and point.alpha == curve.alphas[-1]
        rows.append(line_row(names[point.alpha], point.lifetime, point.links, chosen=decides))
    return Panel(
        "risk-lifetime",
        Text("Against the lifetime", "有効期間に対するリスク"),
        Text(
            "Line chart of the share of pseudonyms linked against their lifetime; the table below "
            "holds the same figures",
            "有効期間に対する結び付いた仮名の割合の折れ線グラフ。同じ値は下の表にあります",
        ),
        rows,
        lines.build,
    )


def knowledge_panel(curve: LifetimeCurve) -> Panel:
    """Link rate against the share of rows known, a line for some of the lifetimes."""
    names = {lifetime: months(lifetime) for lifetime in _some(curve)}
    ticks = [alpha for alpha in curve.alphas if alpha is not None]
    lines = Lines(
        Text("Rows known (α)", "知られている行の割合 (α)"),
        LINKED,
        ticks,
        list(names.values()),
        x_format=".6~%",
        limit=curve.rate,
        top=_top(curve),
    )
    rows = [
        line_row(names[point.lifetime], point.alpha, point.links)
        for point in curve.points
        if point.lifetime in names
    ]
    return Panel(
        "risk-knowledge",
        Text("Against what is known", "知識の量に対するリスク"),
        Text(
            "Line chart of the share of pseudonyms linked against the share of rows known; the "
            "table below holds the same figures",
            "知られている行の割合に対する結び付いた仮名の割合の折れ線グラフ。"
            "同じ値は下の表にあります",
        ),
        rows,
        lines.build,
    )


def utility_panel(curve: LifetimeCurve) -> Panel:
    """What each measure loses against lifetime."""
    names = {name: title_of(measures, name) for name in varying(curve)[:MOST_LINES]}
    first = [point for point in curve.points if point.alpha == curve.alphas[0]]
    rows = [
        {"x": p.lifetime, "y": loss, "low": loss, "high": loss, **both(title)}
        for name, title in names.items()
        for p in first
        for loss in [p.utility[name]]
    ]
    lines = Lines(MONTHS, Text("Loss", "損失"), curve.lifetimes, list(names.values()))
    return Panel(
        "utility-lifetime",
        Text("Loss against the lifetime", "有効期間に対する損失"),
        Text(
            "Line chart of the losses against the lifetime; the table below holds the same figures",
            "有効期間に対する損失の折れ線グラフ。同じ値は下の表にあります",
        ),
        rows,
        lines.build,
    )


def varying(curve: LifetimeCurve) -> list[str]:
    """The measures that depend on the lifetime."""
    return [
        name
        for name in curve.points[0].utility
        if len({round(point.utility[name], 6) for point in curve.points}) > 1
    ]


def months(count: int) -> Text:
    """A number of months in words."""
    return Text("1 month" if count == 1 else f"{count} months", f"{count} か月")


def knowledge_title(alpha: float | None) -> Text:
    """What the attacker knows, in words."""
    if alpha is None:
        return Text("first half of the months known", "前半の月を知る")
    return Text(f"{alpha:.0%} of rows known", f"行の {alpha:.0%} を知る")


def _top(curve: LifetimeCurve) -> float:
    """Where the axis of rates ends: low curves are not pressed to the floor."""
    most = max(curve.rate * 1.1, *(point.links.high for point in curve.points))
    return next(top for top in (0.05, 0.1, 0.2, 0.4, 0.6, 1.0) if min(most, 1.0) <= top)


def _some(curve: LifetimeCurve) -> list[int]:
    """Few enough lifetimes to tell their lines apart: the ends and what lies evenly between."""
    all_of_them = sorted(curve.lifetimes)
    most = min(MOST_LINES, len(all_of_them))
    last = len(all_of_them) - 1
    places = {round(i * last / max(most - 1, 1)) for i in range(most)}
    return [all_of_them[place] for place in sorted(places)]


def line_row(name: Text, x: float | None, links: Links, *, chosen: bool = False) -> dict[str, Any]:
    """A point of a line with its interval."""
    figures = {"x": x, "y": links.rate, "low": links.low, "high": links.high}
    return {**figures, **both(name), "chosen": chosen}
