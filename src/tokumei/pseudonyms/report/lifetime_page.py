"""Writes the report on a lifetime curve: table, figures, charts, page.

write_all(lifetime_outputs(lifetime(history), "out"))
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tokumei.core.described import find_title
from tokumei.core.formatting import format_number, format_percent, format_percent_range
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.pseudonyms import registry
from tokumei.pseudonyms.lifetime_curve import LifetimeCurve, LifetimePoint
from tokumei.pseudonyms.report.lifetime_charts import (
    describe_months,
    knowledge_panel,
    lifetime_panel,
    utility_panel,
    varying_measures,
)
from tokumei.report.curve_page import CurvePage, FigureCell, FigureGrid, PageSection, curve_outputs
from tokumei.report.page_parts import Caution, KeyFigure

CAUTIONS = (
    Caution(
        Message("One attack, one draw of knowledge", "攻撃は一つ、知識の抽出は一回"),
        Message(
            "A stronger attack, or somebody who knows other purchases, may link more. Take the "
            "strongest attack and more knowledge than you expect.",
            "より強い攻撃や、別の購買を知る人なら、さらに多くを結び付けるかもしれません。"
            "最も強い攻撃と、想定より多い知識で確かめてください。",
        ),
    ),
    Caution(
        Message("The same pseudonym must not come back", "同じ仮名を再び使わない"),
        Message(
            "The curve is about one release. Pseudonyms that are used again in a later release "
            "live on, and their lifetimes add up.",
            "この結果は一回の公開についてのものです。後の公開で同じ仮名を再び使えば、"
            "その仮名は使われ続けていることになり、有効期間は合算されます。",
        ),
    ),
    Caution(
        Message("Linking across months needs no pseudonym", "仮名がなくても月はつながる"),
        Message(
            "Habits link pseudonyms of different months to each other. The attack by profiles "
            "(halves) shows how far that goes.",
            "購買の習慣だけで、別の月の仮名どうしが結び付くことがあります。"
            "どこまで可能かは、履歴の特徴による攻撃 (前半と後半) で分かります。",
        ),
    ),
)


def describe_recommendation(curve: LifetimeCurve) -> Message:
    """The recommendation."""
    rate = format_percent(curve.rate)
    if curve.longest is None:
        return Message(
            f"No lifetime keeps the link rate under {rate}",
            f"どの有効期間でも、結び付く仮名を {rate} 未満にできない",
        )
    return Message(
        f"Pseudonyms may be used for {describe_months(curve.longest).en}: fewer than {rate} are "
        f"linked",
        f"仮名は {curve.longest} か月まで: 結び付くのは {rate} 未満",
    )


def describe_decisive_rate(curve: LifetimeCurve) -> Message:
    """The figure that decides: of the longest lifetime allowed, or of the best one."""
    lifetime = curve.longest or min(curve.points, key=lambda point: point.links.high).lifetime
    lifetime_points = [point for point in curve.points if point.lifetime == lifetime]
    links = max(lifetime_points, key=lambda point: point.links.high).links
    rate, span = format_percent(links.rate), format_percent_range(links.low, links.high)
    best = "" if curve.longest else " at best"
    least = "" if curve.longest else "最も低くても "
    return Message(
        f"With pseudonyms of {describe_months(lifetime).en} the attack {curve.attack} "
        f"names{best} the "
        f"customer of {rate} of them (95 % interval {span}).",
        f"有効期間 {lifetime} か月では、攻撃 {curve.attack} が{least} {rate} の仮名の持ち主を"
        f"特定します (95 % 区間 {span})。",
    )


def describe_release(curve: LifetimeCurve) -> Message:
    """What was released."""
    settings = ", ".join(f"{name} = {value}" for name, value in curve.params.items())
    more = f" · {settings}" if settings else ""
    return Message(
        f"{curve.rows:,} rows · {curve.customers:,} customers · {curve.periods} months · "
        f"attack {curve.attack}{more}",
        f"{curve.rows:,} 行・顧客 {curve.customers:,} 人・{curve.periods} か月・"
        f"攻撃 {curve.attack}{more}",
    )


def lifetime_outputs(curve: LifetimeCurve, folder: str | Path) -> list[Output]:
    """lifetime.csv, lifetime.json, a picture per chart and report.html, not yet written."""
    rows = pl.DataFrame([point.as_json() for point in curve.points], infer_schema_length=None)
    return curve_outputs("lifetime", rows, curve.as_json(), lifetime_page(curve), folder)


def lifetime_page(curve: LifetimeCurve) -> CurvePage:
    """The page: the recommendation, risk against lifetime and knowledge, utility, all figures."""
    return CurvePage(
        title=Message("How long may a pseudonym be used?", "仮名をどれだけ使い続けてよいか"),
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
                f"of the pseudonyms are linked if each is used for "
                f"{describe_months(point.lifetime).en}",
                f"{describe_months(point.lifetime).ja}使う仮名のうち、本人に結び付けられたもの",
            ),
        )
        for point in strongest[:1] + strongest[1:][-1:]
    ]
    limit = KeyFigure(format_percent(curve.rate), None, Message("allowed", "許容する割合"))
    chance = Message("by a blind guess", "当てずっぽうの場合")
    return [*keys, limit, KeyFigure(format_percent(strongest[0].links.baseline), None, chance)]


def _risk_section(curve: LifetimeCurve) -> PageSection:
    panels = [lifetime_panel(curve)]
    if len(curve.alphas) > 1:
        panels.append(knowledge_panel(curve))
    return PageSection(
        "risk",
        Message("Risk", "リスク"),
        Message(
            "The longer a pseudonym is used, the more purchases it collects, and the more of "
            "them somebody may know. The band is the 95 % interval; its upper end is compared "
            "with the limit.",
            "仮名を長く使うほど、一つの仮名に多くの購買が集まり、知られている購買も増えます。"
            "帯は 95 % 区間で、その上端を上限と比べます。",
        ),
        panels,
        _risk_grid(curve),
        Message(
            "Linked: pseudonyms whose customer the attack names. Active pairs: (month, customer) "
            "cells of the pseudonym table found; whole rows: customers of whom every month is "
            "right, both with the most knowledge. Shaded: the longest lifetime under the limit.",
            "結び付き: 攻撃が持ち主を特定した仮名。有効な組: 仮名表の (月, 顧客) のうち当たった"
            "もの。全月正答: すべての月が当たった顧客 (どちらも最も多い知識の場合)。"
            "色付きは、上限を下回る最長の有効期間です。",
        ),
    )


def _risk_grid(curve: LifetimeCurve) -> FigureGrid:
    header = [
        Message("Lifetime", "有効期間"),
        *(_linked_column_title(alpha) for alpha in curve.alphas),
    ]
    header += [Message("Active pairs", "有効な組"), Message("Whole rows", "全月正答")]
    header += [Message("Pseudonyms", "仮名の数"), Message("Rows each", "仮名あたりの行")]
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
    return FigureGrid(Message("Risk", "リスク"), header, lines, _chosen_lines(curve))


def _linked_column_title(alpha: float | None) -> Message:
    if alpha is None:
        return Message("Linked", "結び付き")
    return Message(f"Linked, {alpha:.0%} known", f"結び付き ({alpha:.0%} を知る)")


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
    header = [Message("Lifetime", "有効期間"), *titles]
    return [
        PageSection(
            "utility",
            Message("What it costs", "有用性との釣り合い"),
            Message(
                "Short-lived pseudonyms cut each customer’s history into pieces. What depends on "
                "who buys what together is lost with them. 0 is no loss, 1 (100 %) the worst.",
                "仮名を短く切ると、顧客の履歴が細切れになり、「何が一緒に買われるか」に基づく"
                "分析の精度が下がります。0 が損失なし、1 (100 %) が最悪です。",
            ),
            [utility_panel(curve)],
            FigureGrid(Message("Losses", "損失"), header, lines, _chosen_lines(curve)),
        )
    ]


def _points_by_lifetime(curve: LifetimeCurve) -> list[tuple[int, list[LifetimePoint]]]:
    """The points of every lifetime, by growing knowledge."""
    return [(time, [p for p in curve.points if p.lifetime == time]) for time in curve.lifetimes]


def _chosen_lines(curve: LifetimeCurve) -> list[int]:
    return [place for place, time in enumerate(curve.lifetimes) if time == curve.longest]
