"""Profile attack: matches what customers buy in different periods.

    Profile().attack(public, known, customers=customers, months=months, rng=rng)

Needs no month in common. Customers (by all known rows) and pseudonyms (by all public rows) are
compared by the cosine of their features: log(1 + count) · √log(owners / owners with the feature),
for items, items with quantity, prices and quantities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, diags_array

from tokumei.core.messages import Message
from tokumei.kernels.match_likelihood import PRICE, QUANTITY
from tokumei.pseudonyms.attackers.answer_assignment import ScoreFactors, ScoringAttacker
from tokumei.pseudonyms.attackers.challenge import PublicAndKnownRows, SideRows


@dataclass(frozen=True)
class Profile(ScoringAttacker):
    """Cosine of rarity-weighted profiles, one-to-one unless `assign` is off."""

    name: ClassVar[str] = "profile"
    title: ClassVar[Message] = Message("Profiles across periods")
    sentence: ClassVar[Message] = Message(
        "Compares what people usually buy, so that no month needs to be known."
    )
    needs: ClassVar[tuple[str, ...]] = ("item", "price", "quantity")

    assign: bool = True

    def way(self, sides: PublicAndKnownRows, alive: np.ndarray) -> tuple[bool, float]:
        """As asked; nobody is left out."""
        return self.assign, 0.0

    def scores(self, sides: PublicAndKnownRows, alive: np.ndarray) -> ScoreFactors:
        """The weighted sum of the features' cosines."""
        customers, pseudonyms = [], []
        for weight, public, known in _feature_values(sides):
            _, place = np.unique(np.vstack([public, known]), axis=0, return_inverse=True)
            place = place.ravel()
            count = int(place.max(initial=-1)) + 1
            known_counts = _log_counts(sides.known, place[len(public) :], (sides.people, count))
            public_counts = _log_counts(
                sides.public, place[: len(public)], (sides.pseudonyms, count)
            )
            owners = np.bincount(known_counts.indices, minlength=count)
            owners += np.bincount(public_counts.indices, minlength=count)
            owner_count = np.sum(np.diff(known_counts.indptr) > 0) + np.sum(
                np.diff(public_counts.indptr) > 0
            )
            rarity = diags_array(np.sqrt(np.log(owner_count / np.maximum(owners, 1))))
            customers.append(csr_array(weight * _normalize_rows(known_counts @ rarity)))
            pseudonyms.append(_normalize_rows(public_counts @ rarity))
        return ScoreFactors(customers, pseudonyms)


def _feature_values(sides: PublicAndKnownRows) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """Weight, public and known values of every feature."""

    def both(*columns: int, item: bool = True) -> tuple[np.ndarray, np.ndarray]:
        public, known = (
            np.column_stack([side.item] * item + [side.values[column] for column in columns])
            for side in (sides.public, sides.known)
        )
        return public, known

    return [
        (1.0, *both()),
        (0.5, *both(QUANTITY)),
        (0.2, *both(PRICE, item=False)),
        (0.2, *both(QUANTITY, item=False)),
    ]


def _log_counts(side: SideRows, place: np.ndarray, shape: tuple[int, int]) -> csr_array:
    table = csr_array((np.ones(len(place)), (side.owner, place)), shape=shape)
    table.data = np.log1p(table.data)
    return table


def _normalize_rows(table: csr_array) -> csr_array:
    """Rows of length one (or nought)."""
    length = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return csr_array(diags_array(1 / np.where(length > 0, length, 1.0)) @ table)
