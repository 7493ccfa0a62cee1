"""Renders the page of an advice: scatter plot of risk and loss, candidates with reasons.

    text_output(render_advice(found, source="people.csv", lang="ja"), "advice.html")

It holds figures and names of columns only: no cell of the source, no seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.core.advice.advice import Advice
from tokumei.core.advice.candidate import AttackEstimate, Candidate
from tokumei.core.advice.purpose import NO_LEGAL_ADVICE, RECIPIENT_LABELS
from tokumei.core.formatting import format_number, format_percent
from tokumei.core.messages import Language, Message
from tokumei.report.curve_page import FigureCell
from tokumei.report.html import chart_payload, render_page
from tokumei.report.page_parts import KeyFigure
from tokumei.report.risk_loss_chart import RiskLossChart

PAGE_TITLE = Message("Which release?", "どの匿名加工データにするか")
PEOPLE_UNIT, ROWS_UNIT = Message("people", "人"), Message("rows", "行")
"""The unit of counts: rows, where nobody said which belong to one person."""


@dataclass(frozen=True)
class CandidateLine:
    """A candidate in the table."""

    letter: str
    title: Message
    reason: Message
    cells: Sequence[FigureCell]
    chosen: bool


def render_advice(advice: Advice, *, source: str = "", lang: Language = "en") -> str:
    """The page as HTML, opening in `lang`."""
    rows = [
        _chart_point(candidate, candidate_letters(advice))
        for candidate in advice.candidates
        if candidate.risk
    ]
    return render_page(
        "advice/page.html",
        lang=lang,
        title=PAGE_TITLE,
        data=chart_payload(
            {"plane": RiskLossChart(risk_axis_title(counting_unit(advice))).build}, {"plane": rows}
        ),
        styles=["curves/common.css", "curves/curves.css", "advice/advice.css"],
        **_template_variables(advice, source),
    )


def _template_variables(advice: Advice, source: str) -> dict[str, Any]:
    """The words and figures of the page."""
    letter_by_id, front = candidate_letters(advice), advice.front
    beaten = [
        candidate for candidate in advice.candidates if candidate.risk and not candidate.on_front
    ]
    lines = [_candidate_line(candidate, letter_by_id) for candidate in front]
    lines += [
        _candidate_line(candidate, letter_by_id)
        for candidate in sorted(beaten, key=lambda candidate: candidate.figures.loss)
    ]
    unattacked_count = sum(candidate.risk is None for candidate in advice.candidates)
    return {
        "headline": describe_front(advice),
        "detail": describe_search(advice),
        "facts": _describe_source(advice, source),
        "figures": _key_figures(advice),
        "label": _chart_label(advice),
        "read_so": explain_people_found(counting_unit(advice)),
        "header": table_header(counting_unit(advice)),
        "lines": lines,
        "front": lines[: len(front)],
        "others": _describe_unattacked(unattacked_count) if unattacked_count else None,
        "columns": _column_losses(front),
        "settings": advice.settings.words(),
        "notes": [*advice.notes, advice.budget.words()],
        "skipped": advice.skipped,
        "law": NO_LEGAL_ADVICE,
    }


def candidate_letters(advice: Advice) -> dict[str, str]:
    """A letter for every candidate on the front, the least loss first; A … Z, A2 …"""
    return {
        candidate.id: chr(ord("A") + index % 26) + (str(index // 26 + 1) if index >= 26 else "")
        for index, candidate in enumerate(advice.front)
    }


def counting_unit(advice: Advice) -> Message:
    """The unit of the counts: people or rows."""
    counts_people = all(candidate.figures.counts_people for candidate in advice.candidates)
    return PEOPLE_UNIT if counts_people else ROWS_UNIT


def attack_heading(of: Message) -> Message:
    """The heading of what attacks find."""
    return Message(f"{of.en} found", f"特定される{of.ja}数")


def table_header(of: Message) -> tuple[Message, ...]:
    """The headings of the table of candidates."""
    return (
        Message("candidate", "候補"),
        attack_heading(of),
        Message("knowing every column", "全列を知る人による特定"),
        Message("loss", "損失"),
        Message("smallest group", "最小のグループ"),
        Message("by all columns", "全列での最小"),
        Message("rows kept", "残る行"),
    )


def explain_people_found(of: Message) -> Message:
    """How the table is read."""
    return Message(
        f"{of.en.capitalize()} found: by the strongest attack that was tried, with its 95 % "
        "interval; in brackets, what a blind guess finds. What was not tried may find more.",
        f"特定される{of.ja}数: 試した中で最も強い攻撃によるもの (95 % 区間)。括弧内は当てずっぽうで"
        f"当たる{of.ja}数です。試していない攻撃では、これより多く特定されることもあります。",
    )


def risk_axis_title(of: Message) -> Message:
    """The name of the chart's vertical axis."""
    return Message(f"{of.en} found by the strongest attack", f"最も強い攻撃で特定される{of.ja}数")


def describe_front(advice: Advice) -> Message:
    """How far candidates reach, in people or rows."""
    front, counted_unit = advice.front, counting_unit(advice)
    if not front:
        return Message("No candidate could be attacked", "攻撃まで済んだ候補がありません")
    least_loss, least_risk = front[0], front[-1]
    assert least_loss.risk is not None
    assert least_risk.risk is not None
    first, last = (
        format_number(round(least_loss.risk.people)),
        format_number(round(least_risk.risk.people)),
    )
    loss, last_loss = (
        format_percent(least_loss.figures.loss),
        format_percent(least_risk.figures.loss),
    )
    if least_loss is least_risk:
        return Message(
            f"One candidate is beaten by no other: {first} of {least_loss.risk.of:,} "
            f"{counted_unit.en} found, "
            f"{loss} lost",
            f"ほかに劣らない候補は一つ: {least_loss.risk.of:,} {counted_unit.ja}中 {first} "
            f"{counted_unit.ja}が特定され、"
            f"損失は {loss}",
        )
    return Message(
        f"From {first} {counted_unit.en} found and {loss} lost to {last} found and {last_loss} "
        f"lost",
        f"特定 {first} {counted_unit.ja}・損失 {loss} から、特定 {last} {counted_unit.ja}・損失 "
        f"{last_loss} まで",
    )


def describe_search(advice: Advice) -> Message:
    """For whom, and how many candidates there are."""
    who = RECIPIENT_LABELS[advice.purpose.recipient]
    tried, front = len(advice.candidates), len(advice.front)
    return Message(
        f"For {who.en}: {tried} candidates were made and proven, {front} of them are not beaten "
        "by any other. No attack that was tried finds more than the figures say.",
        f"提供先: {who.ja}。{tried} 件の候補を作成・検証し、そのうち {front} 件はほかのどの候補にも"
        "劣りません。数値は、試した攻撃による特定の上限です。",
    )


def _describe_source(advice: Advice, source: str) -> Message:
    people = advice.candidates[0].figures.people if advice.candidates else 0
    prefix = f"{source}: " if source else ""
    counted_unit = counting_unit(advice)
    return Message(f"{prefix}{people:,} {counted_unit.en}", f"{prefix}{people:,} {counted_unit.ja}")


def _key_figures(advice: Advice) -> list[KeyFigure]:
    front = advice.front
    if not front or front[0].risk is None or front[-1].risk is None:
        return []
    least_risk, counted_unit = front[-1].risk, counting_unit(advice)
    return [
        KeyFigure(str(len(front)), None, Message("candidates on the front", "劣らない候補")),
        KeyFigure(
            format_number(round(least_risk.people)),
            None,
            Message(f"{counted_unit.en} found at least", f"特定される{counted_unit.ja} (最少)"),
        ),
        KeyFigure(
            format_percent(front[0].figures.loss), None, Message("lost at least", "損失 (最小)")
        ),
    ]


def _chart_label(advice: Advice) -> Message:
    summary = describe_front(advice)
    return Message(f"Risk against loss. {summary.en}.", f"リスクと損失。{summary.ja}。")


def _candidate_line(candidate: Candidate, letter_by_id: dict[str, str]) -> CandidateLine:
    figures = candidate.figures
    cells = [
        _attack_cell(candidate.risk),
        _attack_cell(figures.everything),
        FigureCell(format_percent(figures.loss)),
        FigureCell(f"{figures.smallest:,}"),
        FigureCell(f"{figures.joint:,}"),
        FigureCell(format_percent(figures.rows_kept)),
    ]
    return CandidateLine(
        letter_by_id.get(candidate.id, ""),
        candidate.title,
        candidate.reason,
        cells,
        candidate.on_front,
    )


def _attack_cell(estimate: AttackEstimate | None) -> FigureCell:
    if estimate is None:
        return FigureCell("–")
    return FigureCell(
        f"{format_number(round(estimate.people))} / {estimate.of:,}",
        f"{format_number(round(estimate.low))}–{format_number(round(estimate.high))} · "
        f"({format_number(estimate.baseline)})",
    )


def _describe_unattacked(number: int) -> Message:
    return Message(
        f"{number} more candidates were not attacked: by class sizes and loss another one is "
        "clearly better.",
        f"ほかの {number} 件は、クラスの大きさと損失で明らかに劣るため攻撃を省きました。",
    )


def _column_losses(front: Sequence[Candidate]) -> list[tuple[str, Sequence[str]]]:
    names = list(front[0].figures.losses) if front else []
    return [
        (name, [format_percent(candidate.figures.losses[name]) for candidate in front])
        for name in names
    ]


def _chart_point(candidate: Candidate, letter_by_id: dict[str, str]) -> dict[str, object]:
    assert candidate.risk is not None
    return {
        "loss": candidate.figures.loss,
        "people": candidate.risk.people,
        "low": candidate.risk.low,
        "high": candidate.risk.high,
        "letter": letter_by_id.get(candidate.id, ""),
        "front": candidate.on_front,
        "en": candidate.title.en,
        "ja": candidate.title.ja,
    }
