"""Sentences about attacks and permuted links."""

from __future__ import annotations

from tokumei.core.attack_rates import AttackRate
from tokumei.core.formatting import FormattedValue, format_percent_range
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.evaluation_suite import StrongestAttack

ROWS_NOUN = Message("rows", context="what is counted")
PEOPLE_NOUN = Message("people", context="what is counted")
"""The units attacks are counted in: people where the release identifies rows of one person."""


def describe_attack(attack: AttackRate | StrongestAttack, counted: Message = ROWS_NOUN) -> Message:
    """How much an attack finds, with its interval, beside a blind guess; `of` what is counted."""
    return Message(
        "An attacker who knows the original finds {rate:percent} of the {rows_or_people} (95 % "
        "interval {interval}); blind guessing finds {baseline:percent}.",
        rate=attack.rate,
        rows_or_people=counted,
        interval=FormattedValue(format_percent_range, attack.low, attack.high),
        baseline=attack.baseline,
    )


def describe_permuted_attack(
    attack: AttackRate | StrongestAttack, counted: Message = ROWS_NOUN
) -> Message:
    """State an attack rate under a permuted link, which says nothing about safety."""
    return Message(
        "Scored against the permuted link, the attacks are credited with {rate:percent} of the "
        "{rows_or_people}. This says nothing about safety.",
        rate=attack.rate,
        rows_or_people=counted,
    )


def describe_permuted_loss(score: Score) -> Message:
    """The information loss where the link was permuted: rows meet those of others."""
    return Message(
        "Compared with the permuted origins, values seem to move by {loss:percent} of their range; "
        "in fact each is somebody's true value.",
        loss=score.value,
    )


def yamaoka_warning(verbatim: float) -> Message:
    """What a permuted link is: not protection. `verbatim`: share of rows that are copies."""
    return Message(
        "The values are unchanged; the low rate comes from a permuted link (Yamaoka), and an "
        "attacker who recognises the values still finds the people. {copies:percent} of the "
        "released rows are exact copies of an original row.",
        copies=verbatim,
        stable_code="permuted-link",
    )
