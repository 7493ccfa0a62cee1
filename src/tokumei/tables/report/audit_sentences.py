"""Sentences of an audit: one per question, and what was not tested."""

from __future__ import annotations

from typing import Any

from tokumei.core.formatting import FormattedValue, format_percent_range
from tokumei.core.messages import Message, join_messages, join_sentences
from tokumei.tables.audit.attack_statistics import Interval
from tokumei.tables.audit.attribute_inference import AttributeInference
from tokumei.tables.audit.audit import Audit
from tokumei.tables.audit.membership import MembershipResult
from tokumei.tables.audit.singling_out import SinglingOut

ATTACKER_MODELS = {
    "together": Message(
        "The attacker is assumed to have a list of people with everybody in the data on it, does "
        "not know who these are, and lets all of them compete for the released rows (the worst "
        "case)."
    ),
    "alone": Message(
        "The attacker is assumed to have the release and a sample of the population, and looks at "
        "one person at a time."
    ),
}
NOT_TRIED = (
    Message(
        "attackers who rebuild the anonymizer and train on many releases of their own (shadow "
        "models)"
    ),
    Message(
        "attackers who know more than the columns given, or an earlier release of the same people"
    ),
    Message("people whose values differ from those of members and control"),
)
QUESTIONS = {
    "membership": Message("Can one tell who is in the data?"),
    "attribute": Message("Can a sensitive value be inferred?"),
    "singling-out": Message("Can somebody be singled out?"),
}

YES = Message("Yes.")
NOT_MEASURABLE = Message(
    "Not measurably more than people who are not in the data, with these attacks."
)
FEWER_OTHERS = Message(
    "Fewer people are known who are not in the data, so not all could be compared; with all of "
    "them the figures may be higher."
)


def count_people(share: float, of: int) -> int:
    """A share of people as a number of them."""
    return round(share * of)


def percent_span(interval: Interval) -> FormattedValue:
    """An interval in percent, as a value of a message."""
    return FormattedValue(format_percent_range, interval.low, interval.high)


def describe_people(targets: int, whole: int) -> Message:
    """The people in the data who were asked about, all of them or some."""
    if targets == whole:
        return Message("the {whole:,} people in the data", whole=whole)
    return Message(
        "{targets:,} people drawn from the {whole:,} in the data", targets=targets, whole=whole
    )


def membership_verdict(membership: MembershipResult, targets: int, whole: int) -> Message:
    """How many members are recognised, at how many false alarms."""
    if not membership.rates:
        return Message("There are too few controls to say.")
    false_alarm_rates = [rate for rate in (0.01, 0.1, 0.001) if rate in membership.rates]
    measurable = [rate for rate in false_alarm_rates if membership.rates[rate].low > rate]
    found_sentence = _describe_members_found(
        membership, (measurable or false_alarm_rates)[0], targets, describe_people(targets, whole)
    )
    answer = Message("Not measurably better than by guessing, with these attacks.")
    if measurable:
        answer = YES
    elif membership.corrected.low > 0.5:
        answer = Message(
            "To some degree. Of two people, one in the data and one not, the attacker tells which "
            "is which in {share:percent} of cases (guessing: {guessing:percent}).",
            share=membership.corrected.value,
            guessing=0.5,
        )
    return join_sentences([answer, found_sentence])


def _describe_members_found(
    membership: MembershipResult, rate: float, targets: int, people: Message
) -> Message:
    """Members named at a rate of false alarms, by guessing, and with the original rows in hand."""
    interval, others, top = (
        membership.rates[rate],
        round(1 / rate),
        membership.ceiling.tpr[rate].value,
    )
    best = Message(
        "With the original rows in hand it would be {people:,}.", people=count_people(top, targets)
    )
    if top <= interval.value:
        best = Message("The original rows themselves would allow no more.")
    found = Message(
        "An attacker rightly names {hits:,} of {people} ({low:,} to {high:,}, allowing for chance; "
        "guessing would name {luck:,}) while wrongly naming at most one in {others:,} of the "
        "people who are not in it.",
        hits=count_people(interval.value, targets),
        people=people,
        low=count_people(interval.low, targets),
        high=count_people(interval.high, targets),
        luck=count_people(rate, targets),
        others=others,
    )
    return join_sentences([found, best])


def attribute_verdict(attribute: AttributeInference, targets: int, whole: int) -> Message:
    """How many members are guessed right, against people who are not in the data."""
    best, column = attribute.best, Message.verbatim(attribute.column)
    if attribute.tolerance is not None:
        column = Message(
            "{column} (± {tolerance:.4g})", column=column, tolerance=attribute.tolerance
        )
    figures: dict[str, Any] = {
        "hits": count_people(best.members, targets),
        "people": describe_people(targets, whole),
        "share": best.members,
        "others": best.control,
        "added": attribute.corrected.value,
        "span": percent_span(attribute.corrected),
    }
    text = Message(
        "{column}: not measurably better than by general knowledge, with these attacks. It is "
        "guessed right for {hits:,} of {people} ({share:percent}) and for {others:percent} of "
        "people who are not in it; what the release adds is {added:percent} ({span}).",
        column=column,
        **figures,
    )
    if attribute.corrected.low > 0:
        text = Message(
            "Yes. {column} is guessed right for {hits:,} of {people} ({share:percent}), but only "
            "for {others:percent} of people who are not in it. Of those whom general knowledge "
            "would not have given away, the release gives away {added:percent} ({span}).",
            column=column,
            **figures,
        )
    if not best.certain:
        return text
    certain = Message(
        "For one person in the data all released rows that fit say the same, which is right for "
        "{right:,}.",
        plural="For {count:,} people in the data all released rows that fit say the same, which is "
        "right for {right:,}.",
        count=best.certain,
        right=count_people(best.certain_right or 0.0, best.certain),
    )
    return join_sentences([text, certain])


def singling_verdict(outcomes: list[SinglingOut], whole: int) -> Message:
    """How many people descriptions from the release single out, against people not in it."""
    outcome = max(outcomes, key=_strongest_key)
    if not outcome.predicates:
        return Message("Not with these attacks: no description fits exactly one released row.")
    people = _describe_singled_out(outcome, describe_people(outcome.people, whole))
    if outcome.corrected is None:
        few_sentence = Message(
            "There are too few descriptions for a rate ({predicates:,}).",
            predicates=outcome.predicates,
        )
        return join_sentences([few_sentence, people])
    fewer = [FEWER_OTHERS] if outcome.people < whole else []
    answer = YES if outcome.corrected.low > 0 else NOT_MEASURABLE
    return join_sentences([answer, people, _describe_rates(outcome, outcome.corrected), *fewer])


def _describe_singled_out(outcome: SinglingOut, people: Message) -> Message:
    """The people whom descriptions of a width single out, of those asked about."""
    figures: dict[str, Any] = {
        "members": outcome.members,
        "people": people,
        "control": outcome.control,
        "others": outcome.people,
    }
    if outcome.equal:
        return Message(
            "Descriptions made of the exact values of one column of one released row, which fit no "
            "other row, single out {members:,} of {people} and {control:,} of {others:,} others.",
            plural="Descriptions made of the exact values of {count} columns of one released row, "
            "which fit no other row, single out {members:,} of {people} and {control:,} of "
            "{others:,} others.",
            count=outcome.columns,
            **figures,
        )
    return Message(
        "Descriptions made of one column of one released row, which fit no other row, single out "
        "{members:,} of {people} and {control:,} of {others:,} others.",
        plural="Descriptions made of {count} columns of one released row, which fit no other row, "
        "single out {members:,} of {people} and {control:,} of {others:,} others.",
        count=outcome.columns,
        **figures,
    )


def _strongest_key(outcome: SinglingOut) -> tuple[bool, bool, int]:
    """Sort key: the width beyond chance that singles out the most people comes last."""
    beyond = outcome.corrected is not None and outcome.corrected.low > 0
    return beyond, outcome.corrected is not None, outcome.members - outcome.control


def _describe_rates(outcome: SinglingOut, risk: Interval) -> Message:
    """How often descriptions fit one person, on both sides."""
    figures: dict[str, Any] = {
        "descriptions": outcome.predicates,
        "rate": outcome.rate,
        "control_rate": outcome.control_rate,
        "added": risk.value,
        "span": percent_span(risk),
    }
    if outcome.every:
        return Message(
            "Of these descriptions ({descriptions:,}) {rate:percent} fit exactly one of these "
            "people, and {control_rate:percent} exactly one of as many others; the release adds "
            "{added:percent} ({span}) of what could be added.",
            **figures,
        )
    return Message(
        "Of these descriptions ({descriptions:,} drawn at random) {rate:percent} fit exactly one "
        "of these people, and {control_rate:percent} exactly one of as many others; the release "
        "adds {added:percent} ({span}) of what could be added.",
        **figures,
    )


def question_and_answer(question: Message, answer: Message) -> Message:
    """Both as one line."""
    return Message(
        "{question} {answer}", context="a question and its answer", question=question, answer=answer
    )


def audit_verdicts(result: Audit) -> list[tuple[Message, Message]]:
    """Every question that was asked with its answer."""
    whole = result.counts["members"]
    targets = result.counts["targets"] - result.counts["target_controls"]
    answers = []
    if result.membership is not None:
        answers.append(
            (QUESTIONS["membership"], membership_verdict(result.membership, targets, whole))
        )
    for attribute in result.attributes.values():
        answers.append((QUESTIONS["attribute"], attribute_verdict(attribute, targets, whole)))
    if result.singling_out:
        answers.append((QUESTIONS["singling-out"], singling_verdict(result.singling_out, whole)))
    return answers


def untried_attacks(result: Audit) -> list[Message]:
    """What these figures do not speak of."""
    untried = list(NOT_TRIED)
    if result.membership is not None:
        skipped = result.membership.skipped
        for reason in dict.fromkeys(skipped.values()):
            names = join_messages(name for name, why in skipped.items() if why == reason)
            untried.append(Message("the attacks {names} ({reason})", names=names, reason=reason))
    if result.left_out:
        names = join_messages(result.left_out)
        untried.append(Message("columns not in the release: {names}", names=names))
    return untried
