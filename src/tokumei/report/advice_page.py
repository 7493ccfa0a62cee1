"""The page of an advice: the plane of risk and loss, the candidates with their reasons.

    text_output(render_advice(found, source="people.csv", lang="ja"), "advice.html")

It holds figures and names of columns only: no cell of the source, no seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from tokumei.core.advice.advice import Advice
from tokumei.core.advice.candidate import Candidate, Found
from tokumei.core.advice.purpose import NO_LAW, WHO
from tokumei.core.figures import percent, plain
from tokumei.core.text import Language, Text
from tokumei.report.curve_page import Cell
from tokumei.report.html import chart_payload, render_page
from tokumei.report.palette import ACCENT, BEATEN, INK, Rows, sized
from tokumei.report.words import KeyFigure

TITLE = Text("Which release?", "どの匿名加工データにするか")
PEOPLE, ROWS = Text("people", "人"), Text("rows", "行")
"""What is counted: rows, where nobody said which belong to one person."""


@dataclass(frozen=True)
class Line:
    """A candidate in the table."""

    letter: str
    title: Text
    reason: Text
    cells: Sequence[Cell]
    chosen: bool


def render_advice(found: Advice, *, source: str = "", lang: Language = "en") -> str:
    """The page as HTML, opening in `lang`."""
    rows = [_point(one, letters(found)) for one in found.candidates if one.risk]
    return render_page(
        "advice/page.html",
        lang=lang,
        title=TITLE,
        data=chart_payload({"plane": Plane(found_by(unit(found))).build}, {"plane": rows}),
        styles=["curves/common.css", "curves/curves.css", "advice/advice.css"],
        **_shown(found, source),
    )


def _shown(found: Advice, source: str) -> dict[str, Any]:
    """The words and figures of the page."""
    named, front = letters(found), found.front
    beaten = [one for one in found.candidates if one.risk and not one.on_front]
    lines = [_line(one, named) for one in front]
    lines += [_line(one, named) for one in sorted(beaten, key=lambda one: one.figures.loss)]
    untried = sum(one.risk is None for one in found.candidates)
    return {
        "headline": headline(found),
        "detail": detail(found),
        "facts": _facts(found, source),
        "figures": _keys(found),
        "label": _label(found),
        "read_so": read_so(unit(found)),
        "header": header(unit(found)),
        "lines": lines,
        "front": lines[: len(front)],
        "others": _untried(untried) if untried else None,
        "columns": _columns(front),
        "settings": found.settings.words(),
        "notes": [*found.notes, found.budget.words()],
        "skipped": found.skipped,
        "law": NO_LAW,
    }


def letters(found: Advice) -> dict[str, str]:
    """A letter for every candidate on the front, the least loss first; A … Z, A2 …"""
    return {
        one.id: chr(ord("A") + place % 26) + (str(place // 26 + 1) if place >= 26 else "")
        for place, one in enumerate(found.front)
    }


def unit(found: Advice) -> Text:
    """What is counted."""
    told = all(one.figures.counts_people for one in found.candidates)
    return PEOPLE if told else ROWS


def found_heading(of: Text) -> Text:
    """The heading of what attacks find."""
    return Text(f"{of.en} found", f"特定される{of.ja}数")


def header(of: Text) -> tuple[Text, ...]:
    """The headings of the table of candidates."""
    return (
        Text("candidate", "候補"),
        found_heading(of),
        Text("knowing every column", "全列を知る人による特定"),
        Text("loss", "損失"),
        Text("smallest group", "最小のグループ"),
        Text("by all columns", "全列での最小"),
        Text("rows kept", "残る行"),
    )


def read_so(of: Text) -> Text:
    """How the table is read."""
    return Text(
        f"{of.en.capitalize()} found: by the strongest attack that was tried, with its 95 % "
        "interval; in brackets, what a blind guess finds. What was not tried may find more.",
        f"特定される{of.ja}数: 試した中で最も強い攻撃によるもの (95 % 区間)。括弧内は当てずっぽうで"
        f"当たる{of.ja}数です。試していない攻撃では、これより多く特定されることもあります。",
    )


def found_by(of: Text) -> Text:
    """The name of the chart's vertical axis."""
    return Text(f"{of.en} found by the strongest attack", f"最も強い攻撃で特定される{of.ja}数")


def headline(found: Advice) -> Text:
    """How far candidates reach, in people or rows."""
    front, of = found.front, unit(found)
    if not front:
        return Text("No candidate could be attacked", "攻撃まで済んだ候補がありません")
    most, least = front[0], front[-1]
    assert most.risk is not None
    assert least.risk is not None
    first, last = plain(round(most.risk.people)), plain(round(least.risk.people))
    loss, last_loss = percent(most.figures.loss), percent(least.figures.loss)
    if most is least:
        return Text(
            f"One candidate is beaten by no other: {first} of {most.risk.of:,} {of.en} found, "
            f"{loss} lost",
            f"ほかに劣らない候補は一つ: {most.risk.of:,} {of.ja}中 {first} {of.ja}が特定され、"
            f"損失は {loss}",
        )
    return Text(
        f"From {first} {of.en} found and {loss} lost to {last} found and {last_loss} lost",
        f"特定 {first} {of.ja}・損失 {loss} から、特定 {last} {of.ja}・損失 {last_loss} まで",
    )


def detail(found: Advice) -> Text:
    """For whom, and how many candidates there are."""
    who = WHO[found.purpose.recipient]
    tried, front = len(found.candidates), len(found.front)
    return Text(
        f"For {who.en}: {tried} candidates were made and proven, {front} of them are not beaten "
        "by any other. No attack that was tried finds more than the figures say.",
        f"提供先: {who.ja}。{tried} 件の候補を作成・検証し、そのうち {front} 件はほかのどの候補にも"
        "劣りません。数値は、試した攻撃による特定の上限です。",
    )


def _facts(found: Advice, source: str) -> Text:
    people = found.candidates[0].figures.people if found.candidates else 0
    told = f"{source}: " if source else ""
    of = unit(found)
    return Text(f"{told}{people:,} {of.en}", f"{told}{people:,} {of.ja}")


def _keys(found: Advice) -> list[KeyFigure]:
    front = found.front
    if not front or front[0].risk is None or front[-1].risk is None:
        return []
    least, of = front[-1].risk, unit(found)
    return [
        KeyFigure(str(len(front)), None, Text("candidates on the front", "劣らない候補")),
        KeyFigure(
            plain(round(least.people)),
            None,
            Text(f"{of.en} found at least", f"特定される{of.ja} (最少)"),
        ),
        KeyFigure(percent(front[0].figures.loss), None, Text("lost at least", "損失 (最小)")),
    ]


def _label(found: Advice) -> Text:
    told = headline(found)
    return Text(f"Risk against loss. {told.en}.", f"リスクと損失。{told.ja}。")


def _line(one: Candidate, named: dict[str, str]) -> Line:
    figures = one.figures
    cells = [
        _found_cell(one.risk),
        _found_cell(figures.everything),
        Cell(percent(figures.loss)),
        Cell(f"{figures.smallest:,}"),
        Cell(f"{figures.joint:,}"),
        Cell(percent(figures.rows_kept)),
    ]
    return Line(named.get(one.id, ""), one.title, one.reason, cells, one.on_front)


def _found_cell(found: Found | None) -> Cell:
    if found is None:
        return Cell("–")
    return Cell(
        f"{plain(round(found.people))} / {found.of:,}",
        f"{plain(round(found.low))}–{plain(round(found.high))} · ({plain(found.baseline)})",
    )


def _untried(number: int) -> Text:
    return Text(
        f"{number} more candidates were not attacked: by class sizes and loss another one is "
        "clearly better.",
        f"ほかの {number} 件は、クラスの大きさと損失で明らかに劣るため攻撃を省きました。",
    )


def _columns(front: Sequence[Candidate]) -> list[tuple[str, Sequence[str]]]:
    names = list(front[0].figures.losses) if front else []
    return [(name, [percent(one.figures.losses[name]) for one in front]) for name in names]


def _point(one: Candidate, named: dict[str, str]) -> dict[str, Any]:
    assert one.risk is not None
    return {
        "loss": one.figures.loss,
        "people": one.risk.people,
        "low": one.risk.low,
        "high": one.risk.high,
        "letter": named.get(one.id, ""),
        "front": one.on_front,
        "en": one.title.en,
        "ja": one.title.ja,
    }


HEIGHT = 380
LOSS = Text("loss (weighted mean of the columns)", "損失 (列の加重平均)")


@dataclass(frozen=True)
class Plane:
    """The chart; `people`: how the vertical axis is called."""

    people: Text

    def build(self, data: Rows, lang: Language) -> alt.LayerChart:
        """The chart in a language."""
        x = alt.X("loss:Q", title=LOSS.show(lang), axis=alt.Axis(format="~%", grid=False),
                  scale=alt.Scale(zero=False, padding=24))  # fmt: skip
        y = alt.Y("people:Q", title=self.people.show(lang), scale=alt.Scale(zero=True),
                  axis=alt.Axis(format=",~r", tickCount=6))  # fmt: skip
        tips = [
            alt.Tooltip(f"{lang}:N", title=" "),
            alt.Tooltip("loss:Q", title=Text("loss", "損失").show(lang), format=".1%"),
            alt.Tooltip("people:Q", title=Text("found", "特定").show(lang), format=",.1f"),
            alt.Tooltip("low:Q", title=Text("from", "下限").show(lang), format=",.1f"),
            alt.Tooltip("high:Q", title=Text("to", "上限").show(lang), format=",.1f"),
        ]
        base = alt.Chart()
        best = base.transform_filter("datum.front")
        line = best.mark_line(color=ACCENT, strokeWidth=2).encode(x=x, y=y, order="loss:Q")
        bars = best.mark_rule(color=ACCENT, opacity=0.45).encode(x=x, y="low:Q", y2="high:Q")
        others = (
            base.transform_filter("!datum.front")
            .mark_point(filled=True, size=52, color=BEATEN, opacity=0.75)
            .encode(x=x, y=y, tooltip=tips)
        )
        dots = best.mark_point(filled=True, size=110, color=ACCENT, opacity=1).encode(
            x=x, y=y, tooltip=tips
        )
        names = best.mark_text(dx=10, dy=-11, color=INK, fontWeight=600, fontSize=13).encode(
            x=x, y=y, text="letter:N"
        )
        return sized(alt.LayerChart(data=data, layer=[line, bars, others, dots, names]), HEIGHT)
