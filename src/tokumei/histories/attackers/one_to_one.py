"""Every pseudonym is one customer and no customer two pseudonyms: what follows for the answers."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from tokumei.core.randomness import Randomness

_ROUNDS = 30
_COOLING = 4.0
_STRANGER = 1e-3


def probabilities(scores: np.ndarray) -> np.ndarray:
    """The chance that pseudonym i is customer j, from log likelihood ratios.

    Rows and columns are scaled in turn (Sinkhorn) until no customer is given away more than once:
    k pseudonyms with equal scores get at most 1/k each. Pseudonyms may belong to strangers, whom
    the attacker does not know, and customers may have been dropped from the release. Large scores
    would need thousands of rounds; they are approached from flattened ones, step by step.
    """
    people, customers = scores.shape
    if not scores.size:
        return np.zeros(scores.shape)
    stranger = np.log(max(people - customers, people * _STRANGER))
    dropped = np.log(max(1 - people / customers, _STRANGER))
    take, give = -np.maximum(scores.max(axis=1), stranger), np.zeros(customers)
    for heat in _heats(scores):
        chance = np.exp((scores + take[:, None] + give) / heat)
        out, idle = np.exp((stranger + take) / heat), np.exp((dropped + give) / heat)
        rows, columns = _balanced(chance, out, idle)
        take, give = take + heat * np.log(rows), give + heat * np.log(columns)
    return np.asarray(rows[:, None] * chance * columns)


def _balanced(
    chance: np.ndarray, stranger: np.ndarray, dropped: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Factors of rows and columns that make both sum to one, strangers and dropped included."""
    columns = np.ones(chance.shape[1])
    for _ in range(_ROUNDS):
        rows = 1 / (chance @ columns + stranger)
        columns = 1 / (rows @ chance + dropped)
    return 1 / (chance @ columns + stranger), columns


def _heats(scores: np.ndarray) -> list[float]:
    """By how much scores are flattened in each stage; not at all in the last."""
    widest = float((scores.max(axis=1) - scores.min(axis=1)).max())
    stages = max(0, int(np.ceil(np.log(max(widest, 1) / 10) / np.log(_COOLING))))
    return [_COOLING**stage for stage in range(stages, -1, -1)]


def assigned(chances: np.ndarray, *, rng: Randomness) -> np.ndarray:
    """The customer of every pseudonym (-1: none), no customer twice, with the most expected hits.

    Both sides are shuffled first and rounding errors removed, so that equal chances are decided
    by lot, not by file order.
    """
    chances = np.round(chances, 9)
    rows, columns = (rng.child(side).permutation(n) for side, n in enumerate(chances.shape))
    who, whom = linear_sum_assignment(chances[np.ix_(rows, columns)], maximize=True)
    answers = np.full(len(chances), -1, dtype=np.int64)
    answers[rows[who]] = columns[whom]
    return answers
