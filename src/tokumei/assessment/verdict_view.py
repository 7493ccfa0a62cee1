"""What pages show of an assessment's verdict: the first screen, and the band on other pages."""

from __future__ import annotations

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.assumptions import RECIPIENT_WORDS
from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.verdict import TOLERANCE, UNIT_WORDS
from tokumei.core.formatting import FormattedValue, format_number, format_percent
from tokumei.core.messages import Message, as_sentence, join_sentences
from tokumei.pages.verdict_view import VerdictFigure, VerdictView

MAX_CHANGES = 2
CERTAIN_VALUES = "values-certain"
HEADINGS = {
    "fits": Message("Fits the scenario for {recipient}"),
    "does-not-fit": Message("Does not fit the scenario for {recipient}"),
    "unknown": Message("It cannot be told whether this fits the scenario for {recipient}"),
}


def view_verdict(assessment: Assessment, release: str = "") -> VerdictView:
    """The verdict, what it rests on, the worst case and what to do."""
    recipient = RECIPIENT_WORDS[assessment.scenario.recipient]
    return VerdictView(
        word=assessment.verdict.word,
        recipient=recipient,
        heading=HEADINGS[assessment.verdict.word].fill(recipient=recipient),
        reason=as_sentence(assessment.verdict.reason),
        figures=_figures(assessment),
        assumptions=_assumptions(assessment),
        worst=_worst_case(assessment),
        actions=_actions(assessment),
        release=release,
        kept=assessment.kept,
    )


def _assumptions(assessment: Assessment) -> list[Message]:
    """What a verdict rests on; what follows for everybody belongs to the worst case."""
    if assessment.verdict.word == "unknown":
        return []
    return [
        as_sentence(item.message) for item in assessment.assumptions if item.code != CERTAIN_VALUES
    ]


def _figures(assessment: Assessment) -> list[VerdictFigure]:
    """The deciding figures of the attackers together, and the information kept."""
    figures = []
    if assessment.attackers:
        figures = [_identified(assessment), _guessed_right(assessment), _smallest_class(assessment)]
    if assessment.kept is not None:
        kept = FormattedValue(format_percent, assessment.kept)
        figures.append(VerdictFigure("kept", kept, Message("information kept")))
    return figures


def _identified(assessment: Assessment) -> VerdictFigure:
    attacker = max(assessment.attackers, key=lambda found: found.identified)
    limit = assessment.scenario.limits.identified
    caption = Message(
        "of {total:,} {unit} can be identified; at most {limit:percent} may be",
        total=assessment.total,
        unit=UNIT_WORDS[assessment.unit],
        limit=limit,
    )
    value = FormattedValue(format_number, round(attacker.identified))
    within = attacker.upper(attacker.identified) <= limit + TOLERANCE
    return VerdictFigure("identified", value, caption, within)


def _guessed_right(assessment: Assessment) -> VerdictFigure:
    attacker = max(assessment.attackers, key=lambda found: found.share)
    limit = assessment.scenario.limits.guessed_right
    caption = Message(
        "of {unit} are guessed right on average; at most {limit:percent} may be, a blind guess "
        "finds {baseline:percent}",
        unit=UNIT_WORDS[assessment.unit],
        limit=limit,
        baseline=attacker.baseline,
    )
    value = FormattedValue(format_percent, attacker.share)
    within = attacker.upper(attacker.guessed_right) <= limit + TOLERANCE
    return VerdictFigure("guessed_right", value, caption, within)


def _smallest_class(assessment: Assessment) -> VerdictFigure:
    limit = assessment.scenario.limits.smallest_class
    sizes = [a.smallest_class for a in assessment.attackers if a.smallest_class is not None]
    caption = Message(
        "{unit} in the smallest class of those who look alike; at least {limit:,} are needed",
        unit=UNIT_WORDS[assessment.unit],
        limit=limit,
    )
    if not sizes:
        return VerdictFigure("smallest_class", Message.verbatim("–"), caption)
    value = FormattedValue(format_number, min(sizes))
    return VerdictFigure("smallest_class", value, caption, min(sizes) >= limit)


def _worst_case(assessment: Assessment) -> list[Message]:
    sentences = []
    if assessment.bound is not None:
        sentences.append(describe_bound(assessment, assessment.bound))
    uniqueness = assessment.uniqueness
    if uniqueness is not None and uniqueness.unique and uniqueness.by:
        columns, count = uniqueness.by[0]
        sentences.append(
            Message(
                "{column} alone makes {number:,} of {total:,} {unit} unlike all others.",
                column=columns[0],
                number=count,
                total=assessment.total,
                unit=UNIT_WORDS[assessment.unit],
            )
        )
    return sentences + [
        as_sentence(item.message) for item in assessment.assumptions if item.code == CERTAIN_VALUES
    ]


def describe_bound(assessment: Assessment, bound: AttackerFigures) -> Message:
    """Whom somebody finds who holds the whole original."""
    return Message(
        "Somebody who holds the whole original identifies {number:,} of {total:,} {unit}.",
        number=round(bound.identified),
        total=assessment.total,
        unit=UNIT_WORDS[assessment.unit],
    )


def _actions(assessment: Assessment) -> list[Message]:
    """What to do next: check assumptions, apply a measured change, or give what is missing."""
    if assessment.verdict.word == "fits":
        return [
            Message(
                "Check that what this rests on is true of {recipient}.",
                recipient=RECIPIENT_WORDS[assessment.scenario.recipient],
            ),
            Message(
                "Give away the release only: this page, the assessment and the link stay with you."
            ),
        ]
    if assessment.verdict.word == "unknown":
        missing = [item for item in assessment.unknown if item.blocks or item.is_fundamental]
        return [as_sentence(item.message) for item in missing] if len(missing) > 1 else []
    actions = _measured_actions(assessment)
    if assessment.remedy_note is not None:
        actions.append(as_sentence(assessment.remedy_note))
    return actions or [Message("Make the release again and assess it anew.")]


def _measured_actions(assessment: Assessment) -> list[Message]:
    """The changes that keep most, and the widest recipient for whom it fits as it is."""
    helpful = [
        remedy
        for remedy in assessment.remedies
        if remedy.verdict == "fits" and remedy.kept is not None
    ]
    changes = [remedy for remedy in helpful if remedy.action != "scenario"][:MAX_CHANGES]
    recipients = [remedy for remedy in helpful if remedy.action == "scenario"][:1]
    return [
        as_sentence(
            Message(
                "{change}: then it fits, and {kept:percent} of the information is kept",
                change=remedy.what,
                kept=remedy.kept,
            )
        )
        for remedy in (*changes, *recipients)
    ]


def describe_in_one_line(assessment: Assessment) -> Message:
    """Heading and reason as one sentence."""
    view = view_verdict(assessment)
    return join_sentences([as_sentence(view.heading), view.reason])
