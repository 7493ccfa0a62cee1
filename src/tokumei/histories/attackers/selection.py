"""How many of the answers to give: the number with the best chance to reach R(n)."""

from __future__ import annotations

import numpy as np

from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.threshold import thresholds

_SURE = 1e-6


def chances_to_reach(confidence: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """For n = 0, 1, … the chance that `needed[n]` of the n first answers are right.

    The answers are taken to be right independently, each with its confidence.
    """
    hits = np.zeros(len(confidence) + 1)
    hits[0] = 1.0
    chances = [hits[needed[0] :].sum()]
    for n, right in enumerate(np.clip(confidence, 0, 1), start=1):
        hits[1:] = hits[1:] * (1 - right) + hits[:-1] * right
        hits[0] *= 1 - right
        chances.append(hits[needed[n] :].sum())
    return np.array(chances)


def best_number(confidence: np.ndarray, needed: np.ndarray) -> int:
    """How many of the most confident answers to give; of equally good numbers the largest."""
    chances = chances_to_reach(np.sort(confidence)[::-1], needed)
    return int(np.flatnonzero(chances >= chances.max() - _SURE)[-1])


def surest(
    guess: HistoryGuess, *, p: float = 1 / 3, level: float = 0.01, attackers: int = 20
) -> HistoryGuess:
    """Only the most confident answers, as many as give the best chance to reach R(n)."""
    confidence = guess.confidence[guess.answered]
    needed = thresholds(len(confidence), p=p, level=level, attackers=attackers)
    return guess.top(best_number(confidence, needed))
