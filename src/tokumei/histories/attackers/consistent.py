"""Attack that finds the known purchases consistent with each generalized row.

ConsistentCells().attack(public, known, rng=Randomness(1)).frame()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from scipy.sparse import csr_array
from scipy.special import betaln, gammaln, logsumexp

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.protocol import (
    HistoryAttacker,
    assign_one_to_one,
    match_probabilities,
)
from tokumei.histories.attackers.released_rows import (
    ConsistencyBlock,
    ReleasedRows,
    count_consistent_rows,
    distinct_released_rows,
    parse_public_rows,
)
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History

UNEXPLAINED_CHANCES = (1e-6, 0.05, 0.5, 0.9)
"""The values of ε that are tried."""


def log_likelihoods(released: ReleasedRows, known: History) -> np.ndarray:
    """Log likelihood ratios, pseudonyms × customers: how much better than a random customer.

    A released row that c of the n rows of a customer are consistent with, and a share b of all
    known rows, speaks for that customer with the likelihood ratio

        (1 − ε) · (c / n) / b + ε

    so that rare rows weigh most. ε is the chance of a row that no known purchase explains (partial
    knowledge, or a release that lies); of several, the one that explains the release best is
    taken, and each is believed ten times less likely beforehand than the smaller one before it.
    A known purchase explains one released row only, and histories of unlike length fit badly.
    """
    shape = (len(released.pseudonyms), len(known.customers))
    gains = [np.zeros(shape) for _ in UNEXPLAINED_CHANCES]
    explained = np.zeros(shape)
    for block in count_consistent_rows(released, known):
        owners = released.owners[:, block.first : block.first + block.rows]
        times = released.times[block.first + block.row]
        explained += _sum_by_pseudonym(owners, block, np.minimum(times, block.count), shape[1])
        share = _row_likelihood_ratios(block, known)
        for gain, chance in zip(gains, UNEXPLAINED_CHANCES, strict=True):
            weight = np.log((1 - chance) * share / chance + 1) * np.minimum(times, block.count)
            gain += _sum_by_pseudonym(owners, block, weight, shape[1])
    lengths = _length_log_ratios(released.rows_per_pseudonym, known)
    # Rows that share the purchases of a customer beyond their number are unexplained, too.
    missing = released.rows_per_pseudonym[:, None] + np.maximum(explained - known.counts, 0)
    for gain, chance in zip(gains, UNEXPLAINED_CHANCES, strict=True):
        gain += missing * np.log(chance) + lengths
    belief = [gain.max(axis=1, initial=-np.inf).sum() for gain in gains]
    belief -= np.log(10) * np.arange(len(gains))
    return np.round(gains[int(np.argmax(belief))], 9)


def _row_likelihood_ratios(block: ConsistencyBlock, known: History) -> np.ndarray:
    """The share of a customer's rows that are consistent over the share of all known rows."""
    overall_share = (
        np.bincount(block.row, block.count, minlength=block.rows)[block.row] / known.rows
    )
    return np.asarray(block.count / known.counts[block.customer] / overall_share)


def _sum_by_pseudonym(
    owners: csr_array, block: ConsistencyBlock, weight: np.ndarray, customers: int
) -> np.ndarray:
    table = csr_array((weight, (block.row, block.customer)), shape=(block.rows, customers))
    return np.asarray((owners @ table).toarray())


def _length_log_ratios(released: np.ndarray, known: History) -> np.ndarray:
    """Log likelihood ratios of the numbers of rows: each customer keeps a share of its own.

    The shares follow a wide Beta distribution around the share kept of all rows.
    """
    total = np.maximum(known.counts, 1)[None, :]
    kept = np.minimum(released[:, None], total)
    share = float(np.clip(released.sum() / max(known.rows, 1), 0.01, 0.99))
    a, b = 2 * share, 2 * (1 - share)
    choices = gammaln(total + 1) - gammaln(kept + 1) - gammaln(total - kept + 1)
    chance = choices + betaln(kept + a, total - kept + b) - betaln(a, b)
    mean = logsumexp(chance, axis=1, keepdims=True) - np.log(total.shape[1])
    return np.asarray(chance - mean)


@dataclass(frozen=True)
class ConsistentCells(HistoryAttacker):
    """Rarity-weighted consistency of all rows, then a one-to-one assignment of the customers."""

    name: ClassVar[str] = "consistent"
    title: ClassVar[Message] = Message("Consistency of all cells, one-to-one")
    sentence: ClassVar[Message] = Message(
        "Weighs how well every cell fits every customer, rare fits most, and assigns customers "
        "one-to-one."
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """The assignment with the most expected hits; ties by lot."""
        released = distinct_released_rows(parse_public_rows(public, known))
        chances = match_probabilities(log_likelihoods(released, known))
        answers = assign_one_to_one(chances, rng=rng.child(self.name))
        confidence = chances[np.arange(len(answers)), np.maximum(answers, 0)]
        return HistoryGuess.of_places(
            released.pseudonyms, known.customers, answers, np.where(answers < 0, 0, confidence)
        )
