"""An assessment as text: four questions and their answers, then the evidence in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.first_screen import answer_questions
from tokumei.assessment.first_screen import verdict_sentence as verdict_sentence
from tokumei.assessment.verdict import UNIT_WORDS, Unknown
from tokumei.core.command import TextTable
from tokumei.core.formatting import format_number, format_percent
from tokumei.core.messages import Message, as_sentence, join_messages
from tokumei.pages.verdict_view import VERDICT_WORDS

if TYPE_CHECKING:
    from tokumei.assessment.conformity_checks import ConformityFigures
    from tokumei.assessment.control_audit import AuditFigures
    from tokumei.assessment.joint import JointFigures

NOTHING = "–"


def assessment_parts(assessment: Assessment) -> list[TextTable | Message]:
    """Everything that is shown, in the order in which it matters."""
    parts: list[TextTable | Message] = []
    for question in answer_questions(assessment):
        parts.append(question.question)
        parts += [Message.verbatim(f"  {answer.show()}") for answer in question.answers]
    parts += [as_sentence(unknown.message) for unknown in _other_unknowns(assessment)]
    parts += _tables(assessment)
    return parts


def _other_unknowns(assessment: Assessment) -> Iterator[Unknown]:
    """What could not be told beside the verdict and what would help."""
    is_unknown = assessment.verdict.word == "unknown"
    return (
        item
        for item in assessment.unknown
        if item.code != assessment.verdict.code and not (is_unknown and item.blocks)
    )


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
    parts += list(_further_evidence(assessment))
    return parts


def _further_evidence(assessment: Assessment) -> Iterator[TextTable | Message]:
    """Earlier releases, the audit, conformity checks, and what the data is needed for."""
    if assessment.joint is not None:
        yield _joint_table(assessment.joint)
    if assessment.audit is not None:
        yield _audit_table(assessment.audit)
    if assessment.conformity is not None:
        yield _conformity_sentence(assessment.conformity)
    if assessment.uses:
        rows = [
            [
                use.title.show(),
                Message("cannot be measured").show()
                if use.sentence is None
                else use.sentence.show(),
            ]
            for use in assessment.uses
        ]
        yield TextTable(Message("What the data is needed for"), [Message("measure"), ""], rows)


def _joint_table(joint: JointFigures) -> TextTable:
    size = NOTHING if joint.smallest_class is None else format_number(joint.smallest_class)
    linked = Message("yes") if joint.is_linked else Message("no")
    header: list[Message | str] = [
        Message("people in all of them"),
        Message("smallest class"),
        Message("identified"),
        Message("rows can be linked"),
    ]
    row = [format_number(joint.people), size, format_number(joint.alone), linked.show()]
    title = Message(
        "Together with the earlier releases {releases}", releases=join_messages(list(joint.earlier))
    )
    return TextTable(title, header, [row])


AUDIT_QUESTIONS = {
    "membership": Message("Can one tell who is in the data?"),
    "attribute": Message("Can {column} be inferred?"),
    "singling-out": Message("Can somebody be singled out?"),
}


def _audit_table(audit: AuditFigures) -> TextTable:
    rows = [
        [
            AUDIT_QUESTIONS[item.question].fill(column=item.column or "").show(),
            (Message("yes") if item.is_found else Message("not measurably")).show(),
            f"{item.value:.3f}",
            f"{item.low:.3f}–{item.high:.3f}",
            f"{item.nothing:.1f}",
        ]
        for item in audit.questions
    ]
    header: list[Message | str] = ["", "", Message("figure"), "95 %", Message("learns nothing")]
    title = Message("Audit with {control:,} people who are not in the data", control=audit.control)
    return TextTable(title, header, rows)


def _conformity_sentence(conformity: ConformityFigures) -> Message:
    if not conformity.failed:
        return Message(
            "Conformity checks: none failed; for a human to judge: {number}",
            number=len(conformity.for_humans),
        )
    return Message(
        "Conformity checks: {number} failed ({names}); for a human to judge: {others}",
        number=len(conformity.failed),
        names=join_messages([finding.title for finding in conformity.failed]),
        others=len(conformity.for_humans),
    )


def _attacker_table(assessment: Assessment) -> TextTable:
    header: list[Message | str] = [
        "",
        Message("identified"),
        Message("guessed right"),
        "95 %",
        Message("blind guess"),
        Message("smallest class"),
        Message("code"),
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
        attacker.code,
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
    return describe_parts(assessment_parts(assessment))


def describe_parts(parts: Sequence[TextTable | Message]) -> str:
    """Sentences and tables as text."""
    return "\n".join(
        _format_table(part) if isinstance(part, TextTable) else part.show() for part in parts
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
