"""Membership attacks by fitting the cells of a release: `box`, `box-max`, `covered`.

n released rows share some cells that N known people fit: each of these is behind them with
probability n / N, the δ of δ-presence (Nergiz 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from tokumei.core.messages import Message
from tokumei.tables.audit.attacker_view import AttackerObservation, iterate_fitting_people
from tokumei.tables.audit.attacks.membership_attack import MembershipAttack


@dataclass(frozen=True)
class BoxAttack(MembershipAttack):
    """The sum of n / N over all cells that a person fits."""

    name: ClassVar[str] = "box"
    title: ClassVar[Message] = Message("fits few-people cells")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if they fit released rows that few others fit."
    )
    formula: ClassVar[str] = "log Σ_{c ∋ x} n_c / N_c"
    rivals_needed: ClassVar[bool] = True

    def scores(self, seen: AttackerObservation) -> np.ndarray:
        """By blocks of distinct released rows."""
        total = np.zeros(len(seen.people))
        for block, fits in iterate_fitting_people(seen):
            # Alone N are those of the reference, and a half for the target.
            people_inside = fits @ seen.rivals + (0.0 if seen.together else 0.5)
            self.add(total, fits, seen.classes.times[block] / np.maximum(people_inside, 0.5))
        with np.errstate(divide="ignore"):
            return seen.scores_of_targets(np.round(np.log(total), 9))

    def add(self, total: np.ndarray, fits: sparse.csr_array, odds: np.ndarray) -> None:
        """Add what a block says."""
        total += fits.T @ odds


@dataclass(frozen=True)
class BoxMaxAttack(BoxAttack):
    """The largest n / N instead of the sum."""

    name: ClassVar[str] = "box-max"
    title: ClassVar[Message] = Message("fits one few-people cell")
    formula: ClassVar[str] = "log max_{c ∋ x} n_c / N_c"

    def add(self, total: np.ndarray, fits: sparse.csr_array, odds: np.ndarray) -> None:
        """Keep the larger."""
        np.maximum.at(total, fits.indices, np.repeat(odds, np.diff(fits.indptr)))


@dataclass(frozen=True)
class CoveredAttack(MembershipAttack):
    """Whether any row fits at all."""

    name: ClassVar[str] = "covered"
    title: ClassVar[Message] = Message("fits any row")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if they match any released row that is not suppressed entirely."
    )
    formula: ClassVar[str] = "[∃ c ∋ x]"

    def scores(self, seen: AttackerObservation) -> np.ndarray:
        """0 or 1; rows in which every cell is suppressed say nothing."""
        is_informative = ~np.logical_and.reduce([column.suppressed for column in seen.columns])
        informative_classes = is_informative[seen.classes.first].astype(np.float64)
        total = np.zeros(len(seen.people))
        for block, fits in iterate_fitting_people(seen):
            total += fits.T @ informative_classes[block]
        return seen.scores_of_targets((total > 0).astype(np.float64))
