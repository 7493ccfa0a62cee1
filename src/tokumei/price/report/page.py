"""What a price curve leaves in a folder: table, figures, pictures and page.

write_all(price_outputs(session.problem(), value_curve(session, range(2, 51)), folder))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.files.atomic import Output
from tokumei.price.curve import CurvePoint
from tokumei.price.problem import PriceProblem
from tokumei.price.report.charts import curve_panel, pattern_panel
from tokumei.price.tables import candidates, pattern_table, summary
from tokumei.report.curve_page import Cell, CurvePage, Grid, Section, curve_outputs
from tokumei.report.words import Caution, KeyFigure, joined

CAUTIONS = (
    Caution(
        Text("A price is not an offer", "価格は売値ではない"),
        Text(
            "Values are what advertisers bid for a word, times people. They compare recodings; "
            "they are not what a data set sells for.",
            "価値は「語の広告単価 × 人数」です。加工どうしを比べる目安であり、"
            "データの売値ではありません。",
        ),
    ),
    Caution(
        Text("Prices change", "価格は変わる"),
        Text(
            "Bids change daily. The command “tokumei price diff” shows what a new price list "
            "changes.",
            "入札単価は毎日変わります。コマンド「tokumei price diff」で新しい価格表との違いが"
            "分かります。",
        ),
    ),
    Caution(
        Text("k counts these columns only", "k は対象の列だけで数える"),
        Text(
            "Whoever knows more about a person than these columns may still find them.",
            "これらの列以外の知識をもつ人には、見つけられることがあります。",
        ),
    ),
)

UNPROVEN = Text("?: not proven to be the best.", "?: 最適とは未確認。")


def price_outputs(
    problem: PriceProblem, points: Sequence[CurvePoint], folder: str | Path
) -> list[Output]:
    """curve.csv, curve.json, a picture per chart and report.html, not yet written."""
    if not points:
        raise UsageError("there is no answer for any k", "どの k にも答えがありません")
    told = {"points": [point.as_json() for point in points], "tables": summary(problem)}
    return curve_outputs("curve", _frame(points), told, price_page(problem, points), folder)


def price_page(problem: PriceProblem, points: Sequence[CurvePoint]) -> CurvePage:
    """The page: what k costs, and what single patterns are worth."""
    first = points[0]
    ends = [first, points[-1]] if len(points) > 1 else [first]
    worth = f"{problem.currency} {first.answer['value']:,.0f}"
    return CurvePage(
        title=Text("What is the data worth?", "データの価値はいくらか"),
        headline=Text(
            f"With k = {first.asked_k} the best recoding is worth {worth}",
            f"k = {first.asked_k} の最適な加工の価値は {worth}",
        ),
        detail=_detail(problem, points),
        facts=Text(
            f"{problem.rows:,} people, {len(problem.attributes)} attributes, "
            f"{candidates(problem):,} recodings to choose from",
            f"{problem.rows:,} 人、{len(problem.attributes)} 属性、"
            f"候補 {candidates(problem):,} 通り",
        ),
        figures=[_share(point) for point in ends],
        sections=[_curve_section(problem, points), _pattern_section(problem)],
        cautions=CAUTIONS,
    )


def _detail(problem: PriceProblem, points: Sequence[CurvePoint]) -> Text:
    """What the largest k leaves, and whether all answers are proven to be the best."""
    proven = Text(
        "Every point is the recoding with the highest value: no other one is worth more.",
        "どの点も、その k で価値が最も高い加工です。",
    )
    if not _all_proven(points):
        proven = Text(
            "Every point is the recoding with the highest value; where the table has a “?” it is "
            "the best one found.",
            "どの点も、その k で価値が最も高い加工です "
            "(表に「?」があるものは、見つかった中で最も高い加工)。",
        )
    if len(points) == 1:
        return proven
    last = points[-1]
    worth = f"{problem.currency} {last.answer['value']:,.0f}"
    end = Text(f"With k = {last.asked_k} it is {worth}.", f"k = {last.asked_k} では {worth} です。")
    return joined(end, proven)


def _all_proven(points: Sequence[CurvePoint]) -> bool:
    return all(point.answer["optimal"] for point in points)


def _share(point: CurvePoint) -> KeyFigure:
    ratio, k = point.answer["ratio"], point.asked_k
    caption = Text(f"of the original value, k = {k}", f"元の価値に対する割合 (k = {k})")
    return KeyFigure("–" if ratio is None else percent(ratio), None, caption)


def _curve_section(problem: PriceProblem, points: Sequence[CurvePoint]) -> Section:
    names = [one.name for one in problem.attributes if one.name in points[0].answer["choice"]]
    header = [
        Text("k", "k"),
        _value(problem),
        Text("k reached", "実際の k"),
        *(Text(name, name) for name in names),
    ]
    lines = [
        (
            Text(str(point.asked_k), str(point.asked_k)),
            [
                Cell(f"{point.answer['value']:,.0f}", "" if point.answer["optimal"] else "?"),
                Cell(f"{point.answer['k']:,}"),
                *(Cell(point.answer["choice"][name]) for name in names),
            ],
        )
        for point in points
    ]
    return Section(
        "curve",
        Text("Value against k", "価値と k"),
        Text(
            "A larger k never allows more recodings, so the highest value never rises.",
            "k を大きくしても許される加工は増えないため、最高の価値が上がることはありません。",
        ),
        [curve_panel(points, problem.currency)],
        Grid(Text("The best recoding for every k", "k ごとの最適な加工"), header, lines),
        None if _all_proven(points) else UNPROVEN,
    )


def _value(problem: PriceProblem) -> Text:
    """The heading of values, with their unit."""
    return Text(f"Value ({problem.currency})", f"価値 ({problem.currency})")


def _pattern_section(problem: PriceProblem) -> Section:
    header = [
        Text("Pattern", "パターン"),
        Text("Words", "種類数"),
        Text("k alone", "最少出現数"),
        Text("Largest", "最大"),
        Text("Mean", "平均"),
        Text("SD", "標準偏差"),
        _value(problem),
    ]
    lines = [
        (
            Text(*[f"{p.attribute} / {p.pattern}"] * 2),
            [
                Cell(text)
                for text in (
                    f"{p.words:,}",
                    f"{p.k:,}",
                    f"{p.largest:,}",
                    f"{p.mean:,.0f}",
                    f"{p.sd:,.0f}",
                    f"{p.value:,.0f}",
                )
            ],
        )
        for p in pattern_table(problem)
    ]
    return Section(
        "patterns",
        Text("Patterns", "パターン"),
        Text(
            "A coarser pattern is not always worth less: advertisers bid for words people use.",
            "粗いパターンほど安いとは限りません。広告主は人がよく使う語に入札します。",
        ),
        [pattern_panel(problem, by="k"), pattern_panel(problem, by="words")],
        Grid(Text("Every pattern alone", "パターンごとの値"), header, lines),
    )


def _frame(points: Sequence[CurvePoint]) -> pl.DataFrame:
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
