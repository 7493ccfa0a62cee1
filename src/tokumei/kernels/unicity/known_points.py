"""Who has which points, looked up from either side, and whom a few points single out.

known = KnownPoints.of(customers, columns)
drawn = known.draw(people, 4, generator)      # four different points of each
single_out(known, people, drawn[:, :2])       # whether nobody else has the first two
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.cells import class_codes
from tokumei.kernels.door import require, require_array, require_that
from tokumei.kernels.loading import load
from tokumei.kernels.workers import stretches

STEPS = 4096
"""Lines at a stretch: in between, Ctrl-C is heard."""


class KnownPoints(NamedTuple):
    """Points of every person and holders of every point; person i has `points[starts[i]:…]`."""

    starts: Annotated[np.ndarray, "int64[people+1] 0..pairs+1"]
    points: Annotated[np.ndarray, "int64[pairs] 0..kinds"]
    holder_starts: Annotated[np.ndarray, "int64[kinds+1] 0..pairs+1"]
    holders: Annotated[np.ndarray, "int64[pairs] 0..people"]

    @classmethod
    def of(cls, customers: pl.Series, columns: pl.DataFrame) -> KnownPoints:
        """Of purchases: their customers and what is known of each."""
        person = class_codes(customers.to_frame(), [customers.name])
        point = class_codes(columns, columns.columns)
        pairs = pl.DataFrame({"person": person, "point": point}).unique().sort("person", "point")
        person, point = (
            pairs[name].cast(pl.Int64).to_numpy(writable=True) for name in pairs.columns
        )
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
    sizes = require(known)
    people, drawn = np.ascontiguousarray(people), np.ascontiguousarray(drawn)
    require_array("drawn", drawn, "int64[n, p] 0..kinds", sizes)
    require_array("people", people, "int64[n] 0..people", sizes)
    require_that(drawn.shape[1], "drawn: no points")
    alone = np.empty(len(people), np.bool_)
    for part in (slice(*one) for one in stretches(len(people), STEPS)):
        load("unicity").single_out(people[part], drawn[part], *known, alone[part].view(np.uint8))
    return alone


def _starts(sorted_codes: np.ndarray) -> np.ndarray:
    """Where each code begins in a list sorted by code, and the end."""
    return np.concatenate([[0], np.cumsum(np.bincount(sorted_codes))])
