"""EUC1, EUC2 and linkage: nearest in all sensitive columns among rows with the same QI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.assignment import assign_or_nearest
from tokumei.tables.attackers.qi_candidates import (
    fill_with_everyone,
    match_consistent_qi,
    match_equal_qi,
)
from tokumei.tables.attackers.sensitive_distance import build_sensitive_boxes
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class EuclideanAttack:
    """What both variants share. D(a,b) = sqrt(Σ_i (b_i − a_i)²) over the SA.

    `standardize` divides each SA by its known sd; `assign` answers one-to-one by optimal assignment
    inside the candidate sets; `aware` reads generalized cells: known rows inside every QI cell are
    candidates, and the distance to an interval is that to its nearest end (a set of numbers counts
    as the interval around it). What gaps and texts count: see `sensitive_distance.py`.
    """

    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")

    standardize: bool = False
    assign: bool = False
    aware: bool = False

    def candidates(self, public: Table, knowledge: Knowledge) -> Guess:
        """Known rows by QI."""
        frames, hierarchies = (public.frame, knowledge.table.frame), knowledge.hierarchies
        qi = self.qi_used(public, knowledge)
        if self.aware:
            return match_consistent_qi(*frames, qi, hierarchies, strict=knowledge.strict)
        return match_equal_qi(*frames, qi)

    def qi_used(self, public: Table, knowledge: Knowledge) -> list[str]:
        """The QI that are compared."""
        return knowledge.table.schema.qi

    def search(self, candidates: Guess, public: Table, knowledge: Knowledge) -> Guess:
        """The nearest rows, or the assigned ones, of each released row's set."""
        boxes = build_sensitive_boxes(
            public, knowledge, aware=self.aware, standardize=self.standardize
        )
        return assign_or_nearest(candidates, boxes) if self.assign else boxes.nearest(candidates)


@dataclass(frozen=True)
class Euc1(EuclideanAttack):
    """The paper's EUC1: with no QI match, answer the row's own number (which leaks row order)."""

    name: ClassVar[str] = "EUC1"
    title: ClassVar[Message] = Message("Euclidean, same QI; else own row number")
    sentence: ClassVar[Message] = Message(
        "Picks the row nearest in all sensitive columns among those with the same "
        "quasi-identifiers, or the row of the same number if there is none."
    )
    formula: ClassVar[str] = "y → argmin ‖x − y‖, QI(x) = QI(y)"

    when_shuffled: ClassVar[Mapping[str, str]] = {"own": "any"}
    """Parameters for when the released rows were shuffled."""

    own: Literal["position", "any"] = "position"

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """Nearest of the same QI vector, else row i answers i.

        Among shuffled rows i is any number (`own="any"`), which makes expected rates exact.
        """
        candidates = self.candidates(public, knowledge)
        if self.own == "any":
            numbers = min(public.rows, knowledge.rows)
            is_unmatched = candidates.group == ABSTAIN
            guess = self.search(candidates, public, knowledge)
            group = np.where(is_unmatched, len(guess.start) - 1, guess.group)
            start = np.append(guess.start, guess.start[-1] + numbers)
            return Guess(group, start, np.concatenate([guess.rows, np.arange(numbers)]))
        row_numbers = np.arange(public.rows)
        is_unmatched = (candidates.group == ABSTAIN) & (row_numbers < knowledge.rows)
        return self.search(candidates, public, knowledge).overridden_by(
            np.where(is_unmatched, row_numbers, ABSTAIN)
        )


@dataclass(frozen=True)
class Euc2(EuclideanAttack):
    """The paper's EUC2: with no QI match, search all known rows."""

    name: ClassVar[str] = "EUC2"
    title: ClassVar[Message] = Message("Euclidean, same QI; else all rows")
    sentence: ClassVar[Message] = Message(
        "Picks the row nearest in all sensitive columns among those with the same "
        "quasi-identifiers, or among all rows if there is none."
    )
    formula: ClassVar[str] = "y → argmin ‖x − y‖, QI(x) = QI(y), or any x"

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """Nearest of the same QI vector, else of everyone."""
        candidates = fill_with_everyone(self.candidates(public, knowledge), knowledge.rows)
        return self.search(candidates, public, knowledge)


@dataclass(frozen=True)
class Linkage(Euc2):
    """Standardized distances, generalized cells understood, one-to-one answers.

    A QI that has one value in the whole release says nothing about anybody, so it is not compared:
    unifying a column does not stop this attack.
    """

    name: ClassVar[str] = "linkage"
    title: ClassVar[Message] = Message("Standardized, one-to-one, reads generalized cells")
    sentence: ClassVar[Message] = Message(
        "Pairs rows one-to-one by standardized distance, and reads ranges and sets as what they "
        "stand for."
    )
    formula: ClassVar[str] = "one-to-one y ↔ x, min Σ ‖x − y‖ / sd"

    standardize: bool = True
    assign: bool = True
    aware: bool = True

    def qi_used(self, public: Table, knowledge: Knowledge) -> list[str]:
        """The QI that vary in the release."""
        return [
            column for column in knowledge.table.schema.qi if public.frame[column].n_unique() > 1
        ]
