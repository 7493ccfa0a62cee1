"""All attacks that work: for every month the one that expects the most hits answers.

    Best().attack(public, known, customers=customers, months=months, rng=rng)

An answer below one half gives way to a surer one of another attack, if nobody else has its
pseudonym. What is expected is what the attacks say of themselves; the truth is never seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.pseudonyms.attackers.evidence import NOBODY
from tokumei.pseudonyms.attackers.likelihood import Likelihood
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.attackers.scoreboard import Scoreboard
from tokumei.pseudonyms.attackers.sides import ChallengeAttacker, PeriodChallenge
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess

_DOUBT = 0.5


@dataclass(frozen=True)
class Best(ChallengeAttacker):
    """The likelihood attack, the scoreboard, and profiles where months have no known row."""

    name: ClassVar[str] = "best"
    title: ClassVar[Text] = Text("Best of all attacks", "全攻撃の最良")
    sentence: ClassVar[Text] = Text(
        "Runs the strong attacks and lets the surest one answer for every month.",
        "強い攻撃を実行し、月ごとに最も確信度の高いものを答えとします。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    def answer(self, seen: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """Ask every attack; of equally good ones the first, the likelihood, answers."""
        attacks: list[ChallengeAttacker] = [Likelihood(), Scoreboard()]
        if _unheard_months(seen):
            attacks.append(Profile())
        guesses = [attack.answer(seen, rng=rng.child(attack.name)) for attack in attacks]
        chosen = np.array([guess.table.codes for guess in guesses])
        confidence = np.array([guess.confidence for guess in guesses])
        codes, sureness = surest_months(chosen, confidence)
        for other, belief in zip(chosen, confidence, strict=True):
            give_way(codes, sureness, other, belief)
        return seen.guess(codes, sureness)


def _unheard_months(seen: PeriodChallenge) -> bool:
    """Whether a month of the release has no known row at all."""
    sides = seen.public, seen.known
    shown, told = (np.unique(seen.months.of(side.days[side.kept])) for side in sides)
    return bool(np.setdiff1d(shown[shown >= 0], told).size)


def surest_months(chosen: np.ndarray, confidence: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every month the answers of the attack (first axis) that expects the most hits."""
    best = np.round(confidence.sum(axis=1), 6).argmax(axis=0)
    months = np.arange(chosen.shape[2])
    return chosen[best, :, months].T.copy(), confidence[best, :, months].T.copy()


def give_way(
    codes: np.ndarray, confidence: np.ndarray, other: np.ndarray, belief: np.ndarray
) -> None:
    """Put surer answers of another attack in place of doubtful ones, pseudonyms staying unique."""
    doubtful = (codes != NOBODY) & (confidence < _DOUBT) & (other != NOBODY) & (belief > confidence)
    for who, month in zip(*np.nonzero(doubtful), strict=True):
        if other[who, month] not in np.delete(codes[:, month], who):
            codes[who, month], confidence[who, month] = other[who, month], belief[who, month]
