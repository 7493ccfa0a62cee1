"""E1–E4, the paper's identify.rand, .sa, .sort and .sa21: by QI, by one SA, by rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.missing_values import fill_gaps_with_mean
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.attackers.qi_candidates import match_equal_qi_or_all
from tokumei.tables.attackers.sensitive_distance import build_sensitive_boxes
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class RandomSameQiAttack(Attacker):
    """Random among X's rows with the same QI vector; among all rows if there is none."""

    name: ClassVar[str] = "E1"
    title: ClassVar[Message] = Message("Random row with the same QI")
    sentence: ClassVar[Message] = Message(
        "Picks at random among the known rows with the same quasi-identifiers."
    )
    formula: ClassVar[str] = "y → random { x : QI(x) = QI(y) }"
    needs: ClassVar[tuple[str, ...]] = ("qi",)

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """Everyone with the same QI vector is equally likely."""
        return match_equal_qi_or_all(public, knowledge)


@dataclass(frozen=True)
class NearestSaAttack(Attacker):
    """Nearest known row in one SA (`column`, default the first; the paper's 21st column)."""

    name: ClassVar[str] = "E4"
    title: ClassVar[Message] = Message("Nearest in one SA")
    sentence: ClassVar[Message] = Message(
        "Picks the known row nearest in one sensitive column, whatever its quasi-identifiers."
    )
    formula: ClassVar[str] = "y → argmin |x_s − y_s|"
    needs: ClassVar[tuple[str, ...]] = ("sa",)

    column: str | None = None

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """The nearest of the candidates."""
        schema = knowledge.table.schema
        if not schema.sa:
            return Guess.single(np.full(public.rows, ABSTAIN))
        column = self.column or schema.sa[0]
        schema.keep(schema.sa).require([column], where=self.name)
        candidate_sets = self.candidates(public, knowledge)
        return build_sensitive_boxes(public, knowledge, [column]).nearest(candidate_sets)

    def candidates(self, public: Table, knowledge: Knowledge) -> Guess:
        """All known rows."""
        sizes = np.array([0, knowledge.rows])
        return Guess(np.zeros(public.rows, dtype=np.int64), sizes, np.arange(knowledge.rows))


@dataclass(frozen=True)
class NearestSaSameQiAttack(NearestSaAttack):
    """Nearest in one SA (`column`, default the first) of the same QI vector; of all if none."""

    name: ClassVar[str] = "E2"
    title: ClassVar[Message] = Message("Nearest in one SA with the same QI")
    sentence: ClassVar[Message] = Message(
        "Among the known rows with the same quasi-identifiers, picks the one nearest in one "
        "sensitive column."
    )
    formula: ClassVar[str] = "y → argmin |x_s − y_s|, QI(x) = QI(y)"
    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")

    def candidates(self, public: Table, knowledge: Knowledge) -> Guess:
        """The rows with the same QI; all rows where there is none."""
        return match_equal_qi_or_all(public, knowledge)


@dataclass(frozen=True)
class RankOrderAttack(Attacker):
    """Sort both tables by the sum of the SA; equal ranks match.

    A gap counts as the known mean of its column, and texts, which have no sum, count nothing. Equal
    sums share their ranks by chance; with `ties="file"` they keep the file's order, as a
    stable sort does (the paper's program, and of use only where the order leaks).
    """

    name: ClassVar[str] = "E3"
    title: ClassVar[Message] = Message("Same rank by sum of SA")
    sentence: ClassVar[Message] = Message(
        "Sorts both tables by the sum of the sensitive values and pairs rows of equal rank."
    )
    formula: ClassVar[str] = "rank(Σ_j y_j) = rank(Σ_j x_j)"
    needs: ClassVar[tuple[str, ...]] = ("sa",)

    in_file_order: ClassVar[Mapping[str, str]] = {"ties": "file"}
    """Parameters for when the released rows are in the order of the file."""

    ties: Literal["random", "file"] = "random"

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """Match ranks."""
        boxes = build_sensitive_boxes(public, knowledge)
        known_sums, released_sums = (
            fill_gaps_with_mean(side, boxes.known).sum(axis=1) for side in (boxes.known, boxes.low)
        )
        match = _match_file_order if self.ties == "file" else _match_shared_ranks
        return match(known_sums, released_sums)


def _match_file_order(known: np.ndarray, released: np.ndarray) -> Guess:
    answers = np.full(len(released), ABSTAIN, dtype=np.int64)
    common_rows = min(len(known), len(released))
    answers[np.argsort(released, kind="stable")[:common_rows]] = np.argsort(known, kind="stable")[
        :common_rows
    ]
    return Guess.single(answers)


def _match_shared_ranks(known: np.ndarray, released: np.ndarray) -> Guess:
    """Released tie group [a,b) and known tie group [c,d) meet with chance overlap/((b−a)(d−c))."""
    k_order, k_start = _tie_groups(known)
    r_order, r_start = _tie_groups(released)
    group = np.empty(len(released), dtype=np.int64)
    group[r_order] = np.repeat(np.arange(len(r_start) - 1), np.diff(r_start))
    low, high = r_start[:-1], np.minimum(r_start[1:], len(known))
    first = np.searchsorted(k_start, low, side="right") - 1
    last = np.searchsorted(k_start, high, side="left")
    empty = low >= high
    first, last = np.where(empty, 0, first), np.where(empty, 0, last)
    begin, end = k_start[first], k_start[last]
    sizes = end - begin
    start = np.concatenate([[0], np.cumsum(sizes)])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    rank = np.arange(start[-1]) - start[owner] + begin[owner]
    tie = np.searchsorted(k_start, rank, side="right") - 1
    c, d = k_start[tie], k_start[tie + 1]
    overlap = np.minimum(d, high[owner]) - np.maximum(c, low[owner])
    width = np.diff(r_start)[owner]
    weights = overlap / (width * (d - c))
    return Guess(np.where(empty[group], ABSTAIN, group), start, k_order[rank], weights)


def _tie_groups(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(sums, kind="stable")
    ordered = sums[order]
    borders = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return order, np.concatenate([[0], borders, [len(sums)]])
