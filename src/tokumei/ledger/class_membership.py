"""Matrix of people and releases: the class of each person in each release.

    membership = ClassMembership.of([book.recorded(entry) for entry in entries])
    membership.classes[p, i]         # the class of person p in release i; UNKNOWN: not in it

People are matched by their codes, which are sorted in every release, so that matching is merging.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import InputError
from tokumei.core.json_types import JsonObject
from tokumei.ledger.contribution import UNKNOWN
from tokumei.ledger.hash_chain import CODE_HIGH, CODE_LOW
from tokumei.ledger.recorded_classes import CELL_PREFIX, TRUE_VALUE_PREFIX, RecordedClasses


class JsonFigures:
    """Figures that are plain data as they stand."""

    def as_json(self) -> JsonObject:
        """Plain data."""
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class ClassMembership:
    """All people of several releases, and the place of each in every release."""

    releases: Sequence[RecordedClasses]
    place: np.ndarray
    """place[p, i]: the line of person p in release i; UNKNOWN where there is none."""
    classes: np.ndarray

    @classmethod
    def of(cls, releases: Sequence[RecordedClasses]) -> ClassMembership:
        """Everybody who is in one of them."""
        codes = [release.people_column(CODE_HIGH) for release in releases]
        everyone = _merge_codes(codes)
        lows = np.zeros(len(everyone), dtype=np.uint64)
        is_seen = np.zeros(len(everyone), dtype=bool)
        place = np.full((len(everyone), len(releases)), UNKNOWN, dtype=np.int32, order="F")
        classes = np.full(place.shape, UNKNOWN, dtype=np.int32, order="F")
        for column, (release, high) in enumerate(zip(releases, codes, strict=True)):
            person_index = np.searchsorted(everyone, high)
            _require_no_code_collision(lows, is_seen, person_index, release.people_column(CODE_LOW))
            place[person_index, column] = np.arange(len(high), dtype=np.int32)
            classes[person_index, column] = release.people_column("class")
        return cls(releases, place, classes)

    def present(self, chosen: Sequence[int]) -> np.ndarray:
        """Who is in all of the chosen releases."""
        return np.asarray((self.place[:, list(chosen)] != UNKNOWN).all(axis=1))

    def taken(self, name: str, release: int, people: np.ndarray) -> np.ndarray:
        """A recorded column of one release for people who are in it."""
        column = self.releases[release].people_column(name)
        return np.asarray(column[self.place[people, release]])

    def own(self, column: int, release: int, people: np.ndarray) -> np.ndarray:
        """The true values of a sensitive column."""
        return self.taken(f"{TRUE_VALUE_PREFIX}{column}", release, people)

    def cell(self, column: int, release: int, people: np.ndarray) -> np.ndarray:
        """The released values of a column."""
        return self.taken(f"{CELL_PREFIX}{column}", release, people)


def _merge_codes(codes: Sequence[np.ndarray]) -> np.ndarray:
    """All different codes in order; stable sorting merges what is sorted already."""
    if not codes:
        return np.zeros(0, dtype=np.uint64)
    ordered = np.sort(np.concatenate(codes), kind="stable")
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def _require_no_code_collision(
    lows: np.ndarray, is_seen: np.ndarray, person_index: np.ndarray, low: np.ndarray
) -> None:
    """Fail if two people share half a code, which happens once in ten million ledgers."""
    if (is_seen[person_index] & (lows[person_index] != low)).any() or (
        len(person_index) > 1 and (person_index[1:] == person_index[:-1]).any()
    ):
        raise InputError(
            "two people of this ledger share a code by chance: make a new ledger with another key"
        )
    lows[person_index], is_seen[person_index] = low, True
