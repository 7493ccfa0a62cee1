"""Describes the choice of k in a paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tokumei.core.messages import Message, join_messages, join_sentences

if TYPE_CHECKING:
    from tokumei.tables.advice.k_choice import Choice
    from tokumei.tables.advice.k_trials import KPoint

MANY_QI = 10
MIN_PEOPLE_PER_K = 50
"""Fewer than so many people per k make a coarse release."""
DISCLAIMER = Message("This is advice from figures on this file, not a legal threshold.")
REMEDY_STEPS = {
    "swap": Message("swap them within the classes"),
    "microaggregate": Message("release class means"),
    "generalize": Message("generalize these columns, too"),
    "drop": Message("leave them out"),
}


def describe_choice(choice: Choice) -> Message:
    """Which k and why; what to protect first; what makes the release coarse."""
    parts = [
        *_k_sentences(choice),
        *_heaviest_column_sentences(choice),
        *_coarse_release_sentences(choice),
        DISCLAIMER,
    ]
    return join_sentences(parts)


def count_unit(choice: Choice) -> Message:
    """What is counted."""
    return Message("people" if choice.counts_people else "rows", context="what is counted")


def _k_sentences(choice: Choice) -> Iterator[Message]:
    safe_point, qi_safe_point = choice.good(), choice.good_for_qi
    if safe_point is not None:
        yield _sufficient_k_sentence(choice, safe_point)
    elif qi_safe_point is None:
        last_point = choice.points[-1]
        yield Message(
            "For no k up to {k} can a rate above {limit:percent} be ruled out: with k = {k}, "
            "whoever knows only the quasi-identifiers finds {rate:percent} of the "
            "{rows_or_people}, at most {high:percent}. Try a larger k, or leave out "
            "quasi-identifiers.",
            k=last_point.k,
            limit=choice.max_rate,
            rate=last_point.by_qi.rate,
            rows_or_people=count_unit(choice),
            high=last_point.by_qi.high,
        )
    else:
        yield from _no_k_sentences(choice, qi_safe_point)


def _sufficient_k_sentence(choice: Choice, point: KPoint, remedy: Message | None = None) -> Message:
    high = point.by_all.high
    one_in = max(1, int(1 / high)) if high > 0 else choice.people
    release = Message("k = {k}", k=point.k)
    if remedy is not None:
        release = Message("k = {k} and {remedy}", k=point.k, remedy=remedy)
    return Message(
        "{release}: at most 1 in {one_in} {rows_or_people} can be found by someone who knows "
        "everything in the release ({attack} finds {rate:percent}, at most {high:percent}; limit "
        "{max_rate:percent}), and {loss:percent} of the information is lost.",
        release=release,
        one_in=one_in,
        rows_or_people=count_unit(choice),
        attack=point.by_all.attack,
        rate=point.by_all.rate,
        high=high,
        max_rate=choice.max_rate,
        loss=point.loss,
    )


def _no_k_sentences(choice: Choice, qi_safe_point: KPoint) -> Iterator[Message]:
    rates = [(name, rate) for name, rate in choice.blamed.items() if rate > choice.max_rate]
    named_rates = rates or list(choice.blamed.items())
    found_by_column = [
        Message("the exact values of {column} identify {rate:percent}", column=name, rate=rate)
        for name, rate in named_rates[:3]
    ]
    if found_by_column:
        yield Message(
            "No k helps: k = {k} suffices against someone who knows only the quasi-identifiers, "
            "but {found_by_column}.",
            k=qi_safe_point.k,
            found_by_column=join_messages(found_by_column),
        )
    else:
        yield Message(
            "No k helps: k = {k} suffices against someone who knows only the quasi-identifiers, "
            "but columns released exactly identify people.",
            k=qi_safe_point.k,
        )
    if choice.remedy is None:
        return
    remedied_point = choice.good(choice.remedy.points)
    if remedied_point is not None:
        step = REMEDY_STEPS[choice.remedy.name]
        yield Message("The cheapest step against it: {step}.", step=step)
        yield _sufficient_k_sentence(choice, remedied_point, choice.remedy.words)
    else:
        safest_point = min(choice.remedy.points, key=lambda point: point.by_all.high)
        yield Message(
            "Even with {remedy} up to {high:percent} may be found (k = {k}): leave out more "
            "columns.",
            remedy=choice.remedy.words,
            high=safest_point.by_all.high,
            k=safest_point.k,
        )


def _heaviest_column_sentences(choice: Choice) -> Iterator[Message]:
    if choice.without is None:
        return
    column, point = choice.without
    share = choice.advised.most_lossy_column[1]
    yield Message(
        "{column} alone makes up {share:percent} of the loss; without it k = {k} loses "
        "{loss:percent} of the rest and up to {high:percent} are found.",
        column=column,
        share=share,
        k=point.k,
        loss=point.loss,
        high=point.by_all.high,
    )


def _coarse_release_sentences(choice: Choice) -> Iterator[Message]:
    point = choice.advised
    is_few, has_many_qi = choice.people < MIN_PEOPLE_PER_K * point.k, len(choice.qi) > MANY_QI
    if not is_few and not has_many_qi:
        return
    qi = {name: loss for name, loss in point.losses.items() if name in choice.qi}
    heaviest_qi = max(qi, key=lambda name: qi[name]) if qi else choice.qi[0]
    cause = (
        Message(
            "{people:,} {rows_or_people} are few for k = {k}",
            people=choice.people,
            rows_or_people=count_unit(choice),
            k=point.k,
        )
        if is_few
        else Message("{qi_count} quasi-identifiers are many", qi_count=len(choice.qi))
    )
    yield Message(
        "{cause}, so cells are coarse; leave out {heaviest_qi} first.",
        cause=cause,
        heaviest_qi=heaviest_qi,
    )
