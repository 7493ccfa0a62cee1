"""What a privacy officer reads first: four questions about a release, and their answers.

May it go to this recipient? What does that rest on? What is the worst that can happen? What would
help? All figures are those of the assessment; pages and the text view show the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.assumptions import RECIPIENT_WORDS
from tokumei.assessment.remedy import Remedy
from tokumei.assessment.verdict import UNIT_WORDS
from tokumei.assessment.wording import name_columns
from tokumei.core.messages import Message, as_sentence, join_sentences

MAX_REMEDIES = 3

VERDICT_SENTENCES = {
    "fits": Message("Fits the scenario for {recipient}: {reason}"),
    "does-not-fit": Message("Does not fit the scenario for {recipient}: {reason}"),
    "unknown": Message(
        "It cannot be told whether this fits the scenario for {recipient}: {reason}"
    ),
}
VERDICT_ANSWERS = {
    "fits": Message("Yes."),
    "does-not-fit": Message("No, not as it is."),
    "unknown": Message("Not before this is settled."),
}
MAY_IT_GO = {
    "public": Message("May it be made public?"),
    "partner": Message("May it go to the partner under contract?"),
    "inside": Message("May it be used inside the organization?"),
}


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question that an officer asks, and its answers in sentences."""

    code: str
    question: Message
    answers: tuple[Message, ...]


def verdict_sentence(assessment: Assessment) -> Message:
    """The one sentence that a privacy officer signs."""
    sentence = VERDICT_SENTENCES[assessment.verdict.word].fill(
        recipient=RECIPIENT_WORDS[assessment.scenario.recipient], reason=assessment.verdict.reason
    )
    return as_sentence(sentence)


def answer_questions(assessment: Assessment) -> list[AnsweredQuestion]:
    """The four questions in their order."""
    may_it_go = MAY_IT_GO[assessment.scenario.recipient]
    verdict = join_sentences(
        [VERDICT_ANSWERS[assessment.verdict.word], verdict_sentence(assessment)]
    )
    questions = (
        ("may-go", may_it_go, [verdict]),
        ("rests-on", Message("What does this rest on?"), list(_assumptions(assessment))),
        ("worst", Message("What is the worst that can happen?"), list(_worst(assessment))),
        ("help", Message("What would help?"), list(_help(assessment))),
    )
    return [
        AnsweredQuestion(code, question, tuple(as_sentence(answer) for answer in answers))
        for code, question, answers in questions
    ]


def _assumptions(assessment: Assessment) -> Iterator[Message]:
    """What the recipient is taken to know, and everything that is taken for granted."""
    if assessment.knows:
        yield Message(
            "the recipient may know {columns} of everybody",
            columns=name_columns(assessment.knows),
        )
    for assumption in assessment.assumptions:
        if assumption.code != "values-certain":
            yield assumption.message
    limits = assessment.scenario.limits
    yield Message(
        "limits: at most {identified:percent} identified, at most {guessed:percent} guessed right, "
        "at least {size} {unit} alike",
        identified=limits.identified,
        guessed=limits.guessed_right,
        size=limits.smallest_class,
        unit=UNIT_WORDS[assessment.unit],
    )


def _worst(assessment: Assessment) -> Iterator[Message]:
    """The strongest attacker of the scenario, values that become certain, and the bound."""
    if not assessment.attackers or assessment.bound is None:
        yield Message("this cannot be computed: it depends on what is missing")
        return
    total, unit = assessment.total, UNIT_WORDS[assessment.unit]
    yield Message(
        "by what the recipient may know, {number:,} of {total:,} {unit} can be identified, and a "
        "guess is right in {share:percent} of cases (a blind guess: {blind:percent})",
        number=round(max(attacker.identified for attacker in assessment.attackers)),
        total=total,
        unit=unit,
        share=max(attacker.share for attacker in assessment.attackers),
        blind=assessment.attackers[0].baseline,
    )
    for assumption in assessment.assumptions:
        if assumption.code == "values-certain":
            yield assumption.message
    yield Message(
        "somebody who holds the whole original: {number:,} of {total:,} {unit} can be identified",
        number=round(assessment.bound.identified),
        total=total,
        unit=unit,
    )
    joint = assessment.joint
    if joint is not None and joint.is_linked:
        yield Message(
            "together with earlier releases: {number:,} of {total:,} {unit} can be identified",
            number=joint.alone,
            total=joint.people,
            unit=unit,
        )


def _left_to_do(assessment: Assessment) -> Iterator[Message]:
    """What is worth doing though a release fits."""
    if assessment.kept is None:
        yield Message("nothing needs to be changed for this recipient")
    else:
        yield Message(
            "nothing needs to be changed for this recipient; {kept:percent} of the information is "
            "kept",
            kept=assessment.kept,
        )
    certain = [
        name
        for assumption in assessment.assumptions
        if assumption.code == "values-certain"
        for name in assumption.columns
    ]
    if certain:
        yield Message(
            "so that {columns} does not become known for certain, let every class have several "
            "different values of it (l-diversity)",
            columns=name_columns(certain),
        )


def choose_remedies(helpful: Sequence[Remedy]) -> list[Remedy]:
    """The first of every kind, as few as fit on the screen; another recipient is among them."""
    first = {remedy.action: remedy for remedy in reversed(helpful)}
    chosen = [remedy for remedy in helpful if first[remedy.action] is remedy]
    narrower = [remedy for remedy in chosen if remedy.action == "scenario"]
    others = [remedy for remedy in chosen if remedy.action != "scenario"]
    return [*others[: MAX_REMEDIES - len(narrower)], *narrower]


def _help(assessment: Assessment) -> Iterator[Message]:
    """The remedies that turn the verdict, or what is missing, or why nothing does."""
    if assessment.verdict.word == "fits":
        yield from _left_to_do(assessment)
        return
    if assessment.verdict.word == "unknown":
        for item in assessment.unknown:
            if item.blocks and item.code != assessment.verdict.code:
                yield item.message
        yield Message("give what is missing, and assess the release again")
        return
    helpful = [remedy for remedy in assessment.remedies if remedy.verdict == "fits"]
    for remedy in choose_remedies(helpful):
        if remedy.action == "scenario" or remedy.kept is None:
            yield Message("{what}: it fits then", what=remedy.what)
        else:
            yield Message(
                "{what}: it fits then, and {kept:percent} of the information is kept",
                what=remedy.what,
                kept=remedy.kept,
            )
    if assessment.remedy_note is not None:
        yield assessment.remedy_note
    elif not helpful:
        yield Message("nothing was measured: the claim has to hold first")
