"""How many pseudonyms an attack links to their customer.

    links = pseudonym_links(guess, release.table)
    links.rate, links.low, links.high, links.baseline

For every pseudonym the attacker names the customer for whom the guess has it in most periods,
weighted by confidence (customers named alike share the answer). It is linked if that customer has
it in any period. A pseudonym that the guess leaves out is not linked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.rates import wilson
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.measures.reid import Answers

LEAST = 1e-9
"""What a claim weighs that the attacker has no confidence in: it still breaks no tie."""


@dataclass(frozen=True)
class Links:
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


def pseudonym_links(
    guess: PeriodGuess, truth: PseudonymTable, among: np.ndarray | None = None
) -> Links:
    """Score a guess against the true table; `among`: only pseudonyms of these customers count."""
    people = len(truth.customers)
    owned = _pairs(truth)
    if among is not None:
        owned = owned[among[owned % people]]
    hits = _hits(guess, truth, owned)
    pseudonyms = len(np.unique(owned // people))
    customers = len(np.unique(owned % people))
    rate = hits / pseudonyms if pseudonyms else 0.0
    low, high = wilson(rate * customers, customers)
    return Links(rate, low, high, 1 / people, hits, pseudonyms, customers)


def _pairs(truth: PseudonymTable) -> np.ndarray:
    """Every (pseudonym, customer) of the true table as one number."""
    customer, period = np.nonzero(truth.codes >= 0)
    return np.unique(truth.codes[customer, period] * len(truth.customers) + customer)


def _hits(guess: PeriodGuess, truth: PseudonymTable, owned: np.ndarray) -> float:
    """Pseudonyms named rightly; customers named alike share one answer."""
    claims = Answers.of_table(guess.table, truth)
    weight = np.maximum(guess.confidence[guess.table.codes >= 0], LEAST)
    there = claims.pseudonym >= 0
    key = claims.pseudonym[there] * len(truth.customers) + claims.customer[there]
    pairs, place = np.unique(key, return_inverse=True)
    votes = np.bincount(place, weights=weight[there], minlength=len(pairs))
    pseudonym = pairs // len(truth.customers)
    most = np.zeros(len(truth.pseudonyms))
    np.maximum.at(most, pseudonym, votes)
    named = votes >= most[pseudonym] * (1 - 1e-12)
    alike = np.bincount(pseudonym[named], minlength=len(truth.pseudonyms))
    right = named & np.isin(pairs, owned)
    return float((1 / alike[pseudonym[right]]).sum())


@dataclass(frozen=True)
class VolumeLinks:
    """Links of the customers who bought from `least` to `most` rows."""

    least: int
    most: int
    links: Links


PARTS = 3


def links_by_volume(
    guess: PeriodGuess, truth: PseudonymTable, rows: np.ndarray
) -> tuple[VolumeLinks, ...]:
    """Links of customers by how much they bought (`rows`): as many in each part as can be.

    Customers with the same number of rows are in the same part, so there may be fewer parts.
    """
    active = (truth.codes >= 0).any(axis=1)
    cuts = np.unique(np.quantile(rows[active], np.arange(1, PARTS) / PARTS, method="higher"))
    part = np.searchsorted(cuts, rows, side="right")
    found = []
    for number in np.unique(part[active]):
        here = active & (part == number)
        links = pseudonym_links(guess, truth, here)
        found.append(VolumeLinks(int(rows[here].min()), int(rows[here].max()), links))
    return tuple(found)
