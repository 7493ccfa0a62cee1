"""Counts the candidates of every target, in people or in rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.assessment.candidate_sets import (
    MAX_PAIRS,
    PAIRS_AT_ONCE,
    CandidateSearch,
    CandidateSets,
)
from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.rough_knowledge import KnownColumnCodes

SAMPLE_SEED = 35


def find_candidate_sets(
    columns: Sequence[KnownColumnCodes],
    link: np.ndarray,
    people: np.ndarray,
    *,
    sensitive: Sequence[ColumnCodes] = (),
    linked_rows: bool = False,
    max_pairs: int = MAX_PAIRS,
) -> CandidateSets:
    """The candidates of every released row; of a sample of them where there are too many pairs.

    `people` numbers the person of every released row from 0. `linked_rows`: the release tells
    which rows are of one person, who must then fit all that is known of the target.
    """
    targets = np.arange(len(link))
    search = CandidateSearch(columns, link, targets)
    work = search.work()
    if work > max_pairs:
        sample = max(1, int(len(link) * max_pairs / work))
        chosen = np.random.default_rng(SAMPLE_SEED).choice(len(link), sample, replace=False)
        targets = np.sort(chosen)
        search = CandidateSearch(columns, link, targets)
    counts = _Counts(search, people, sensitive)
    size = counts.sizes(linked_rows, people[targets])
    holds = _holds_target(search, targets, people)
    certain = [flags[search.vector_of_target] & holds for flags in counts.certain()]
    return CandidateSets(targets, size, holds, certain, search.classes, work > max_pairs)


class _Counts:
    """People and sensitive values by known vector."""

    def __init__(
        self, search: CandidateSearch, people: np.ndarray, sensitive: Sequence[ColumnCodes]
    ) -> None:
        self.search = search
        self.people_count = int(people.max(initial=-1)) + 1
        members = np.unique(search.class_of_row * max(self.people_count, 1) + people)
        self.member = members % max(self.people_count, 1)
        owner = members // max(self.people_count, 1)
        self.class_sizes = np.bincount(owner, minlength=search.classes)
        self.member_start = np.concatenate([[0], np.cumsum(self.class_sizes)])
        self.is_single_row = self.people_count == len(people)
        self.ends = [_class_ends(search, codes) for codes in sensitive]
        self.vector_ends = [
            (np.full(search.vectors, np.iinfo(np.int64).max), np.full(search.vectors, -1))
            for _ in sensitive
        ]
        self.sums = np.zeros(search.vectors, dtype=np.int64)
        self.fitting_classes = np.zeros(search.vectors, dtype=np.int64)
        kept = list[tuple[np.ndarray, np.ndarray]]()
        for classes, vectors in search.pairs():
            self._add(classes, vectors)
            if not self.is_single_row:
                kept.append((classes, vectors))
        self.pairs = kept

    def _add(self, classes: np.ndarray, vectors: np.ndarray) -> None:
        weights = self.class_sizes[classes]
        self.sums += np.bincount(vectors, weights, minlength=len(self.sums)).astype(np.int64)
        self.fitting_classes += np.bincount(vectors, minlength=len(self.sums))
        for (least, most), (low, high) in zip(self.ends, self.vector_ends, strict=True):
            np.minimum.at(low, vectors, least[classes])
            np.maximum.at(high, vectors, most[classes])

    def certain(self) -> list[np.ndarray]:
        """By sensitive column, of which vectors all candidates have one value."""
        return [(low == high) & (high > 0) for low, high in self.vector_ends]

    def sizes(self, linked_rows: bool, target_people: np.ndarray) -> np.ndarray:
        """By target how many people fit."""
        vectors = self.search.vector_of_target
        if self.is_single_row:
            return np.asarray(self.sums[vectors])
        if linked_rows:
            return self._sizes_of_linked(target_people)
        return np.asarray(self._distinct()[vectors])

    def _distinct(self) -> np.ndarray:
        """By vector how many different people its classes have."""
        counts = self.sums.copy()
        for vector, person in self._members(self.fitting_classes > 1):
            keys = np.unique(vector * self.people_count + person)
            numbers = np.bincount(keys // self.people_count, minlength=len(counts))
            seen = np.unique(vector)
            counts[seen] = numbers[seen]
        return counts

    def _members(self, wanted: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Pairs (vector, person), all of a vector in one part."""
        classes, vectors = (
            np.concatenate([pair[side] for pair in self.pairs] or [np.zeros(0, np.int64)])
            for side in (0, 1)
        )
        chosen = np.flatnonzero(wanted[vectors])
        chosen = chosen[np.argsort(vectors[chosen], kind="stable")]
        classes, vectors = classes[chosen], vectors[chosen]
        parts = np.cumsum(self.class_sizes[classes]) // PAIRS_AT_ONCE
        change = np.flatnonzero((vectors[1:] != vectors[:-1]) & (parts[1:] != parts[:-1])) + 1
        return [
            self._expand(part_classes, part_vectors)
            for part_classes, part_vectors in zip(
                np.split(classes, change), np.split(vectors, change), strict=True
            )
            if len(part_classes)
        ]

    def _expand(self, classes: np.ndarray, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        counts = self.class_sizes[classes]
        offset = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        members = self.member[np.repeat(self.member_start[classes], counts) + offset]
        return np.repeat(vectors, counts), members

    def _sizes_of_linked(self, target_people: np.ndarray) -> np.ndarray:
        """By target how many people fit all that is known of its person's rows."""
        vector_of_target = self.search.vector_of_target
        known = np.unique(target_people * self.search.vectors + vector_of_target)
        person, vector = known // self.search.vectors, known % self.search.vectors
        needed = np.bincount(person, minlength=self.people_count)
        parts = self._members(self.fitting_classes > 0)
        keys = [np.unique(v * self.people_count + q) for v, q in parts]
        members = np.sort(np.concatenate(keys or [np.zeros(0, np.int64)]))
        start = np.searchsorted(members, vector * self.people_count)
        end = np.searchsorted(members, (vector + 1) * self.people_count)
        counts = end - start
        owner = np.repeat(person, counts)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        other = members[np.repeat(start, counts) + offset] % self.people_count
        pairs, fitting = np.unique(owner * self.people_count + other, return_counts=True)
        whole = fitting == needed[pairs // self.people_count]
        sizes = np.bincount(pairs[whole] // self.people_count, minlength=self.people_count)
        return np.asarray(sizes[target_people])


def _class_ends(search: CandidateSearch, codes: ColumnCodes) -> tuple[np.ndarray, np.ndarray]:
    """By class the least and the greatest sensitive value; 0 is one that says nothing."""
    is_value = (codes.low == codes.high) & codes.is_plain
    value = np.where(is_value, codes.low, 0)[codes.cell_code]
    least = np.full(search.classes, np.iinfo(np.int64).max)
    most = np.full(search.classes, -1)
    np.minimum.at(least, search.class_of_row, value)
    np.maximum.at(most, search.class_of_row, value)
    return least, most


def _holds_target(search: CandidateSearch, targets: np.ndarray, people: np.ndarray) -> np.ndarray:
    """Whether some row of the target's person fits what is known of the target."""
    holds = search.fit(search.class_of_row[targets], search.vector_of_target)
    missed = np.flatnonzero(~holds)
    if not len(missed) or int(people.max(initial=-1)) + 1 == len(people):
        return holds
    order = np.argsort(people, kind="stable")
    person = people[targets[missed]]
    start, end = (np.searchsorted(people[order], person, side) for side in ("left", "right"))
    counts = end - start
    owner = np.repeat(missed, counts)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = order[np.repeat(start, counts) + offset]
    fits = search.fit(search.class_of_row[rows], search.vector_of_target[owner])
    holds[owner[fits]] = True
    return holds
