"""What pages show of an assessment's verdict: the first screen, and the band on other pages."""

from __future__ import annotations

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.assumptions import RECIPIENT_WORDS
from tokumei.assessment.first_screen import answer_questions
from tokumei.assessment.verdict import TOLERANCE, UNIT_WORDS
from tokumei.core.formatting import FormattedValue, format_number, format_percent
from tokumei.core.messages import Message, as_sentence, join_sentences
from tokumei.pages.verdict_view import VerdictFigure, VerdictView

HEADINGS = {
    "fits": Message("Fits the scenario for {recipient}"),
    "does-not-fit": Message("Does not fit the scenario for {recipient}"),
    "unknown": Message("It cannot be told whether this fits the scenario for {recipient}"),
}


def view_verdict(assessment: Assessment, release: str = "") -> VerdictView:
    """The verdict, its figures against their limits, and the other questions of an officer."""
    recipient = RECIPIENT_WORDS[assessment.scenario.recipient]
    return VerdictView(
        word=assessment.verdict.word,
        recipient=recipient,
        heading=HEADINGS[assessment.verdict.word].fill(recipient=recipient),
        reason=as_sentence(assessment.verdict.reason),
        figures=_figures(assessment),
        answers=answer_questions(assessment)[1:],
        assumptions=[as_sentence(item.message) for item in assessment.assumptions],
        release=release,
        kept=assessment.kept,
    )


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


def describe_in_one_line(assessment: Assessment) -> Message:
    """Heading and reason as one sentence."""
    view = view_verdict(assessment)
    return join_sentences([as_sentence(view.heading), view.reason])
