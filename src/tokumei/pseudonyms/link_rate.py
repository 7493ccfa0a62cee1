"""Share of pseudonyms that an attack links to their customer.

    links = score_link_guess(guess, release.table)
    links.rate, links.low, links.high, links.baseline

For every pseudonym the attacker names the customer for whom the guess has it in most periods,
weighted by confidence (customers named alike share the answer). It is linked if that customer has
it in any period. A pseudonym that the guess leaves out is not linked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.attack_rates import wilson
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.measures.reidentification import GuessClaims

MIN_CLAIM_WEIGHT = 1e-9
"""What a claim weighs that the attacker has no confidence in: it still breaks no tie."""


@dataclass(frozen=True)
class LinkRate:
    """The share of pseudonyms linked.

    `low`, `high`: 95 % Wilson interval over the customers with a pseudonym, not over pseudonyms,
    as those of one customer are found or missed together. `baseline`: a blind guess.
    """

    rate: float
    low: float
    high: float
    baseline: float
    linked: float
    pseudonyms: int
    customers: int


def score_link_guess(
    guess: PeriodGuess, truth: PseudonymTable, among: np.ndarray | None = None
) -> LinkRate:
    """Score a guess against the true table; `among`: only pseudonyms of these customers count."""
    people = len(truth.customers)
    owned = _true_pairs(truth)
    if among is not None:
        owned = owned[among[owned % people]]
    hits = _count_hits(guess, truth, owned)
    pseudonyms = len(np.unique(owned // people))
    customers = len(np.unique(owned % people))
    rate = hits / pseudonyms if pseudonyms else 0.0
    low, high = wilson(rate * customers, customers)
    return LinkRate(rate, low, high, 1 / people, hits, pseudonyms, customers)


def _true_pairs(truth: PseudonymTable) -> np.ndarray:
    """Every (pseudonym, customer) of the true table as one number."""
    customer, period = np.nonzero(truth.codes >= 0)
    return np.unique(truth.codes[customer, period] * len(truth.customers) + customer)


def _count_hits(guess: PeriodGuess, truth: PseudonymTable, owned: np.ndarray) -> float:
    """Pseudonyms named rightly; customers named alike share one answer."""
    claims = GuessClaims.of_table(guess.table, truth)
    weight = np.maximum(guess.confidence[guess.table.codes >= 0], MIN_CLAIM_WEIGHT)
    is_known = claims.pseudonym >= 0
    key = claims.pseudonym[is_known] * len(truth.customers) + claims.customer[is_known]
    pairs, place = np.unique(key, return_inverse=True)
    votes = np.bincount(place, weights=weight[is_known], minlength=len(pairs))
    pseudonym = pairs // len(truth.customers)
    most = np.zeros(len(truth.pseudonyms))
    np.maximum.at(most, pseudonym, votes)
    is_best = votes >= most[pseudonym] * (1 - 1e-12)
    tie_counts = np.bincount(pseudonym[is_best], minlength=len(truth.pseudonyms))
    is_right = is_best & np.isin(pairs, owned)
    return float((1 / tie_counts[pseudonym[is_right]]).sum())


@dataclass(frozen=True)
class VolumeLinks:
    """Links of the customers who bought from `least` to `most` rows."""

    least: int
    most: int
    links: LinkRate


VOLUME_PARTS = 3


def links_by_volume(
    guess: PeriodGuess, truth: PseudonymTable, rows: np.ndarray
) -> tuple[VolumeLinks, ...]:
    """Links of customers by how much they bought (`rows`): as many in each part as can be.

    Customers with the same number of rows are in the same part, so there may be fewer parts.
    """
    active = (truth.codes >= 0).any(axis=1)
    cuts = np.unique(
        np.quantile(rows[active], np.arange(1, VOLUME_PARTS) / VOLUME_PARTS, method="higher")
    )
    part = np.searchsorted(cuts, rows, side="right")
    volume_links = []
    for number in np.unique(part[active]):
        in_part = active & (part == number)
        links = score_link_guess(guess, truth, in_part)
        volume_links.append(VolumeLinks(int(rows[in_part].min()), int(rows[in_part].max()), links))
    return tuple(volume_links)
