"""Runs all attacks and takes, for every month, the answer that expects the most hits.

    BestPseudonymAttack().attack(public, known, customers=customers, months=months, rng=rng)

An answer below one half gives way to a surer one of another attack, if nobody else has its
pseudonym. What is expected is what the attacks say of themselves; the truth is never seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.assignment import NOBODY
from tokumei.pseudonyms.attackers.challenge import ChallengeAttacker, PeriodChallenge
from tokumei.pseudonyms.attackers.likelihood import Likelihood
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.attackers.scoreboard import ScoreboardAttack
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess

_DOUBTFUL_BELOW = 0.5


@dataclass(frozen=True)
class BestPseudonymAttack(ChallengeAttacker):
    """The likelihood attack, the scoreboard, and profiles where months have no known row."""

    name: ClassVar[str] = "best"
    title: ClassVar[Message] = Message("Best of all attacks")
    sentence: ClassVar[Message] = Message(
        "Runs the strong attacks and lets the surest one answer for every month."
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    def answer(self, challenge: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """Ask every attack; of equally good ones the first, the likelihood, answers."""
        attacks: list[ChallengeAttacker] = [Likelihood(), ScoreboardAttack()]
        if _has_unknown_months(challenge):
            attacks.append(Profile())
        guesses = [attack.answer(challenge, rng=rng.child(attack.name)) for attack in attacks]
        chosen = np.array([guess.table.codes for guess in guesses])
        confidence = np.array([guess.confidence for guess in guesses])
        codes, sure_confidence = pick_surest_months(chosen, confidence)
        for other, belief in zip(chosen, confidence, strict=True):
            replace_doubtful_answers(codes, sure_confidence, other, belief)
        return challenge.guess(codes, sure_confidence)


def _has_unknown_months(challenge: PeriodChallenge) -> bool:
    """Whether a month of the release has no known row at all."""
    sides = challenge.public, challenge.known
    public_months, known_months = (
        np.unique(challenge.months.of(side.days[side.kept])) for side in sides
    )
    return bool(np.setdiff1d(public_months[public_months >= 0], known_months).size)


def pick_surest_months(chosen: np.ndarray, confidence: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every month the answers of the attack (first axis) that expects the most hits."""
    best = np.round(confidence.sum(axis=1), 6).argmax(axis=0)
    months = np.arange(chosen.shape[2])
    return chosen[best, :, months].T.copy(), confidence[best, :, months].T.copy()


def replace_doubtful_answers(
    codes: np.ndarray, confidence: np.ndarray, other: np.ndarray, belief: np.ndarray
) -> None:
    """Put surer answers of another attack in place of doubtful ones, pseudonyms staying unique."""
    doubtful = (
        (codes != NOBODY)
        & (confidence < _DOUBTFUL_BELOW)
        & (other != NOBODY)
        & (belief > confidence)
    )
    for customer, month in zip(*np.nonzero(doubtful), strict=True):
        if other[customer, month] not in np.delete(codes[:, month], customer):
            codes[customer, month], confidence[customer, month] = (
                other[customer, month],
                belief[customer, month],
            )
