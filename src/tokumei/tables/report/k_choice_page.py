"""Renders the page on the choice of k: losses and people found.

write_all(choice_outputs(choice, Path("out")))    # choose.csv, choose.json, choose.svg, report.html
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.json_types import JsonObject
from tokumei.core.measure import Level
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.report.curve_page import (
    ChartPanel,
    CurvePage,
    FigureCell,
    FigureGrid,
    PageSection,
    curve_outputs,
)
from tokumei.report.line_chart import LineChart
from tokumei.report.page_parts import Caution, KeyFigure
from tokumei.tables.advice.choice_summary import count_unit
from tokumei.tables.advice.k_choice import Choice
from tokumei.tables.advice.k_trials import KPoint

TITLE = Message("Which k?", "k の選択")
LOSS_LABEL = Message("Information lost", "情報損失")
QI_ATTACK_LABEL = Message("Found, knowing the QI", "準識別子を知る人が特定")
ALL_ATTACK_LABEL = Message("Found, knowing all", "すべてを知る人が特定")
CAUTIONS = (
    Caution(
        Message("Advice, not law", "助言であって法律ではない"),
        Message(
            "No law names a k or a rate. The limit is the one you gave; who answers for the "
            "release decides.",
            "k や割合を定めた法律はありません。許容値は指定されたものです。公開するかどうかは、"
            "公開に責任を負う人が決めます。",
        ),
    ),
    Caution(
        Message("Attacks we know", "知られている攻撃について"),
        Message(
            "A rate is what the strongest of our attacks finds when it knows the columns of all "
            "people. Somebody with other knowledge may find more; most know much less.",
            "割合は、全員の列を知る人が、手持ちの最も強い攻撃で特定できる割合です。ほかの知識がある人は"
            "より多くを特定するかもしれませんが、たいていの人が知ることはずっと少ないものです。",
        ),
    ),
    Caution(
        Message("Being found is not all", "特定だけが問題ではない"),
        Message(
            "Where all people of a class share a sensitive value, it is known without finding "
            "anybody; l-diversity and t-closeness are against that.",
            "クラスの全員が同じ機密属性の値を持てば、誰も特定しなくてもその値は知られます。"
            "これには l-多様性や t-近接性で対処します。",
        ),
    ),
)


def choice_outputs(choice: Choice, folder: Path) -> list[Output]:
    """choose.csv, choose.json, the charts and report.html, not yet written."""
    return curve_outputs(
        "choose", _points_frame(choice), choice.as_json(), choice_page(choice), folder
    )


def choice_page(choice: Choice) -> CurvePage:
    """The page: the advice in words, all figures as lines and as a table."""
    row_unit = count_unit(choice)
    sections = [_curve_section("choose", Message("k by k", "k ごとの結果"), choice, choice.points)]
    if choice.remedy is not None:
        words = choice.remedy.words
        title = Message(f"The same, with {words.en}", f"同じ表 (対策: {words.ja})")
        sections.append(_curve_section("remedy", title, choice, choice.remedy.points))
    return CurvePage(
        title=TITLE,
        headline=_choice_headline(choice),
        detail=choice.advice,
        facts=Message(
            f"{choice.people:,} {row_unit.en} · {choice.method} · quasi-identifiers: "
            f"{', '.join(choice.qi)}",
            f"{choice.people:,} {row_unit.ja}・{choice.method}・準識別子: {'、'.join(choice.qi)}",
        ),
        figures=_key_figures(choice, choice.advised),
        sections=sections,
        cautions=CAUTIONS,
    )


def _choice_headline(choice: Choice) -> Message:
    advised = choice.good()
    if advised is not None:
        return Message(f"k = {advised.k} keeps the limit", f"k = {advised.k} で許容値を守れる")
    remedied = choice.good(choice.remedy.points) if choice.remedy else None
    if remedied is not None:
        return Message(
            f"k alone does not help; with one more step k = {remedied.k} does",
            f"k だけでは足りない。もう一つの対策とともに k = {remedied.k}",
        )
    return Message("No k that was tried keeps the limit", "試したどの k でも許容値を守れない")


def _key_figures(choice: Choice, point: KPoint) -> list[KeyFigure]:
    is_within_limit = point.by_all.high <= choice.max_rate
    level = Level.GOOD if is_within_limit else Level.BAD
    by_all = Message("found by whoever knows all", "すべてを知る人が特定する割合")
    by_qi = Message("found by whoever knows the QI", "準識別子を知る人が特定する割合")
    return [
        KeyFigure(f"k = {point.k}", None, Message("looked at here", "ここで見る k")),
        KeyFigure(format_percent(point.by_all.rate), level, by_all),
        KeyFigure(format_percent(point.by_qi.rate), None, by_qi),
        KeyFigure(format_percent(point.loss), None, LOSS_LABEL),
    ]


def _curve_section(
    name: str, title: Message, choice: Choice, points: Sequence[KPoint]
) -> PageSection:
    lines = LineChart(
        x=Message("k", "k"),
        y=Message("Share", "割合"),
        ticks=[point.k for point in points],
        names=[LOSS_LABEL, QI_ATTACK_LABEL, ALL_ATTACK_LABEL],
        limit=choice.max_rate,
    )
    panel = ChartPanel(
        name,
        Message("Loss and attacks against k", "k に対する損失と攻撃"),
        Message(
            "Line chart of loss and attack rates against k; the table below holds the same figures",
            "k に対する損失と攻撃の成功率の折れ線グラフ。同じ値は下の表にあります",
        ),
        [row for point in points for row in _chart_rows(point)],
        lines.build,
    )
    return PageSection(
        name,
        title,
        Message(
            "What a release loses, and how many are found in it by the strongest attack of someone "
            "who knows the quasi-identifiers of all people, and of someone who knows every public "
            "column.",
            "公開データの情報損失と、全員の準識別子を知る人・公開列をすべて知る人がそれぞれ最も強い攻撃で"
            "特定できる割合です。",
        ),
        [panel],
        _figures_table(choice, points),
        Message(
            "Small: 95 % interval, corrected for the number of attacks. Loss: mean over all "
            "columns that could be released.",
            "小さい数字は 95 % 区間 (試した攻撃の数で補正)。損失は公開し得るすべての列の平均です。",
        ),
    )


def _chart_rows(point: KPoint) -> list[JsonObject]:
    rates = [
        line_row(point.k, name, rate.rate, rate.low, rate.high)
        for name, rate in ((QI_ATTACK_LABEL, point.by_qi), (ALL_ATTACK_LABEL, point.by_all))
    ]
    return [line_row(point.k, LOSS_LABEL, point.loss, point.loss, point.loss), *rates]


def line_row(x: object, name: Message, y: float, low: float, high: float) -> JsonObject:
    """A point of a line and its interval, as a chart takes it."""
    return {"x": x, "y": y, "low": low, "high": high, **name._asdict()}


def _figures_table(choice: Choice, points: Sequence[KPoint]) -> FigureGrid:
    row_unit, advised = count_unit(choice), choice.good(points)
    smallest = Message(f"Smallest class ({row_unit.en})", f"最小クラス ({row_unit.ja})")
    header = [
        Message("k", "k"),
        smallest,
        LOSS_LABEL,
        Message("Rows kept", "残った行"),
        QI_ATTACK_LABEL,
        ALL_ATTACK_LABEL,
    ]
    lines = [
        (
            Message(str(point.k), str(point.k)),
            [
                FigureCell(str(point.smallest)),
                FigureCell(format_percent(point.loss)),
                FigureCell(format_percent(point.rows_kept)),
                FigureCell(
                    format_percent(point.by_qi.rate),
                    format_percent_range(point.by_qi.low, point.by_qi.high),
                ),
                FigureCell(
                    format_percent(point.by_all.rate),
                    format_percent_range(point.by_all.low, point.by_all.high),
                ),
            ],
        )
        for point in points
    ]
    chosen = [i for i, point in enumerate(points) if point is advised]
    return FigureGrid(Message("Figures", "数値"), header, lines, chosen)


def _points_frame(choice: Choice) -> pl.DataFrame:
    steps = [("", choice.points)]
    steps += [(choice.remedy.name, choice.remedy.points)] if choice.remedy else []
    return pl.DataFrame(
        [
            {
                "step": step,
                "k": point.k,
                "smallest_class": point.smallest,
                "loss": point.loss,
                "rows_kept": point.rows_kept,
                **{
                    f"{attacker}_{key}": getattr(rate, key)
                    for attacker, rate in (("qi", point.by_qi), ("all", point.by_all))
                    for key in ("attack", "rate", "low", "high")
                },
            }
            for step, points in steps
            for point in points
        ]
    )
