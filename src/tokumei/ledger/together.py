"""People × releases: in which class of which release everybody is.

    all = Together.of([book.recorded(entry) for entry in entries])
    all.classes[p, i]                # the class of person p in release i; UNKNOWN: not in it

People are matched by their codes, which are sorted in every release, so that matching is merging.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.core.errors import InputError
from tokumei.ledger.chain import HIGH, LOW
from tokumei.ledger.classes import CELL, OWN, Recorded
from tokumei.ledger.contribution import UNKNOWN


class Figures:
    """Figures that are plain data as they stand."""

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class Together:
    """All people of several releases, and the place of each in every release."""

    releases: Sequence[Recorded]
    place: np.ndarray
    """place[p, i]: the line of person p in release i; UNKNOWN where there is none."""
    classes: np.ndarray

    @classmethod
    def of(cls, releases: Sequence[Recorded]) -> Together:
        """Everybody who is in one of them."""
        codes = [one.number(HIGH) for one in releases]
        everyone = _merged(codes)
        lows = np.zeros(len(everyone), dtype=np.uint64)
        seen = np.zeros(len(everyone), dtype=bool)
        place = np.full((len(everyone), len(releases)), UNKNOWN, dtype=np.int32, order="F")
        classes = np.full(place.shape, UNKNOWN, dtype=np.int32, order="F")
        for column, (one, high) in enumerate(zip(releases, codes, strict=True)):
            at = np.searchsorted(everyone, high)
            _require_same(lows, seen, at, one.number(LOW))
            place[at, column] = np.arange(len(high), dtype=np.int32)
            classes[at, column] = one.number("class")
        return cls(releases, place, classes)

    def present(self, chosen: Sequence[int]) -> np.ndarray:
        """Who is in all of the chosen releases."""
        return np.asarray((self.place[:, list(chosen)] != UNKNOWN).all(axis=1))

    def taken(self, name: str, release: int, people: np.ndarray) -> np.ndarray:
        """A recorded column of one release for people who are in it."""
        column = self.releases[release].number(name)
        return np.asarray(column[self.place[people, release]])

    def own(self, column: int, release: int, people: np.ndarray) -> np.ndarray:
        """The true values of a sensitive column."""
        return self.taken(f"{OWN}{column}", release, people)

    def cell(self, column: int, release: int, people: np.ndarray) -> np.ndarray:
        """The released values of a column."""
        return self.taken(f"{CELL}{column}", release, people)


def _merged(codes: Sequence[np.ndarray]) -> np.ndarray:
    """All different codes in order; stable sorting merges what is sorted already."""
    if not codes:
        return np.zeros(0, dtype=np.uint64)
    ordered = np.sort(np.concatenate(codes), kind="stable")
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def _require_same(lows: np.ndarray, seen: np.ndarray, at: np.ndarray, low: np.ndarray) -> None:
    """Fail if two people share half a code, which happens once in ten million ledgers."""
    if (seen[at] & (lows[at] != low)).any() or (len(at) > 1 and (at[1:] == at[:-1]).any()):
        raise InputError(
            "two people of this ledger share a code by chance: make a new ledger with another key",
            "台帳の二人の符号が偶然一致しました。別の鍵で新しい台帳を作ってください",
        )
    lows[at], seen[at] = low, True
