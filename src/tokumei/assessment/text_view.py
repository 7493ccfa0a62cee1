"""An assessment as text: the verdict first, then who could find whom, what is kept, what helps."""

from __future__ import annotations

from collections.abc import Iterator

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.assumptions import RECIPIENT_WORDS
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.verdict import UNIT_WORDS, Unknown
from tokumei.core.command import TextTable
from tokumei.core.formatting import format_number, format_percent
from tokumei.core.messages import Message, as_sentence

VERDICT_SENTENCES = {
    "fits": Message("Fits the scenario for {recipient}: {reason}"),
    "does-not-fit": Message("Does not fit the scenario for {recipient}: {reason}"),
    "unknown": Message(
        "It cannot be told whether this fits the scenario for {recipient}: {reason}"
    ),
}
NOTHING = "–"


def verdict_sentence(assessment: Assessment) -> Message:
    """The one sentence that a privacy officer signs."""
    sentence = VERDICT_SENTENCES[assessment.verdict.word].fill(
        recipient=RECIPIENT_WORDS[assessment.scenario.recipient], reason=assessment.verdict.reason
    )
    return as_sentence(sentence)


def assessment_parts(assessment: Assessment) -> list[TextTable | Message]:
    """Everything that is shown, in the order in which it matters."""
    parts: list[TextTable | Message] = [verdict_sentence(assessment)]
    parts += [as_sentence(assumption.message) for assumption in assessment.assumptions]
    parts += [as_sentence(unknown.message) for unknown in _other_unknowns(assessment)]
    parts += _tables(assessment)
    return parts


def _other_unknowns(assessment: Assessment) -> Iterator[Unknown]:
    return (found for found in assessment.unknown if found.code != assessment.verdict.code)


def _tables(assessment: Assessment) -> list[TextTable | Message]:
    parts: list[TextTable | Message] = []
    if assessment.attackers:
        parts.append(_attacker_table(assessment))
    if assessment.kept is not None:
        parts.append(Message("Information kept: {kept:percent}", kept=assessment.kept))
    parts.append(_column_table(assessment))
    if assessment.claims:
        parts.append(_claim_table(assessment))
    if assessment.remedies:
        parts.append(_remedy_table(assessment))
    if assessment.remedy_note is not None:
        parts.append(as_sentence(assessment.remedy_note))
    return parts


def _attacker_table(assessment: Assessment) -> TextTable:
    header: list[Message | str] = [
        "",
        Message("identified"),
        Message("guessed right"),
        "95 %",
        Message("blind guess"),
        Message("smallest class"),
    ]
    rows = [_attacker_row(attacker.name.show(), attacker) for attacker in assessment.attackers]
    if assessment.bound is not None:
        whole = Message("holds the whole original").show()
        rows.append(_attacker_row(whole, assessment.bound))
    title = Message(
        "Who could find whom, of {total:,} {unit}",
        total=assessment.total,
        unit=UNIT_WORDS[assessment.unit],
    )
    return TextTable(title, header, rows)


def _attacker_row(name: str, attacker: AttackerFigures) -> list[str]:
    low, high = attacker.interval(attacker.guessed_right)
    return [
        name,
        format_number(attacker.identified),
        format_percent(attacker.share),
        f"{format_percent(low)}–{format_percent(high)}",
        format_percent(attacker.baseline),
        NOTHING if attacker.smallest_class is None else format_number(attacker.smallest_class),
    ]


TREATMENT_WORDS = {
    "unchanged": Message("unchanged"),
    "generalized": Message("made coarser"),
    "changed": Message("values changed"),
    "suppressed": Message("suppressed"),
    "dropped": Message("dropped", context="a treatment"),
    "identifier": Message("identifier"),
}


def _column_table(assessment: Assessment) -> TextTable:
    header = [
        Message("column"),
        Message("treatment"),
        Message("kept", context="of information"),
        Message("empty cells"),
    ]
    rows = [
        [
            column.name,
            TREATMENT_WORDS[column.treatment].show(),
            NOTHING if column.kept is None else format_percent(column.kept),
            NOTHING if column.empty is None else format_percent(column.empty),
        ]
        for column in assessment.columns
    ]
    return TextTable(Message("What is kept"), header, rows)


CLAIM_WORDS = {
    True: Message("holds"),
    False: Message("does not hold"),
    None: Message("cannot be checked here"),
}


def _claim_table(assessment: Assessment) -> TextTable:
    rows = [[claim.name, CLAIM_WORDS[claim.holds].show()] for claim in assessment.claims]
    return TextTable(Message("Claims, recomputed"), [Message("claim"), ""], rows)


VERDICT_WORDS = {
    "fits": Message("fits"),
    "does-not-fit": Message("does not fit"),
    "unknown": Message("cannot be told"),
}


def _remedy_table(assessment: Assessment) -> TextTable:
    header: list[Message | str] = [
        "",
        Message("verdict"),
        Message("identified"),
        Message("guessed right"),
        Message("kept", context="of information"),
    ]
    rows = [
        [
            remedy.what.show(),
            VERDICT_WORDS[remedy.verdict].show(),
            format_number(remedy.identified),
            format_percent(remedy.share),
            NOTHING if remedy.kept is None else format_percent(remedy.kept),
        ]
        for remedy in assessment.remedies
    ]
    return TextTable(Message("What would help, measured on this release"), header, rows)


def describe_assessment(assessment: Assessment) -> str:
    """The text of a notebook and of `print`."""
    return "\n".join(
        _format_table(part) if isinstance(part, TextTable) else part.show()
        for part in assessment_parts(assessment)
    )


def _format_table(table: TextTable) -> str:
    from rich.cells import cell_len

    cells = [[str(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(cell_len(row[j]) for row in cells) for j in range(len(table.header))]
    lines = [
        "  ".join(
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]
    return "\n".join(["", table.title.show(), *lines])
