"""Charts of a lifetime curve: risk against lifetime and knowledge, utility loss."""

from __future__ import annotations

from tokumei.core.described import find_title
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.pages.curve_page import ChartPanel
from tokumei.pages.line_chart import LineChart
from tokumei.pages.palette import bilingual_columns
from tokumei.pseudonyms.lifetime_curve import LifetimeCurve
from tokumei.pseudonyms.link_rate import LinkRate
from tokumei.pseudonyms.registry import measures

LINKED_TITLE = Message("Pseudonyms linked to their customer")
LIFETIME_TITLE = Message("Lifetime of a pseudonym (months)")
MAX_LINES = 5


def lifetime_panel(curve: LifetimeCurve) -> ChartPanel:
    """Link rate against lifetime, a line per knowledge; a ring around the longest allowed."""
    names = {alpha: knowledge_title(alpha) for alpha in curve.alphas}
    lines = LineChart(
        LIFETIME_TITLE,
        LINKED_TITLE,
        curve.lifetimes,
        list(names.values()),
        limit=curve.rate,
        top=_axis_top(curve),
        ring=curve.longest is not None,
    )
    rows = []
    for point in curve.points:
        # The longest lifetime allowed, under the most knowledge.
        decides = point.lifetime == curve.longest and point.alpha == curve.alphas[-1]
        rows.append(chart_row(names[point.alpha], point.lifetime, point.links, chosen=decides))
    return ChartPanel(
        "risk-lifetime",
        Message("Against the lifetime"),
        Message(
            "Line chart of the share of pseudonyms linked against their lifetime; the table below "
            "holds the same figures"
        ),
        rows,
        lines.build,
    )


def knowledge_panel(curve: LifetimeCurve) -> ChartPanel:
    """Link rate against the share of rows known, a line for some of the lifetimes."""
    names = {lifetime: describe_months(lifetime) for lifetime in _shown_lifetimes(curve)}
    ticks = [alpha for alpha in curve.alphas if alpha is not None]
    lines = LineChart(
        Message("Rows known (α)"),
        LINKED_TITLE,
        ticks,
        list(names.values()),
        x_format=".6~%",
        limit=curve.rate,
        top=_axis_top(curve),
    )
    rows = [
        chart_row(names[point.lifetime], point.alpha, point.links)
        for point in curve.points
        if point.lifetime in names
    ]
    return ChartPanel(
        "risk-knowledge",
        Message("Against what is known"),
        Message(
            "Line chart of the share of pseudonyms linked against the share of rows known; the "
            "table below holds the same figures"
        ),
        rows,
        lines.build,
    )


def utility_panel(curve: LifetimeCurve) -> ChartPanel:
    """What each measure loses against lifetime."""
    names = {name: find_title(measures, name) for name in varying_measures(curve)[:MAX_LINES]}
    first = [point for point in curve.points if point.alpha == curve.alphas[0]]
    rows = [
        {"x": p.lifetime, "y": loss, "low": loss, "high": loss, **bilingual_columns(title)}
        for name, title in names.items()
        for p in first
        for loss in [p.utility[name]]
    ]
    lines = LineChart(LIFETIME_TITLE, Message("Loss"), curve.lifetimes, list(names.values()))
    return ChartPanel(
        "utility-lifetime",
        Message("Loss against the lifetime"),
        Message(
            "Line chart of the losses against the lifetime; the table below holds the same figures"
        ),
        rows,
        lines.build,
    )


def varying_measures(curve: LifetimeCurve) -> list[str]:
    """The measures that depend on the lifetime."""
    return [
        name
        for name in curve.points[0].utility
        if len({round(point.utility[name], 6) for point in curve.points}) > 1
    ]


def describe_months(count: int) -> Message:
    """A number of months in words."""
    return Message("{count} month", plural="{count} months", count=count)


def knowledge_title(alpha: float | None) -> Message:
    """What the attacker knows, in words."""
    if alpha is None:
        return Message("first half of the months known")
    return Message("{share:percent} of rows known", share=alpha)


def _axis_top(curve: LifetimeCurve) -> float:
    """Where the axis of rates ends: low curves are not pressed to the floor."""
    highest = max(curve.rate * 1.1, *(point.links.high for point in curve.points))
    return next(top for top in (0.05, 0.1, 0.2, 0.4, 0.6, 1.0) if min(highest, 1.0) <= top)


def _shown_lifetimes(curve: LifetimeCurve) -> list[int]:
    """Few enough lifetimes to tell their lines apart: the ends and what lies evenly between."""
    lifetimes = sorted(curve.lifetimes)
    line_count = min(MAX_LINES, len(lifetimes))
    last = len(lifetimes) - 1
    places = {round(i * last / max(line_count - 1, 1)) for i in range(line_count)}
    return [lifetimes[place] for place in sorted(places)]


def chart_row(
    name: Message, x: float | None, links: LinkRate, *, chosen: bool = False
) -> JsonObject:
    """A point of a line with its interval."""
    figures = {"x": x, "y": links.rate, "low": links.low, "high": links.high}
    return {**figures, **bilingual_columns(name), "chosen": chosen}
