"""ensemble: several attacks answer, and for every row the one that can be trusted most is taken.

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

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.attackers.euclid import Euc2, Linkage
from tokumei.tables.attackers.gaps import filled
from tokumei.tables.attackers.identify import Rand, SaNear, SaOnly
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.attackers.sensitive import scales
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.numbers import is_number_column
from tokumei.tables.data.table import Table

PRIOR = 20.0
"""A few answers count as so many of the attack's average."""
NEIGHBOURS = 10
SURE = 3.0


@dataclass(frozen=True)
class Ensemble(Attacker):
    """E1, E2, E4, EUC2 and linkage; for every row the answer that is trusted most.

    `sample`: released rows on which trust is counted.
    """

    name: ClassVar[str] = "ensemble"
    title: ClassVar[Text] = Text("The most trusted of several attacks", "最も信頼できる攻撃を選択")
    sentence: ClassVar[Text] = Text(
        "Lets several attacks answer and takes for every row the one that decoys show to be right "
        "most often.",
        "複数の攻撃に答えさせ、おとりの行で測った信頼度が最も高い答えを行ごとに選びます。",
    )
    formula: ClassVar[str] = "y → answer of argmax_a (1 − 2 · decoys named by a)"
    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")
    on_request: ClassVar[bool] = True
    """It runs the other attacks twice, so it is not among `all`."""

    sample: int = 2000

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """The most trusted answer of every row."""
        answers = _answers(public, knowledge, rng.child("answers"))
        chosen = self.trust(public, knowledge, rng=rng).best(answers)
        return Guess.single(answers[chosen, np.arange(public.rows)])

    def trust(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Trust:
        """How far each attack can be trusted, as decoys tell."""
        some = rng.child("sample").permutation(public.rows)[: self.sample]
        mixed = replace(knowledge, table=with_decoys(knowledge.table, rng.child("decoys")))
        answers = _answers(public.take(some), mixed, rng.child("trial"))
        return Trust.of(answers, knowledge.rows)


MEMBERS: Sequence[Attacker] = (Linkage(), Euc2(), SaNear(), SaOnly(), Rand())
"""Who answers; of equally trusted ones the first."""


def _answers(public: Table, knowledge: Knowledge, rng: Randomness) -> np.ndarray:
    """One answer of each attack for each released row (attacks × rows)."""
    found = []
    for one in MEMBERS:
        guess = one.attack(public, knowledge, rng=rng.child(one.name))
        found.append(guess.draw(rng.child(one.name, "draw").generator))
    return np.array(found)


def agreement(answers: np.ndarray) -> np.ndarray:
    """How many other attacks give the same answer (attacks × rows)."""
    same = answers[:, None, :] == answers[None, :, :]
    return np.asarray((same & (answers[None, :, :] != ABSTAIN)).sum(axis=1) - 1).clip(0)


@dataclass(frozen=True, eq=False)
class Trust:
    """Share of answers that are right: of each attack, and by how many others agree; its error.

    1 − 2 · share of decoys. Where there are few answers, the attack's average (`mean`) counts as
    `PRIOR` of them.
    """

    mean: np.ndarray
    least: np.ndarray
    """What the mean is at least, `SURE` standard errors below."""
    share: np.ndarray
    error: np.ndarray

    @classmethod
    def of(cls, answers: np.ndarray, real: int) -> Trust:
        """From answers among `real` known rows and decoys after them."""
        agreeing, attacks = agreement(answers), len(answers)
        mean, least, share, error = *np.zeros((2, attacks)), *np.zeros((2, attacks, attacks))
        for attack, said in enumerate(answers):
            answered, decoy = said != ABSTAIN, said >= real
            overall = decoy.sum() / max(int(answered.sum()), 1)
            mean[attack] = 1 - 2 * overall
            least[attack] = mean[attack] - SURE * _error(overall, said[answered])
            for level in range(attacks):
                here = answered & (agreeing[attack] == level)
                n = here.sum() + PRIOR
                wrong = ((decoy & here).sum() + PRIOR * overall) / n
                share[attack, level] = 1 - 2 * wrong
                error[attack, level] = _error(wrong, said[here])
        return cls(mean, least, share, error)

    def best(self, answers: np.ndarray) -> np.ndarray:
        """For every row the attack to believe: the surest on average, unless another is better.

        Better by more than `SURE` standard errors of the difference, and it must have answered.
        """
        agreeing = agreement(answers)
        share, error = (np.take_along_axis(x, agreeing, axis=1) for x in (self.share, self.error))
        leader = int(self.least.argmax())
        ahead = share - share[leader] - SURE * np.hypot(error, error[leader])
        ahead = np.where(answers[leader] == ABSTAIN, share + 2.0, ahead)
        ahead[leader] = 0.0
        ahead[answers == ABSTAIN] = -2.0
        return np.asarray(ahead.argmax(axis=0))


def _error(wrong: float, said: np.ndarray) -> float:
    """The standard error of 1 − 2 · wrong; rows with the same answer count once.

    Rows that a method made equal are answered alike: they are one observation, not many.
    """
    return float(2 * np.sqrt(wrong * (1 - wrong) / (len(np.unique(said)) + PRIOR)))


def with_decoys(table: Table, rng: Randomness) -> Table:
    """The table, and after it as many decoys: QI of each row, SA of a row with a similar sum.

    Every number is then moved to some place between two values of nearly the same rank in its
    column: decoys lie as densely as real rows and are no copies of them.
    """
    numbers = [name for name in table.schema.sa if is_number_column(table.frame[name])]
    values = table.numbers(numbers)
    sums = (filled(values, values) / scales(values)).sum(axis=1)
    other = _near(sums, np.arange(table.rows), rng.child("row"))
    real = table.frame.with_columns(_column(name, values[:, j]) for j, name in enumerate(numbers))
    moved = [_column(n, _moved(values[:, j], other, rng.child(n))) for j, n in enumerate(numbers)]
    words = [table.frame[n].gather(other) for n in table.schema.sa if n not in numbers]
    return table.with_frame(pl.concat([real, real.with_columns(*moved, *words)]))


def _column(name: str, values: np.ndarray) -> pl.Series:
    return pl.Series(name, values).fill_nan(None)


def _moved(values: np.ndarray, rows: np.ndarray, rng: Randomness) -> np.ndarray:
    """A number near that of every row; gaps are taken over as they are."""
    there = np.flatnonzero(~np.isnan(values))
    if len(there) == len(values):
        return _between(values, rows, rng)
    place = np.full(len(values), -1)
    place[there] = np.arange(len(there))
    kept = place[rows] >= 0
    moved = np.full(len(rows), np.nan)
    moved[kept] = _between(values[there], place[rows][kept], rng)
    return moved


def _near(values: np.ndarray, rows: np.ndarray, rng: Randomness) -> np.ndarray:
    """For each row another one whose value is at most some ranks away."""
    order = np.argsort(values, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    step = rng.child("step").generator.integers(1, NEIGHBOURS + 1, len(rows))
    side = rng.child("side").generator.choice([-1, 1], len(rows))
    return np.asarray(order[np.clip(place[rows] + side * step, 0, len(order) - 1)])


def _between(values: np.ndarray, rows: np.ndarray, rng: Randomness) -> np.ndarray:
    """A number somewhere between the values of two rows near each of these."""
    share = rng.child("share").generator.random(len(rows))
    first, second = (values[_near(values, rows, rng.child(side))] for side in ("first", "second"))
    return np.asarray(first + share * (second - first))
