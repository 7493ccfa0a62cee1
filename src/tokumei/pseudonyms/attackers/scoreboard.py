"""The scoreboard attack: shared rare keys count more than common ones.

    ScoreboardAttack().attack(public, known, customers=customers, months=months, rng=rng)

Every key below that a customer and a pseudonym share in a month adds weight · log(pseudonyms of
the month / pseudonyms with that key). Near prices and days share the wider keys only. The scores
of all months of a pseudonym are added. With `eccentricity` above nought it abstains where the best
customer is not that many deviations ahead of the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, diags_array

from tokumei.core.messages import Message
from tokumei.kernels.match_likelihood import DAY, PRICE, QUANTITY, TIME
from tokumei.pseudonyms.attackers.answer_assignment import ScoreFactors, ScoringAttacker
from tokumei.pseudonyms.attackers.challenge import PublicAndKnownRows, SideRows

ValueBand = tuple[int, float, float]
"""A column of `Side.values`, the width of a band of values (nought: exact) and its offset."""

SCORED_KEYS: tuple[tuple[float, tuple[ValueBand, ...]], ...] = (
    (1.0, ()),
    (1.0, ((PRICE, 0.0, 0.0),)),
    (0.5, ((PRICE, 0.2, 0.0),)),
    (0.5, ((PRICE, 0.2, 0.1),)),
    (1.0, ((QUANTITY, 0.0, 0.0),)),
    (1.0, ((DAY, 0.0, 0.0),)),
    (0.5, ((DAY, 7.0, 0.0),)),
    (0.5, ((DAY, 7.0, 3.5),)),
    (1.0, ((TIME, 0.0, 0.0),)),
    (1.0, ((PRICE, 0.2, 0.0), (QUANTITY, 5.0, 0.0))),
    (1.0, ((PRICE, 0.2, 0.1), (QUANTITY, 5.0, 2.5))),
)
"""Weights and columns of the keys; the item belongs to all of them."""

MIN_KNOWN_SHARE = 0.5
"""Below this share of people heard of, in the months together, an assignment does more harm."""


@dataclass(frozen=True)
class ScoreboardAttack(ScoringAttacker):
    """Rarity-weighted overlap; `assign` by default where most people are heard of."""

    name: ClassVar[str] = "scoreboard"
    title: ClassVar[Message] = Message("Score of rare things in common")
    sentence: ClassVar[Message] = Message(
        "Adds up what a customer and a pseudonym have in common, rare things most, and names the "
        "highest."
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    eccentricity: float = 0.0
    assign: bool | None = None

    def way(self, sides: PublicAndKnownRows, alive: np.ndarray) -> tuple[bool, float]:
        """One-to-one where most people are heard of; as eccentric as asked."""
        known_groups = len(sides.known.start) - 1
        covered = known_groups >= MIN_KNOWN_SHARE * int(alive.sum())
        return covered if self.assign is None else self.assign, self.eccentricity

    def scores(self, sides: PublicAndKnownRows, alive: np.ndarray) -> ScoreFactors:
        """What customers and pseudonyms share, by rarity."""
        customers, pseudonyms = [], []
        living = np.maximum(alive.sum(axis=1), 1)
        for weight, bands in SCORED_KEYS:
            public, known = _row_keys(sides.public, bands), _row_keys(sides.known, bands)
            names, place = np.unique(np.vstack([public, known]), axis=0, return_inverse=True)
            place = place.ravel()
            public_keys = _owner_has_key_matrix(
                sides.public, place[: len(public)], (sides.pseudonyms, len(names))
            )
            known_keys = _owner_has_key_matrix(
                sides.known, place[len(public) :], (sides.people, len(names))
            )
            holders = np.maximum(np.diff(public_keys.tocsc().indptr), 1)
            rarity = weight * np.log(living[names[:, 0].astype(np.int64)] / holders)
            customers.append(csr_array(known_keys @ diags_array(np.maximum(rarity, 0.0))))
            pseudonyms.append(public_keys)
        return ScoreFactors(customers, pseudonyms)


def _row_keys(side: SideRows, bands: tuple[ValueBand, ...]) -> np.ndarray:
    """Month, item and the bands of every row."""
    parts = [side.month.astype(np.float64), side.item.astype(np.float64)]
    for column, width, offset in bands:
        value = side.values[column]
        parts.append(np.floor((value + offset) / width) if width else np.round(value, 6))
    return np.column_stack(parts)


def _owner_has_key_matrix(side: SideRows, key: np.ndarray, shape: tuple[int, int]) -> csr_array:
    table = csr_array((np.ones(len(key)), (side.owner, key)), shape=shape)
    table.data[:] = 1.0
    return table
