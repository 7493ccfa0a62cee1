"""Unicity: the share of customers whom p known points single out.

    results = unicity(purchases, ["item,day", "item:2,month"], points=[1, 2, 3, 4], seed=1)
    results[0].share, results[0].low, results[0].high

A point is what somebody may know of one purchase, as coarsely as `by` says: `item,day` the item and
its day, `item:2,month` the item's first two characters and the month. p different points are drawn
from each customer who has as many; the customer is singled out if nobody else has all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.attack_rates import wilson
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.kernels.loading import load
from tokumei.kernels.threads import interruptible_ranges
from tokumei.kernels.validation import require_array, require_arrays, require_that

LINES_PER_STRETCH = 4096
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
        person = equivalence_class_codes(customers.to_frame(), [customers.name])
        point = equivalence_class_codes(columns, columns.columns)
        pairs = pl.DataFrame({"person": person, "point": point}).unique().sort("person", "point")
        person, point = (
            pairs[name].cast(pl.Int64).to_numpy(writable=True) for name in pairs.columns
        )
        by_point = np.argsort(point, kind="stable")
        return cls(_code_starts(person), point, _code_starts(point), person[by_point])

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

    def draw_points(
        self, people: np.ndarray, most: int, generator: np.random.Generator
    ) -> np.ndarray:
        """Up to `most` different points of each, in random order; -1 where a person has no more."""
        counts = self.counts[people]
        places = np.full((len(people), most), -1, dtype=np.int64)
        for step in range(most):
            remaining = counts - step
            place = (generator.random(len(people)) * remaining).astype(np.int64)
            for taken in np.sort(places[:, :step], axis=1).T:
                place += place >= taken
            places[:, step] = place
        has_point = np.arange(most) < counts[:, None]
        rows = self.starts[people][:, None] + places
        return np.where(has_point, self.points[np.where(has_point, rows, 0)], -1)


def single_out(known: KnownPoints, people: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Whether nobody but the person has all points of its line."""
    sizes = require_arrays(known)
    people, drawn = np.ascontiguousarray(people), np.ascontiguousarray(drawn)
    require_array("drawn", drawn, "int64[n, p] 0..kinds", sizes)
    require_array("people", people, "int64[n] 0..people", sizes)
    require_that(drawn.shape[1], "drawn: no points")
    alone = np.empty(len(people), np.bool_)
    for part in (slice(*bounds) for bounds in interruptible_ranges(len(people), LINES_PER_STRETCH)):
        load("unicity").single_out(people[part], drawn[part], *known, alone[part].view(np.uint8))
    return alone


def _code_starts(sorted_codes: np.ndarray) -> np.ndarray:
    """Where each code begins in a list sorted by code, and the end."""
    return np.concatenate([[0], np.cumsum(np.bincount(sorted_codes))])


DEFAULT_GRANULARITIES = ("item,day", "item,week", "item,month", "item:2,day", "day")
DEFAULT_POINTS = (1, 2, 3, 4)
DEFAULT_DRAWS = 20


@dataclass(frozen=True)
class Unicity:
    """The share singled out by a number of points, among the customers who have as many.

    `low`, `high`: 95 % Wilson interval over those customers. It also covers the draws, since the
    mean of several draws varies less than one. `draws` is 0 where the share is exact.
    """

    by: str
    points: int
    share: float
    low: float
    high: float
    customers: int
    of_customers: int
    draws: int

    def as_json(self) -> JsonObject:
        """As plain data."""
        return dict(vars(self))


def unicity(
    purchases: pl.DataFrame,
    by: Sequence[str] = DEFAULT_GRANULARITIES,
    *,
    points: Sequence[int] = DEFAULT_POINTS,
    draws: int = DEFAULT_DRAWS,
    seed: int | None = None,
) -> list[Unicity]:
    """Every granularity with every number of points that at least one customer has.

    `purchases` has a row per purchase: customer, day (a date) and what else there is.
    """
    _require_valid_request(by, points, draws)
    rng = Randomness(seed)
    return [
        result
        for text in track_progress(dict.fromkeys(by), Message("unicity"))
        for result in _unicity_shares(purchases, text, points, draws, rng.child(text))
    ]


def _unicity_shares(
    purchases: pl.DataFrame, by: str, points: Sequence[int], draws: int, rng: Randomness
) -> list[Unicity]:
    known = KnownPoints.of(purchases["customer"], point_columns(purchases, by))
    enough = [p for p in dict.fromkeys(points) if p <= known.counts.max()]
    people = np.repeat(np.arange(known.people), draws)
    drawn = known.draw_points(people, max(enough, default=0), rng.generator)
    results = []
    for p in enough:
        has_enough = known.counts >= p
        if p == 1:
            share = float(known.share_held_alone().mean())
        else:
            used = has_enough[people]
            share = float(single_out(known, people[used], drawn[used, :p]).mean())
        n = int(has_enough.sum())
        interval = wilson(share * n, n)
        results.append(Unicity(by, p, share, *interval, n, known.people, 0 if p == 1 else draws))
    return results


def _require_valid_request(by: Sequence[str], points: Sequence[int], draws: int) -> None:
    if draws < 1 or not by or not points or min(points) < 1:
        raise UsageError(
            "at least one granularity, one draw and numbers of points from 1 are needed"
        )


DAYS_AFTER_MONDAY = 3
"""1 January 1970 was a Thursday, three days after a Monday."""
TIME_COLUMNS = {
    "day": pl.col("day"),
    "week": (pl.col("day").cast(pl.Int32) + DAYS_AFTER_MONDAY) // 7,
    "month": pl.col("day").dt.year().cast(pl.Int32) * 12 + pl.col("day").dt.month(),
}


def point_columns(purchases: pl.DataFrame, by: str) -> pl.DataFrame:
    """The columns of a point, as coarse as `by` says."""
    parts = list(dict.fromkeys(part.strip() for part in by.split(",") if part.strip()))
    if not parts:
        raise UsageError("name what is known of a purchase, such as item,day")
    return purchases.select(_point_column(purchases, part).alias(part) for part in parts)


def _point_column(purchases: pl.DataFrame, part: str) -> pl.Expr:
    name, colon, width = part.partition(":")
    others = [column for column in purchases.columns if column not in ("customer", *TIME_COLUMNS)]
    if name not in TIME_COLUMNS and name not in others:
        label = Message("column of a known point")
        raise UnknownNameError(label, name, [*TIME_COLUMNS, *others])
    if not colon:
        return TIME_COLUMNS.get(name, pl.col(name))
    if name in TIME_COLUMNS or not width.isdecimal() or int(width) < 1:
        raise UsageError(
            "'{part}': write item:2 for the first two characters, day, week or month for time",
            part=part,
        )
    return pl.col(name).cast(pl.String).str.head(int(width))
