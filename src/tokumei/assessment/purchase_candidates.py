"""Candidate sets of pseudonyms: those whose published rows fit the purchases that are known.

    found = find_candidates(opened, columns, KnownPurchases.parse("3"))
    found.size[owner]            # how many pseudonyms fit what is known of the one behind `owner`

A purchase fits a pseudonym that has a row whose cells fit it. The attacker knows purchases that
left, the worst for the person: of a number of purchases those that tell most, one after the other;
of all months the one that tells most. Somebody who knows all purchases also knows how many left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tokumei.assessment.candidate_sets import CandidateSearch
from tokumei.assessment.known_purchases import KnownPurchases
from tokumei.assessment.opened_purchases import OpenedPurchases
from tokumei.assessment.purchase_pairs import fitting_pairs
from tokumei.assessment.rough_knowledge import KnownColumnCodes

CELLS_AT_ONCE = 50_000_000
MAX_CELLS = 6_000_000_000
"""More pairs of a purchase and a pseudonym are not compared: pseudonyms are then sampled."""
PAIRS_AT_ONCE = 4_000_000
SAMPLE_SEED = 35


@dataclass(frozen=True, eq=False)
class OwnerCandidates:
    """By attacked pseudonym: how many fit, whether it is among them, the rows that were known."""

    owners: np.ndarray
    size: np.ndarray
    holds: np.ndarray
    known: np.ndarray
    """By original row: whether the attacker of its customer knows it."""
    is_sampled: bool


def find_candidates(
    opened: OpenedPurchases, columns: Sequence[KnownColumnCodes], known: KnownPurchases
) -> OwnerCandidates:
    """The candidates of every pseudonym; of a sample where there are too many pairs."""
    owners, is_sampled = _choose_owners(opened)
    size, holds = np.zeros(len(owners), dtype=np.int64), np.zeros(len(owners), dtype=bool)
    used = list[np.ndarray]()
    counts = np.bincount(opened.owner, minlength=opened.owners)
    order, start = opened.rows_by_owner
    for block in _blocks(owners, counts, opened.owners) if len(owners) else ():
        fits = _fitting_owners(opened, columns, owners[block])
        end = 0
        for place in block.tolist():
            owner = int(owners[place])
            rows = order[start[owner] : start[owner + 1]]
            begin, end = end, end + len(rows)
            candidates, chosen = _narrow(fits[begin:end], opened.month[opened.link[rows]], known)
            if known.form == "all":
                candidates = candidates & (counts == counts[owner])
            used.append(opened.link[rows[chosen]])
            size[place], holds[place] = int(candidates.sum()), bool(candidates[owner])
    known_rows = _rows_of_most_telling(opened, owners, np.where(holds, size, opened.owners), used)
    return OwnerCandidates(owners, size, holds, known_rows, is_sampled)


def _rows_of_most_telling(
    opened: OpenedPurchases, owners: np.ndarray, size: np.ndarray, used: Sequence[np.ndarray]
) -> np.ndarray:
    """By original row whether it is known: of each person under the pseudonym that tells most."""
    known = np.zeros(opened.rows.original.rows, dtype=bool)
    person = opened.person_of_owner[owners]
    order = np.lexsort((owners, size, person))
    _, first = np.unique(person[order], return_index=True)
    for place in order[first].tolist():
        known[used[place]] = True
    return known


def _choose_owners(opened: OpenedPurchases) -> tuple[np.ndarray, bool]:
    """All pseudonyms, or as many as can be compared."""
    most = int(MAX_CELLS / max(1, len(opened.owner)))
    if opened.owners <= most:
        return np.arange(opened.owners), False
    generator = np.random.default_rng(SAMPLE_SEED)
    return np.sort(generator.choice(opened.owners, max(1, most), replace=False)), True


def _blocks(owners: np.ndarray, counts: np.ndarray, width: int) -> Iterator[np.ndarray]:
    """Places of `owners` whose rows come to about `CELLS_AT_ONCE` cells."""
    part = np.cumsum(counts[owners] * width) // CELLS_AT_ONCE
    yield from np.split(np.arange(len(owners)), np.flatnonzero(np.diff(part)) + 1)


def _fitting_owners(
    opened: OpenedPurchases, columns: Sequence[KnownColumnCodes], owners: np.ndarray
) -> np.ndarray:
    """By released row of these pseudonyms, in order: which pseudonyms have a row that fits it."""
    order, start = opened.rows_by_owner
    parts = [order[start[owner] : start[owner + 1]] for owner in owners]
    targets = np.concatenate([*parts, np.zeros(0, dtype=np.int64)])
    search = CandidateSearch(columns, opened.link, targets)
    members, begin = _owners_of_classes(search.class_of_row, opened.owner, search.classes)
    fits = np.zeros((search.vectors, opened.owners), dtype=bool)
    for classes, vectors in fitting_pairs(search):
        for part in _split(np.diff(begin)[classes]):
            _mark(fits, classes[part], vectors[part], members, begin)
    return np.asarray(fits[search.vector_of_target])


def _owners_of_classes(
    class_of_row: np.ndarray, owner: np.ndarray, classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """The pseudonyms that have a row of each class, and where each class begins."""
    owners = int(owner.max(initial=0)) + 1
    pairs = np.unique(class_of_row.astype(np.int64) * owners + owner)
    return pairs % owners, np.searchsorted(pairs // owners, np.arange(classes + 1))


def _split(counts: np.ndarray) -> Iterator[slice]:
    part = np.cumsum(counts) // PAIRS_AT_ONCE
    borders = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(counts)]
    for begin, end in pairwise(borders):
        yield slice(begin, end)


def _mark(
    fits: np.ndarray,
    classes: np.ndarray,
    vectors: np.ndarray,
    members: np.ndarray,
    begin: np.ndarray,
) -> None:
    counts = begin[classes + 1] - begin[classes]
    offset = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    fits[np.repeat(vectors, counts), members[np.repeat(begin[classes], counts) + offset]] = True


def _narrow(
    fits: np.ndarray, months: np.ndarray, known: KnownPurchases
) -> tuple[np.ndarray, np.ndarray]:
    """The pseudonyms that fit all that is known, and the rows that were used."""
    if known.form == "count":
        return _narrow_by_most_telling(fits, known.count)
    if known.form == "month":
        return _narrow_by_month(fits, months)
    return np.asarray(fits.all(axis=0)), np.arange(len(fits))


def _narrow_by_most_telling(fits: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    candidates, chosen = np.ones(fits.shape[1], dtype=bool), list[int]()
    remaining = fits
    for _ in range(min(count, len(fits))):
        left = remaining.sum(axis=1)
        left[chosen] = fits.shape[1] + 1
        best = int(left.argmin())
        chosen.append(best)
        candidates = candidates & fits[best]
        remaining = fits & candidates
    return candidates, np.array(chosen, dtype=np.int64)


def _narrow_by_month(fits: np.ndarray, months: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    best, used = np.ones(fits.shape[1], dtype=bool), np.zeros(0, dtype=np.int64)
    for month in np.unique(months):
        rows = np.flatnonzero(months == month)
        candidates = np.asarray(fits[rows].all(axis=0))
        if not len(used) or candidates.sum() < best.sum():
            best, used = candidates, rows
    return best, used
