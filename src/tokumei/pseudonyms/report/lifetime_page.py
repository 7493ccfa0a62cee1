"""Writes the report on a lifetime curve: table, figures, charts, page.

write_all(lifetime_outputs(lifetime(history), "out"))
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from tokumei.core.described import find_title
from tokumei.core.formatting import format_number, format_percent, format_percent_range
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.pages.curve_page import CurvePage, FigureCell, FigureGrid, PageSection, curve_outputs
from tokumei.pages.page_parts import Caution, KeyFigure
from tokumei.pseudonyms import registry
from tokumei.pseudonyms.lifetime_curve import LifetimeCurve, LifetimePoint
from tokumei.pseudonyms.report.lifetime_charts import (
    describe_months,
    knowledge_panel,
    lifetime_panel,
    utility_panel,
    varying_measures,
)

CAUTIONS = (
    Caution(
        Message("One attack, one draw of knowledge"),
        Message(
            "A stronger attack, or somebody who knows other purchases, may link more. Take the "
            "strongest attack and more knowledge than you expect."
        ),
    ),
    Caution(
        Message("The same pseudonym must not come back"),
        Message(
            "The curve is about one release. Pseudonyms that are used again in a later release "
            "live on, and their lifetimes add up."
        ),
    ),
    Caution(
        Message("Linking across months needs no pseudonym"),
        Message(
            "Habits link pseudonyms of different months to each other. The attack by profiles "
            "(halves) shows how far that goes."
        ),
    ),
)


def describe_recommendation(curve: LifetimeCurve) -> Message:
    """The recommendation."""
    if curve.longest is None:
        return Message("No lifetime keeps the link rate under {limit:percent}", limit=curve.rate)
    return Message(
        "Pseudonyms may be used for {count} month: fewer than {limit:percent} are linked",
        plural="Pseudonyms may be used for {count} months: fewer than {limit:percent} are linked",
        count=curve.longest,
        limit=curve.rate,
    )


def describe_decisive_rate(curve: LifetimeCurve) -> Message:
    """The figure that decides: of the longest lifetime allowed, or of the best one."""
    lifetime = curve.longest or min(curve.points, key=lambda point: point.links.high).lifetime
    lifetime_points = [point for point in curve.points if point.lifetime == lifetime]
    links = max(lifetime_points, key=lambda point: point.links.high).links
    figures: dict[str, Any] = {
        "count": lifetime,
        "attack": curve.attack,
        "rate": links.rate,
        "interval": format_percent_range(links.low, links.high),
    }
    if curve.longest:
        return Message(
            "With pseudonyms of {count} month the attack {attack} names the customer of "
            "{rate:percent} of them (95 % interval {interval}).",
            plural="With pseudonyms of {count} months the attack {attack} names the customer of "
            "{rate:percent} of them (95 % interval {interval}).",
            **figures,
        )
    return Message(
        "At best, with pseudonyms of {count} month, the attack {attack} names the customer of "
        "{rate:percent} of them (95 % interval {interval}).",
        plural="At best, with pseudonyms of {count} months, the attack {attack} names the customer "
        "of {rate:percent} of them (95 % interval {interval}).",
        **figures,
    )


def describe_release(curve: LifetimeCurve) -> Message:
    """What was released."""
    release = Message(
        "{rows:,} rows · {customers:,} customers · {months} months · attack {attack}",
        rows=curve.rows,
        customers=curve.customers,
        months=curve.periods,
        attack=curve.attack,
    )
    if not curve.params:
        return release
    settings = ", ".join(f"{name} = {value}" for name, value in curve.params.items())
    return Message("{release} · {settings}", release=release, settings=settings)


def lifetime_outputs(curve: LifetimeCurve, folder: str | Path) -> list[Output]:
    """lifetime.csv, lifetime.json, a picture per chart and report.html, not yet written."""
    rows = pl.DataFrame([point.as_json() for point in curve.points], infer_schema_length=None)
    return curve_outputs("lifetime", rows, curve.as_json(), lifetime_page(curve), folder)


def lifetime_page(curve: LifetimeCurve) -> CurvePage:
    """The page: the recommendation, risk against lifetime and knowledge, utility, all figures."""
    return CurvePage(
        title=Message("How long may a pseudonym be used?"),
        headline=describe_recommendation(curve),
        detail=describe_decisive_rate(curve),
        facts=describe_release(curve),
        figures=_key_figures(curve),
        sections=[_risk_section(curve), *_utility_sections(curve)],
        cautions=CAUTIONS,
    )


def _key_figures(curve: LifetimeCurve) -> list[KeyFigure]:
    """The shortest and the longest lifetime under the strongest knowledge, limit and chance."""
    strongest = [point for point in curve.points if point.alpha == curve.alphas[-1]]
    strongest.sort(key=lambda point: point.lifetime)
    keys = [
        KeyFigure(
            format_percent(point.links.rate),
            None,
            Message(
                "of the pseudonyms are linked if each is used for {count} month",
                plural="of the pseudonyms are linked if each is used for {count} months",
                count=point.lifetime,
            ),
        )
        for point in strongest[:1] + strongest[1:][-1:]
    ]
    limit = KeyFigure(format_percent(curve.rate), None, Message("allowed"))
    chance = Message("by a blind guess")
    return [*keys, limit, KeyFigure(format_percent(strongest[0].links.baseline), None, chance)]


def _risk_section(curve: LifetimeCurve) -> PageSection:
    panels = [lifetime_panel(curve)]
    if len(curve.alphas) > 1:
        panels.append(knowledge_panel(curve))
    return PageSection(
        "risk",
        Message("Risk"),
        Message(
            "The longer a pseudonym is used, the more purchases it collects, and the more of them "
            "somebody may know. The band is the 95 % interval; its upper end is compared with the "
            "limit."
        ),
        panels,
        _risk_grid(curve),
        Message(
            "Linked: pseudonyms whose customer the attack names. Active pairs: (month, customer) "
            "cells of the pseudonym table found; whole rows: customers of whom every month is "
            "right, both with the most knowledge. Shaded: the longest lifetime under the limit."
        ),
    )


def _risk_grid(curve: LifetimeCurve) -> FigureGrid:
    header = [Message("Lifetime"), *(_linked_column_title(alpha) for alpha in curve.alphas)]
    header += [Message("Active pairs"), Message("Whole rows")]
    header += [Message("Pseudonyms"), Message("Rows per pseudonym")]
    lines = []
    for lifetime, points in _points_by_lifetime(curve):
        most = points[-1]
        rates = [point.links for point in points]
        linked = [
            FigureCell(
                format_percent(point_links.rate),
                format_percent_range(point_links.low, point_links.high),
            )
            for point_links in rates
        ]
        others = [format_percent(most.reid_active), format_percent(most.reid_all)]
        others += [f"{most.links.pseudonyms:,}", format_number(most.rows_per_pseudonym)]
        lines.append((describe_months(lifetime), [*linked, *(FigureCell(text) for text in others)]))
    return FigureGrid(Message("Risk"), header, lines, _chosen_lines(curve))


def _linked_column_title(alpha: float | None) -> Message:
    if alpha is None:
        return Message("Linked")
    return Message("Linked, {share:percent} known", share=alpha)


def _utility_sections(curve: LifetimeCurve) -> list[PageSection]:
    """Nothing, if no measure depends on the lifetime."""
    if not varying_measures(curve):
        return []
    measures = list(curve.points[0].utility)
    lines = [
        (
            describe_months(lifetime),
            [FigureCell(f"{points[0].utility[name]:.3f}") for name in measures],
        )
        for lifetime, points in _points_by_lifetime(curve)
    ]
    titles = [find_title(registry.measures, name) for name in measures]
    header = [Message("Lifetime"), *titles]
    return [
        PageSection(
            "utility",
            Message("What it costs"),
            Message(
                "Short-lived pseudonyms cut each customer’s history into pieces. What depends on "
                "who buys what together is lost with them. 0 is no loss, 1 (100 %) the worst."
            ),
            [utility_panel(curve)],
            FigureGrid(Message("Losses"), header, lines, _chosen_lines(curve)),
        )
    ]


def _points_by_lifetime(curve: LifetimeCurve) -> list[tuple[int, list[LifetimePoint]]]:
    """The points of every lifetime, by growing knowledge."""
    return [(time, [p for p in curve.points if p.lifetime == time]) for time in curve.lifetimes]


def _chosen_lines(curve: LifetimeCurve) -> list[int]:
    return [place for place, time in enumerate(curve.lifetimes) if time == curve.longest]
