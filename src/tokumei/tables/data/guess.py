"""An attacker's knowledge and guess: for each released row a set of known rows.

Ties are kept, not broken, so that one object gives both a draw and the exact expected rate.
Rows that share a candidate set share it in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tokumei.tables.data.cell_reader import Hierarchies
from tokumei.tables.data.table import Table


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The strongest attacker on tables knows every row and column of the original.

    What labels stand for is as public as the release: `hierarchies`, by column.
    """

    table: Table
    hierarchies: Hierarchies = field(default_factory=dict)
    strict: bool = True
    """Whether a cell that nothing explains is refused rather than taken for `*`."""

    @property
    def rows(self) -> int:
        """How many people the attacker knows."""
        return self.table.rows


ABSTAIN = -1


@dataclass(frozen=True, eq=False)
class Guess:
    """Guess per released row.

    `group[i]` is the candidate set of released row i (ABSTAIN: no answer); set g holds the known
    rows `rows[start[g]:start[g+1]]` with probabilities `weights`, uniform when None; what they
    lack to 1 is the chance of no answer.
    """

    group: np.ndarray
    start: np.ndarray
    rows: np.ndarray
    weights: np.ndarray | None = field(default=None)

    @classmethod
    def single(cls, answers: np.ndarray) -> Guess:
        """One answer per released row (ABSTAIN: none)."""
        answers = np.asarray(answers, dtype=np.int64)
        group = np.where(answers == ABSTAIN, ABSTAIN, np.arange(len(answers)))
        return cls(group, np.arange(len(answers) + 1), np.maximum(answers, 0))

    @property
    def answered(self) -> np.ndarray:
        """Which released rows got an answer."""
        return np.asarray(self.group != ABSTAIN)

    def overridden_by(self, answers: np.ndarray) -> Guess:
        """Certain answers where there are any (not ABSTAIN), this guess elsewhere."""
        sure = np.flatnonzero(answers != ABSTAIN)
        group = self.group.copy()
        group[sure] = len(self.start) - 1 + np.arange(len(sure))
        start = np.append(self.start, self.start[-1] + 1 + np.arange(len(sure)))
        rows = np.concatenate([self.rows, answers[sure]])
        if self.weights is None:
            return Guess(group, start, rows)
        return Guess(group, start, rows, np.append(self.weights, np.ones(len(sure))))

    def replaced(self, where: np.ndarray, others: Guess) -> Guess:
        """The guess `others` for some released rows, this one for the rest; both unweighted."""
        sets = len(self.start) - 1
        moved = np.where(others.answered, others.group + sets, ABSTAIN)
        start = np.append(self.start, self.start[-1] + others.start[1:])
        rows = np.concatenate([self.rows, others.rows])
        return Guess(np.where(where, moved, self.group), start, rows)

    def to_people(self, people: np.ndarray) -> Guess:
        """The same answer in people, `people[i]` being the person of known row i."""
        sizes = np.diff(self.start)
        weights = 1.0 / np.repeat(sizes, sizes) if self.weights is None else self.weights
        span = int(people.max(initial=0)) + 1
        keys = np.repeat(np.arange(len(sizes)), sizes) * span + people[self.rows]
        distinct_keys, key_index = np.unique(keys, return_inverse=True)
        start = np.searchsorted(distinct_keys // span, np.arange(len(sizes) + 1))
        return Guess(
            self.group,
            start,
            distinct_keys % span,
            np.bincount(key_index, weights, len(distinct_keys)),
        )

    def draw(self, generator: np.random.Generator) -> np.ndarray:
        """One answer per released row, ties broken by chance; ABSTAIN where there is none."""
        answers = np.full(len(self.group), ABSTAIN, dtype=np.int64)
        answered_rows = np.flatnonzero(self.answered)
        group = self.group[answered_rows]
        chance = generator.random(len(answered_rows))
        if self.weights is None:
            size = self.start[group + 1] - self.start[group]
            positions = self.start[group] + np.minimum((chance * size).astype(np.int64), size - 1)
        else:
            total = np.concatenate([[0.0], np.cumsum(self.weights)])
            positions = np.searchsorted(total, total[self.start[group]] + chance, side="right") - 1
            has_answer = positions < self.start[group + 1]
            answered_rows, positions = answered_rows[has_answer], positions[has_answer]
        answers[answered_rows] = self.rows[positions]
        return answers

    def chance_of(self, truth: np.ndarray) -> np.ndarray:
        """Per released row the probability that a draw names `truth`."""
        span = int(max(self.rows.max(initial=0), truth.max(initial=0))) + 1
        sizes = np.diff(self.start)
        owner = np.repeat(np.arange(len(sizes)), sizes)
        keys = owner * span + self.rows
        order = np.argsort(keys, kind="stable")
        true_keys = np.where(self.answered, self.group * span + truth, -1)
        positions = np.searchsorted(keys[order], true_keys)
        is_candidate = positions < len(keys)
        is_candidate[is_candidate] = keys[order[positions[is_candidate]]] == true_keys[is_candidate]
        weights = 1.0 / np.repeat(sizes, sizes) if self.weights is None else self.weights
        chance = np.zeros(len(self.group))
        chance[is_candidate] = weights[order[positions[is_candidate]]]
        return chance
