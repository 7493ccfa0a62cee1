"""The page on the choice of k: what it loses and whom it leaves to be found, as lines and figures.

write_all(choice_outputs(found, Path("out")))    # choose.csv, choose.json, choose.svg, report.html
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from tokumei.core.figures import percent, percent_range
from tokumei.core.measure import Level
from tokumei.core.text import Text
from tokumei.files.atomic import Output
from tokumei.report.curve_page import Cell, CurvePage, Grid, Panel, Section, curve_outputs
from tokumei.report.lines import Lines
from tokumei.report.words import Caution, KeyFigure
from tokumei.tables.choosing.advice import unit
from tokumei.tables.choosing.choose import Choice
from tokumei.tables.choosing.trials import KPoint

TITLE = Text("Which k?", "k の選択")
LOSS = Text("Information lost", "情報損失")
BY_QI = Text("Found, knowing the QI", "準識別子を知る人が特定")
BY_ALL = Text("Found, knowing all", "すべてを知る人が特定")
CAUTIONS = (
    Caution(
        Text("Advice, not law", "助言であって法律ではない"),
        Text(
            "No law names a k or a rate. The limit is the one you gave; who answers for the "
            "release decides.",
            "k や割合を定めた法律はありません。許容値は指定されたものです。公開するかどうかは、"
            "公開に責任を負う人が決めます。",
        ),
    ),
    Caution(
        Text("Attacks we know", "知られている攻撃について"),
        Text(
            "A rate is what the strongest of our attacks finds when it knows the columns of all "
            "people. Somebody with other knowledge may find more; most know much less.",
            "割合は、全員の列を知る人が、手持ちの最も強い攻撃で特定できる割合です。ほかの知識がある人は"
            "より多くを特定するかもしれませんが、たいていの人が知ることはずっと少ないものです。",
        ),
    ),
    Caution(
        Text("Being found is not all", "特定だけが問題ではない"),
        Text(
            "Where all people of a class share a sensitive value, it is known without finding "
            "anybody; l-diversity and t-closeness are against that.",
            "クラスの全員が同じ機密属性の値を持てば、誰も特定しなくてもその値は知られます。"
            "これには l-多様性や t-近接性で対処します。",
        ),
    ),
)


def choice_outputs(found: Choice, folder: Path) -> list[Output]:
    """choose.csv, choose.json, the charts and report.html, not yet written."""
    return curve_outputs("choose", _frame(found), found.as_json(), choice_page(found), folder)


def choice_page(found: Choice) -> CurvePage:
    """The page: the advice in words, all figures as lines and as a table."""
    what = unit(found)
    sections = [_section("choose", Text("k by k", "k ごとの結果"), found, found.points)]
    if found.remedy is not None:
        words = found.remedy.words
        title = Text(f"The same, with {words.en}", f"同じ表 (対策: {words.ja})")
        sections.append(_section("remedy", title, found, found.remedy.points))
    return CurvePage(
        title=TITLE,
        headline=_headline(found),
        detail=found.advice,
        facts=Text(
            f"{found.people:,} {what.en} · {found.method} · quasi-identifiers: "
            f"{', '.join(found.qi)}",
            f"{found.people:,} {what.ja}・{found.method}・準識別子: {'、'.join(found.qi)}",
        ),
        figures=_figures(found, found.advised),
        sections=sections,
        cautions=CAUTIONS,
    )


def _headline(found: Choice) -> Text:
    good = found.good()
    if good is not None:
        return Text(f"k = {good.k} keeps the limit", f"k = {good.k} で許容値を守れる")
    better = found.good(found.remedy.points) if found.remedy else None
    if better is not None:
        return Text(
            f"k alone does not help; with one more step k = {better.k} does",
            f"k だけでは足りない。もう一つの対策とともに k = {better.k}",
        )
    return Text("No k that was tried keeps the limit", "試したどの k でも許容値を守れない")


def _figures(found: Choice, point: KPoint) -> list[KeyFigure]:
    kept = point.by_all.high <= found.max_rate
    level = Level.GOOD if kept else Level.BAD
    by_all = Text("found by whoever knows all", "すべてを知る人が特定する割合")
    by_qi = Text("found by whoever knows the QI", "準識別子を知る人が特定する割合")
    return [
        KeyFigure(f"k = {point.k}", None, Text("looked at here", "ここで見る k")),
        KeyFigure(percent(point.by_all.rate), level, by_all),
        KeyFigure(percent(point.by_qi.rate), None, by_qi),
        KeyFigure(percent(point.loss), None, LOSS),
    ]


def _section(name: str, title: Text, found: Choice, points: Sequence[KPoint]) -> Section:
    lines = Lines(
        x=Text("k", "k"),
        y=Text("Share", "割合"),
        ticks=[one.k for one in points],
        names=[LOSS, BY_QI, BY_ALL],
        limit=found.max_rate,
    )
    panel = Panel(
        name,
        Text("Loss and attacks against k", "k に対する損失と攻撃"),
        Text(
            "Line chart of loss and attack rates against k; the table below holds the same figures",
            "k に対する損失と攻撃の成功率の折れ線グラフ。同じ値は下の表にあります",
        ),
        [row for one in points for row in _rows(one)],
        lines.build,
    )
    return Section(
        name,
        title,
        Text(
            "What a release loses, and how many are found in it by the strongest attack of someone "
            "who knows the quasi-identifiers of all people, and of someone who knows every public "
            "column.",
            "公開データの情報損失と、全員の準識別子を知る人・公開列をすべて知る人がそれぞれ最も強い攻撃で"
            "特定できる割合です。",
        ),
        [panel],
        _grid(found, points),
        Text(
            "Small: 95 % interval, corrected for the number of attacks. Loss: mean over all "
            "columns that could be released.",
            "小さい数字は 95 % 区間 (試した攻撃の数で補正)。損失は公開し得るすべての列の平均です。",
        ),
    )


def _rows(one: KPoint) -> list[dict[str, Any]]:
    rates = [
        line_row(one.k, name, rate.rate, rate.low, rate.high)
        for name, rate in ((BY_QI, one.by_qi), (BY_ALL, one.by_all))
    ]
    return [line_row(one.k, LOSS, one.loss, one.loss, one.loss), *rates]


def line_row(x: Any, name: Text, y: float, low: float, high: float) -> dict[str, Any]:
    """A point of a line and its interval, as a chart takes it."""
    return {"x": x, "y": y, "low": low, "high": high, **name._asdict()}


def _grid(found: Choice, points: Sequence[KPoint]) -> Grid:
    what, best = unit(found), found.good(points)
    smallest = Text(f"Smallest class ({what.en})", f"最小クラス ({what.ja})")
    header = [Text("k", "k"), smallest, LOSS, Text("Rows kept", "残った行"), BY_QI, BY_ALL]
    lines = [
        (
            Text(str(one.k), str(one.k)),
            [
                Cell(str(one.smallest)),
                Cell(percent(one.loss)),
                Cell(percent(one.rows_kept)),
                Cell(percent(one.by_qi.rate), percent_range(one.by_qi.low, one.by_qi.high)),
                Cell(percent(one.by_all.rate), percent_range(one.by_all.low, one.by_all.high)),
            ],
        )
        for one in points
    ]
    chosen = [i for i, one in enumerate(points) if one is best]
    return Grid(Text("Figures", "数値"), header, lines, chosen)


def _frame(found: Choice) -> pl.DataFrame:
    steps = [("", found.points)]
    steps += [(found.remedy.name, found.remedy.points)] if found.remedy else []
    return pl.DataFrame(
        [
            {
                "step": step,
                "k": one.k,
                "smallest_class": one.smallest,
                "loss": one.loss,
                "rows_kept": one.rows_kept,
                **{
                    f"{who}_{key}": getattr(rate, key)
                    for who, rate in (("qi", one.by_qi), ("all", one.by_all))
                    for key in ("attack", "rate", "low", "high")
                },
            }
            for step, points in steps
            for one in points
        ]
    )
