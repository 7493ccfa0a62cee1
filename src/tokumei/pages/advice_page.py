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
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.curve_page import FigureCell
from tokumei.pages.html import chart_payload, render_page
from tokumei.pages.page_parts import KeyFigure
from tokumei.pages.risk_loss_chart import RiskLossChart

PAGE_TITLE = Message("Which release?")


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
            {"plane": RiskLossChart(risk_axis_title(counts_people(advice))).build}, {"plane": rows}
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
        "chart_label": _chart_label(advice),
        "read_so": explain_people_found(counts_people(advice)),
        "header": table_header(counts_people(advice)),
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


def counts_people(advice: Advice) -> bool:
    """Whether people are counted: rows are, where nobody said which belong to one person."""
    return all(candidate.figures.counts_people for candidate in advice.candidates)


def attack_heading(people: bool) -> Message:
    """The heading of what attacks find."""
    return Message("people found" if people else "rows found")


def table_header(people: bool) -> tuple[Message, ...]:
    """The headings of the table of candidates."""
    return (
        Message("candidate"),
        attack_heading(people),
        Message("knowing every column"),
        Message("loss"),
        Message("smallest group"),
        Message("by all columns", context="a smallest class"),
        Message("rows kept"),
    )


def explain_people_found(people: bool) -> Message:
    """How the table is read."""
    return Message(
        "People found: by the strongest attack that was tried, with its 95 % interval; in "
        "brackets, what a blind guess finds. Attacks that were not tried may find more."
        if people
        else "Rows found: by the strongest attack that was tried, with its 95 % interval; in "
        "brackets, what a blind guess finds. Attacks that were not tried may find more."
    )


def risk_axis_title(people: bool) -> Message:
    """The name of the chart's vertical axis."""
    return Message(
        "people found by the strongest attack" if people else "rows found by the strongest attack"
    )


def describe_front(advice: Advice) -> Message:
    """How far candidates reach, in people or rows."""
    front, people = advice.front, counts_people(advice)
    if not front:
        return Message("No candidate could be attacked")
    least_loss, least_risk = front[0], front[-1]
    assert least_loss.risk is not None
    assert least_risk.risk is not None
    if least_loss is least_risk:
        return Message(
            "One candidate is beaten by no other: {found:number} of {total:,} people found, "
            "{loss:percent} lost"
            if people
            else "One candidate is beaten by no other: {found:number} of {total:,} rows found, "
            "{loss:percent} lost",
            found=round(least_loss.risk.people),
            total=least_loss.risk.of,
            loss=least_loss.figures.loss,
        )
    return Message(
        "From {most:number} people found and {least_loss:percent} lost to {least:number} found and "
        "{most_loss:percent} lost"
        if people
        else "From {most:number} rows found and {least_loss:percent} lost to {least:number} found "
        "and {most_loss:percent} lost",
        most=round(least_loss.risk.people),
        least_loss=least_loss.figures.loss,
        least=round(least_risk.risk.people),
        most_loss=least_risk.figures.loss,
    )


def describe_search(advice: Advice) -> Message:
    """For whom, and how many candidates there are."""
    return Message(
        "For {recipient}: {count} candidate was made and verified. No attack that was tried finds "
        "more than the figures say.",
        plural="For {recipient}: {count} candidates were made and verified, {front} of them are "
        "not beaten by any other. No attack that was tried finds more than the figures say.",
        count=len(advice.candidates),
        recipient=RECIPIENT_LABELS[advice.purpose.recipient],
        front=len(advice.front),
    )


def _describe_source(advice: Advice, source: str) -> Message:
    count = advice.candidates[0].figures.people if advice.candidates else 0
    if counts_people(advice):
        size = Message("{count} person", plural="{count:,} people", count=count)
    else:
        size = Message("{count} row", plural="{count:,} rows", count=count)
    return Message("{source}: {size}", source=source, size=size) if source else size


def _key_figures(advice: Advice) -> list[KeyFigure]:
    front = advice.front
    if not front or front[0].risk is None or front[-1].risk is None:
        return []
    people = counts_people(advice)
    return [
        KeyFigure(str(len(front)), None, Message("candidates on the front")),
        KeyFigure(
            format_number(round(front[-1].risk.people)),
            None,
            Message("people found at least" if people else "rows found at least"),
        ),
        KeyFigure(format_percent(front[0].figures.loss), None, Message("lost at least")),
    ]


def _chart_label(advice: Advice) -> Message:
    summary = describe_front(advice)
    return Message("Risk against loss. {summary}.", summary=summary)


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
        "{count} more candidate was not attacked: judged by class sizes and loss, another one is "
        "clearly better.",
        plural="{count} more candidates were not attacked: judged by class sizes and loss, others "
        "are clearly better.",
        count=number,
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
        **candidate.title.texts(),
    }
