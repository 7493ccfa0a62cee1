"""Writes the report on a price curve: table, figures, charts and page.

write_all(price_outputs(session.problem(), value_curve(session, range(2, 51)), folder))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.apps.price.problem import PriceProblem
from tokumei.apps.price.report.charts import curve_panel, pattern_panel
from tokumei.apps.price.summary_tables import count_candidates, pattern_table, summarize_problem
from tokumei.apps.price.value_curves import CurvePoint
from tokumei.core.errors import UsageError
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.report.curve_page import CurvePage, FigureCell, FigureGrid, PageSection, curve_outputs
from tokumei.report.page_parts import Caution, KeyFigure, join_sentences

PRICE_CAUTIONS = (
    Caution(
        Message("A price is not an offer", "価格は売値ではない"),
        Message(
            "Values are what advertisers bid for a word, times people. They compare recodings; "
            "they are not what a data set sells for.",
            "価値は「語の広告単価 × 人数」です。加工どうしを比べる目安であり、"
            "データの売値ではありません。",
        ),
    ),
    Caution(
        Message("Prices change", "価格は変わる"),
        Message(
            "Bids change daily. The command “tokumei price diff” shows what a new price list "
            "changes.",
            "入札単価は毎日変わります。コマンド「tokumei price diff」で新しい価格表との違いが"
            "分かります。",
        ),
    ),
    Caution(
        Message("k counts these columns only", "k は対象の列だけで数える"),
        Message(
            "Whoever knows more about a person than these columns may still find them.",
            "これらの列以外の知識をもつ人には、見つけられることがあります。",
        ),
    ),
)

UNPROVEN_NOTE = Message("?: not proven to be the best.", "?: 最適とは未確認。")


def price_outputs(
    problem: PriceProblem, points: Sequence[CurvePoint], folder: str | Path
) -> list[Output]:
    """curve.csv, curve.json, a picture per chart and report.html, not yet written."""
    if not points:
        raise UsageError("there is no answer for any k", "どの k にも答えがありません")
    curve_data = {
        "points": [point.as_json() for point in points],
        "tables": summarize_problem(problem),
    }
    return curve_outputs(
        "curve", _curve_frame(points), curve_data, price_page(problem, points), folder
    )


def price_page(problem: PriceProblem, points: Sequence[CurvePoint]) -> CurvePage:
    """The page: what k costs, and what single patterns are worth."""
    first = points[0]
    shown_points = [first, points[-1]] if len(points) > 1 else [first]
    worth = f"{problem.currency} {first.answer['value']:,.0f}"
    return CurvePage(
        title=Message("What is the data worth?", "データの価値はいくらか"),
        headline=Message(
            f"With k = {first.asked_k} the best recoding is worth {worth}",
            f"k = {first.asked_k} の最適な加工の価値は {worth}",
        ),
        detail=_describe_curve_end(problem, points),
        facts=Message(
            f"{problem.rows:,} people, {len(problem.attributes)} attributes, "
            f"{count_candidates(problem):,} recodings to choose from",
            f"{problem.rows:,} 人、{len(problem.attributes)} 属性、"
            f"候補 {count_candidates(problem):,} 通り",
        ),
        figures=[_share_figure(point) for point in shown_points],
        sections=[_curve_section(problem, points), _pattern_section(problem)],
        cautions=PRICE_CAUTIONS,
    )


def _describe_curve_end(problem: PriceProblem, points: Sequence[CurvePoint]) -> Message:
    """Describe the value at the largest k, and whether all answers are proven optimal."""
    proven = Message(
        "Every point is the recoding with the highest value: no other one is worth more.",
        "どの点も、その k で価値が最も高い加工です。",
    )
    if not _all_proven(points):
        proven = Message(
            "Every point is the recoding with the highest value; where the table has a “?” it is "
            "the best one found.",
            "どの点も、その k で価値が最も高い加工です "
            "(表に「?」があるものは、見つかった中で最も高い加工)。",
        )
    if len(points) == 1:
        return proven
    last = points[-1]
    worth = f"{problem.currency} {last.answer['value']:,.0f}"
    end = Message(
        f"With k = {last.asked_k} it is {worth}.", f"k = {last.asked_k} では {worth} です。"
    )
    return join_sentences(end, proven)


def _all_proven(points: Sequence[CurvePoint]) -> bool:
    return all(point.answer["optimal"] for point in points)


def _share_figure(point: CurvePoint) -> KeyFigure:
    ratio, k = point.answer["ratio"], point.asked_k
    caption = Message(f"of the original value, k = {k}", f"元の価値に対する割合 (k = {k})")
    return KeyFigure("–" if ratio is None else format_percent(ratio), None, caption)


def _curve_section(problem: PriceProblem, points: Sequence[CurvePoint]) -> PageSection:
    names = [
        attribute.name
        for attribute in problem.attributes
        if attribute.name in points[0].answer["choice"]
    ]
    header = [
        Message("k", "k"),
        _value_heading(problem),
        Message("k reached", "実際の k"),
        *(Message(name, name) for name in names),
    ]
    lines = [
        (
            Message(str(point.asked_k), str(point.asked_k)),
            [
                FigureCell(f"{point.answer['value']:,.0f}", "" if point.answer["optimal"] else "?"),
                FigureCell(f"{point.answer['k']:,}"),
                *(FigureCell(point.answer["choice"][name]) for name in names),
            ],
        )
        for point in points
    ]
    return PageSection(
        "curve",
        Message("Value against k", "価値と k"),
        Message(
            "A larger k never allows more recodings, so the highest value never rises.",
            "k を大きくしても許される加工は増えないため、最高の価値が上がることはありません。",
        ),
        [curve_panel(points, problem.currency)],
        FigureGrid(Message("The best recoding for every k", "k ごとの最適な加工"), header, lines),
        None if _all_proven(points) else UNPROVEN_NOTE,
    )


def _value_heading(problem: PriceProblem) -> Message:
    """The heading of values, with their unit."""
    return Message(f"Value ({problem.currency})", f"価値 ({problem.currency})")


def _pattern_section(problem: PriceProblem) -> PageSection:
    header = [
        Message("Pattern", "パターン"),
        Message("Words", "種類数"),
        Message("k alone", "最少出現数"),
        Message("Largest", "最大"),
        Message("Mean", "平均"),
        Message("SD", "標準偏差"),
        _value_heading(problem),
    ]
    lines = [
        (
            Message(*[f"{pattern_line.attribute} / {pattern_line.pattern}"] * 2),
            [
                FigureCell(text)
                for text in (
                    f"{pattern_line.words:,}",
                    f"{pattern_line.k:,}",
                    f"{pattern_line.largest:,}",
                    f"{pattern_line.mean:,.0f}",
                    f"{pattern_line.sd:,.0f}",
                    f"{pattern_line.value:,.0f}",
                )
            ],
        )
        for pattern_line in pattern_table(problem)
    ]
    return PageSection(
        "patterns",
        Message("Patterns", "パターン"),
        Message(
            "A coarser pattern is not always worth less: advertisers bid for words people use.",
            "粗いパターンほど安いとは限りません。広告主は人がよく使う語に入札します。",
        ),
        [pattern_panel(problem, by="k"), pattern_panel(problem, by="words")],
        FigureGrid(Message("Every pattern alone", "パターンごとの値"), header, lines),
    )


def _curve_frame(points: Sequence[CurvePoint]) -> pl.DataFrame:
    rows = [
        {
            "k": point.asked_k,
            "value": point.answer["value"],
            "ratio": point.answer["ratio"],
            "k_reached": point.answer["k"],
            "words": point.words,
            "suppressed": point.answer["suppressed"],
            "optimal": point.answer["optimal"],
            **point.answer["choice"],
        }
        for point in points
    ]
    return pl.DataFrame(rows, infer_schema_length=None)
