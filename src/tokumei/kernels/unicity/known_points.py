"""Who has which points, looked up from either side, and whom a few points single out.

known = KnownPoints.of(customers, columns)
drawn = known.draw(people, 4, generator)      # four different points of each
single_out(known, people, drawn[:, :2])       # whether nobody else has the first two
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.cells import class_codes
from tokumei.kernels.compiled import compiled


@dataclass(frozen=True, eq=False)
class KnownPoints:
    """Points of every person and holders of every point; person i has `points[starts[i]:…]`."""

    starts: np.ndarray
    points: np.ndarray
    holder_starts: np.ndarray
    holders: np.ndarray

    @classmethod
    def of(cls, customers: pl.Series, columns: pl.DataFrame) -> KnownPoints:
        """Of purchases: their customers and what is known of each."""
        person = class_codes(customers.to_frame(), [customers.name])
        point = class_codes(columns, columns.columns)
        pairs = pl.DataFrame({"person": person, "point": point}).unique().sort("person", "point")
        person, point = pairs["person"].to_numpy(), pairs["point"].to_numpy()
        by_point = np.argsort(point, kind="stable")
        return cls(_starts(person), point, _starts(point), person[by_point])

    @property
    def people(self) -> int:
        """How many people."""
        return len(self.starts) - 1

    @property
    def counts(self) -> np.ndarray:
        """How many different points each person has."""
        return np.diff(self.starts)

    def share_held_alone(self) -> np.ndarray:
        """For every person the share of own points that nobody else has."""
        alone = np.diff(self.holder_starts)[self.points] == 1
        shares: np.ndarray = np.add.reduceat(alone.astype(np.int64), self.starts[:-1]) / self.counts
        return shares

    def draw(self, people: np.ndarray, most: int, generator: np.random.Generator) -> np.ndarray:
        """Up to `most` different points of each, in random order; -1 where a person has no more."""
        counts = self.counts[people]
        places = np.full((len(people), most), -1, dtype=np.int64)
        for step in range(most):
            left = counts - step
            place = (generator.random(len(people)) * left).astype(np.int64)
            for taken in np.sort(places[:, :step], axis=1).T:
                place += place >= taken
            places[:, step] = place
        there = np.arange(most) < counts[:, None]
        rows = self.starts[people][:, None] + places
        return np.where(there, self.points[np.where(there, rows, 0)], -1)


def single_out(known: KnownPoints, people: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Whether nobody but the person has all points of its line."""
    return _single_out(
        people, drawn, known.starts, known.points, known.holder_starts, known.holders
    )


@compiled
def _single_out(
    people: np.ndarray,
    drawn: np.ndarray,
    starts: np.ndarray,
    points: np.ndarray,
    holder_starts: np.ndarray,
    holders: np.ndarray,
) -> np.ndarray:
    """Ask the holders of the rarest point, one by one, until one has all the others too."""
    alone = np.ones(len(people), dtype=np.bool_)
    for line in range(len(people)):
        rarest = drawn[line, 0]
        for point in drawn[line]:
            held = holder_starts[point + 1] - holder_starts[point]
            if held < holder_starts[rarest + 1] - holder_starts[rarest]:
                rarest = point
        for other in holders[holder_starts[rarest] : holder_starts[rarest + 1]]:
            if other == people[line]:
                continue
            own = points[starts[other] : starts[other + 1]]
            has_all = True
            for point in drawn[line]:
                place = np.searchsorted(own, point)
                has_all = place < len(own) and own[place] == point
                if not has_all:
                    break
            if has_all:
                alone[line] = False
                break
    return alone


def _starts(sorted_codes: np.ndarray) -> np.ndarray:
    """Where each code begins in a list sorted by code, and the end."""
    return np.concatenate([[0], np.cumsum(np.bincount(sorted_codes))])
