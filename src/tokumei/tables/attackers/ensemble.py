"""ensemble: runs several attacks and takes, for every row, the most trusted answer.

Whom to trust is found without the truth, by decoys. To each known row a made-up one is added with
the same quasi-identifiers and sensitive values of similar rows. Whoever answers a decoy is wrong,
and a wrong answer falls on decoys about as often as on real rows: so an attack that names decoys in
a share d of its answers is right in about 1 − 2d of them. This is counted for every attack and for
every number of other attacks that agree with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.euclidean import Euc2, Linkage
from tokumei.tables.attackers.missing_values import fill_gaps_with_mean
from tokumei.tables.attackers.paper_identify_attacks import (
    NearestSaAttack,
    NearestSaSameQiAttack,
    RandomSameQiAttack,
)
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.attackers.sensitive_distance import standard_deviations
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.numeric_columns import is_number_column
from tokumei.tables.data.table import Table

PRIOR_ANSWERS = 20.0
"""A few answers count as so many of the attack's average."""
NEIGHBOUR_RANKS = 10
SURE_ERRORS = 3.0


@dataclass(frozen=True)
class Ensemble(Attacker):
    """E1, E2, E4, EUC2 and linkage; for every row the answer that is trusted most.

    `sample`: released rows on which trust is counted.
    """

    name: ClassVar[str] = "ensemble"
    title: ClassVar[Message] = Message("The most trusted of several attacks")
    sentence: ClassVar[Message] = Message(
        "Lets several attacks answer and takes for every row the one that decoys show to be right "
        "most often."
    )
    formula: ClassVar[str] = "y → answer of argmax_a (1 − 2 · decoys named by a)"
    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")
    on_request: ClassVar[bool] = True
    """It runs the other attacks twice, so it is not among `all`."""

    sample: int = 2000

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """The most trusted answer of every row."""
        answers = _draw_answers(public, knowledge, rng.child("answers"))
        chosen = self.trust(public, knowledge, rng=rng).best(answers)
        return Guess.single(answers[chosen, np.arange(public.rows)])

    def trust(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> AttackTrust:
        """How far each attack can be trusted, as decoys tell."""
        sample_rows = rng.child("sample").permutation(public.rows)[: self.sample]
        decoy_knowledge = replace(knowledge, table=add_decoys(knowledge.table, rng.child("decoys")))
        answers = _draw_answers(public.take(sample_rows), decoy_knowledge, rng.child("trial"))
        return AttackTrust.of(answers, knowledge.rows)


MEMBER_ATTACKS: Sequence[Attacker] = (
    Linkage(),
    Euc2(),
    NearestSaSameQiAttack(),
    NearestSaAttack(),
    RandomSameQiAttack(),
)
"""Who answers; of equally trusted ones the first."""


def _draw_answers(public: Table, knowledge: Knowledge, rng: Randomness) -> np.ndarray:
    """One answer of each attack for each released row (attacks × rows)."""
    answers = []
    for attack in MEMBER_ATTACKS:
        guess = attack.attack(public, knowledge, rng=rng.child(attack.name))
        answers.append(guess.draw(rng.child(attack.name, "draw").generator))
    return np.array(answers)


def count_agreeing(answers: np.ndarray) -> np.ndarray:
    """How many other attacks give the same answer (attacks × rows)."""
    is_same = answers[:, None, :] == answers[None, :, :]
    return np.asarray((is_same & (answers[None, :, :] != ABSTAIN)).sum(axis=1) - 1).clip(0)


@dataclass(frozen=True, eq=False)
class AttackTrust:
    """Share of answers that are right: of each attack, and by how many others agree; its error.

    1 − 2 · share of decoys. Where there are few answers, the attack's average (`mean`) counts as
    `PRIOR_ANSWERS` of them.
    """

    mean: np.ndarray
    least: np.ndarray
    """What the mean is at least, `SURE` standard errors below."""
    share: np.ndarray
    error: np.ndarray

    @classmethod
    def of(cls, answers: np.ndarray, real: int) -> AttackTrust:
        """From answers among `real` known rows and decoys after them."""
        agreeing, attacks = count_agreeing(answers), len(answers)
        mean, least, share, error = *np.zeros((2, attacks)), *np.zeros((2, attacks, attacks))
        for attack, attack_answers in enumerate(answers):
            is_answered, is_decoy = attack_answers != ABSTAIN, attack_answers >= real
            decoy_share = is_decoy.sum() / max(int(is_answered.sum()), 1)
            mean[attack] = 1 - 2 * decoy_share
            least[attack] = mean[attack] - SURE_ERRORS * _trust_standard_error(
                decoy_share, attack_answers[is_answered]
            )
            for level in range(attacks):
                at_level = is_answered & (agreeing[attack] == level)
                n = at_level.sum() + PRIOR_ANSWERS
                wrong_share = ((is_decoy & at_level).sum() + PRIOR_ANSWERS * decoy_share) / n
                share[attack, level] = 1 - 2 * wrong_share
                error[attack, level] = _trust_standard_error(wrong_share, attack_answers[at_level])
        return cls(mean, least, share, error)

    def best(self, answers: np.ndarray) -> np.ndarray:
        """For every row the attack to believe: the surest on average, unless another is better.

        Better by more than `SURE` standard errors of the difference, and it must have answered.
        """
        agreeing = count_agreeing(answers)
        share, error = (np.take_along_axis(x, agreeing, axis=1) for x in (self.share, self.error))
        leader = int(self.least.argmax())
        advantage = share - share[leader] - SURE_ERRORS * np.hypot(error, error[leader])
        advantage = np.where(answers[leader] == ABSTAIN, share + 2.0, advantage)
        advantage[leader] = 0.0
        advantage[answers == ABSTAIN] = -2.0
        return np.asarray(advantage.argmax(axis=0))


def _trust_standard_error(wrong_share: float, answers: np.ndarray) -> float:
    """The standard error of 1 − 2 · wrong; rows with the same answer count once.

    Rows that a method made equal are answered alike: they are one observation, not many.
    """
    return float(
        2 * np.sqrt(wrong_share * (1 - wrong_share) / (len(np.unique(answers)) + PRIOR_ANSWERS))
    )


def add_decoys(table: Table, rng: Randomness) -> Table:
    """The table, and after it as many decoys: QI of each row, SA of a row with a similar sum.

    Every number is then moved to some place between two values of nearly the same rank in its
    column: decoys lie as densely as real rows and are no copies of them.
    """
    numbers = [name for name in table.schema.sa if is_number_column(table.frame[name])]
    values = table.numbers(numbers)
    sums = (fill_gaps_with_mean(values, values) / standard_deviations(values)).sum(axis=1)
    similar_rows = _pick_near_rank(sums, np.arange(table.rows), rng.child("row"))
    real_rows = table.frame.with_columns(
        _series_with_gaps(name, values[:, j]) for j, name in enumerate(numbers)
    )
    moved_columns = [
        _series_with_gaps(n, _draw_nearby_values(values[:, j], similar_rows, rng.child(n)))
        for j, n in enumerate(numbers)
    ]
    text_columns = [
        table.frame[n].gather(similar_rows) for n in table.schema.sa if n not in numbers
    ]
    return table.with_frame(
        pl.concat([real_rows, real_rows.with_columns(*moved_columns, *text_columns)])
    )


def _series_with_gaps(name: str, values: np.ndarray) -> pl.Series:
    return pl.Series(name, values).fill_nan(None)


def _draw_nearby_values(values: np.ndarray, rows: np.ndarray, rng: Randomness) -> np.ndarray:
    """A number near that of every row; gaps are taken over as they are."""
    present_rows = np.flatnonzero(~np.isnan(values))
    if len(present_rows) == len(values):
        return _draw_between(values, rows, rng)
    position = np.full(len(values), -1)
    position[present_rows] = np.arange(len(present_rows))
    is_present = position[rows] >= 0
    moved = np.full(len(rows), np.nan)
    moved[is_present] = _draw_between(values[present_rows], position[rows][is_present], rng)
    return moved


def _pick_near_rank(values: np.ndarray, rows: np.ndarray, rng: Randomness) -> np.ndarray:
    """For each row another one whose value is at most some ranks away."""
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    step = rng.child("step").generator.integers(1, NEIGHBOUR_RANKS + 1, len(rows))
    side = rng.child("side").generator.choice([-1, 1], len(rows))
    return np.asarray(order[np.clip(rank[rows] + side * step, 0, len(order) - 1)])


def _draw_between(values: np.ndarray, rows: np.ndarray, rng: Randomness) -> np.ndarray:
    """A number somewhere between the values of two rows near each of these."""
    share = rng.child("share").generator.random(len(rows))
    first, second = (
        values[_pick_near_rank(values, rows, rng.child(side))] for side in ("first", "second")
    )
    return np.asarray(first + share * (second - first))
