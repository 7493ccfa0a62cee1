"""Generates customers: how much, when and what they like to buy.

    customers = draw_customers(1000, 80_000, catalogue, Randomness(1))
    customers.rows.sum()                    # 80_000
    visits = draw_visits(customers, Randomness(2))

Rows per customer are lognormal: half of the customers have fewer than half of the mean, and one in
a hundred has eight times as many. A few are wholesalers, a few came once for one thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from tokumei.core.datasets.items import Catalogue, Floats, Ints
from tokumei.core.randomness import Randomness

FIRST_DAY = date(2022, 12, 1)
DAY_COUNT = 365
FAVOURITE_PRODUCT_TYPES = 4

_ROWS_SPREAD = 1.25
_ONE_PURCHASE_SHARE, _HEAVY_BUYER_SHARE, _HEAVY_BUYER_FACTOR = 0.02, 0.003, 20.0
_WHOLESALE_SHARE, _WHOLESALE_LEVEL = 0.06, 1.2
_AMOUNT_SPREAD = 0.65
_BASKET_SIZE, _BASKET_GROWTH, _BASKET_SPREAD = 9.0, 0.18, 0.8
_FAVOURITES_FACTOR, _FAVOURITES_GROWTH = 1.2, 0.85
_FAVOURITE_TYPE_SHARE = 0.7

_MONTH_WEIGHTS = np.array([5.5, 5, 7, 6, 7.5, 7, 7, 6.5, 10.5, 12.5, 18, 7])
"""January to December: the goods for Christmas are bought in November."""
_WEEKDAY_WEIGHTS = np.array([0.9, 1.0, 1.1, 1.25, 0.9, 0.0, 1.0])
"""Monday to Sunday: no orders are taken on Saturdays."""


@dataclass(frozen=True, eq=False)
class Customers:
    """All customers; the favourites of customer c are favourite[start[c]:start[c + 1]].

    `amount`: how much of an item somebody tends to take, on the log scale.
    """

    code: Ints
    rows: Ints
    amount: Floats
    things: Ints
    favourite: Ints
    start: Ints


@dataclass(frozen=True, eq=False)
class Visits:
    """All visits, in time order, and for every row its customer and its visit."""

    day: Ints
    row_customer: Ints
    row_visit: Ints


def draw_customers(customers: int, rows: int, catalogue: Catalogue, rng: Randomness) -> Customers:
    """Draw customers who have `rows` rows in all and at least one each."""
    counts = _draw_row_counts(customers, rows, rng.child("rows"))
    taste = rng.child("things").generator.random((customers, FAVOURITE_PRODUCT_TYPES))
    things = catalogue.thing[catalogue.pick(taste)]
    start, favourite = _draw_favourites(counts, things, catalogue, rng.child("favourites"))
    draw = rng.child("amounts").generator
    wholesale = draw.random(customers) < _WHOLESALE_SHARE
    return Customers(
        code=_draw_customer_codes(customers, rng.child("codes")),
        rows=counts,
        amount=_AMOUNT_SPREAD * draw.normal(size=customers) + _WHOLESALE_LEVEL * wholesale,
        things=things,
        favourite=favourite,
        start=start,
    )


def draw_visits(customers: Customers, rng: Randomness) -> Visits:
    """Spread the rows of every customer over visits of unequal size, and these over the year."""
    draw, rows = rng.generator, customers.rows
    typical = _BASKET_SIZE * rows**_BASKET_GROWTH
    size = typical * np.exp(_BASKET_SPREAD * draw.normal(size=len(rows)))
    count = np.clip(np.rint(rows / size), 1, rows).astype(np.int32)
    owner = np.repeat(np.arange(len(rows), dtype=np.int32), rows)
    visit_rank = (draw.random(len(owner)) ** 1.3 * count[owner]).astype(np.int32)
    visit = (np.cumsum(count) - count)[owner].astype(np.int32) + visit_rank
    days = _draw_visit_days(int(count.sum()), draw)
    order = np.lexsort((draw.random(len(days)), days))
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order))
    return Visits(days[order], owner, rank[visit])


def _draw_row_counts(customers: int, rows: int, rng: Randomness) -> Ints:
    """One row each, the rest shared out by lognormal weights, exactly `rows` in all."""
    draw = rng.generator
    weight = np.exp(_ROWS_SPREAD * draw.normal(size=customers))
    weight[draw.random(customers) < _HEAVY_BUYER_SHARE] *= _HEAVY_BUYER_FACTOR
    once = draw.random(customers) < _ONE_PURCHASE_SHARE
    weight[once & ~once.all()] = 0.0
    limits = np.cumsum(weight)
    shared = np.rint(limits / limits[-1] * (rows - customers)).astype(np.int64)
    return np.asarray(1 + np.diff(shared, prepend=0))


def _draw_favourites(
    rows: Ints, things: Ints, catalogue: Catalogue, rng: Randomness
) -> tuple[Ints, Ints]:
    draw = rng.generator
    count = np.ceil(_FAVOURITES_FACTOR * rows**_FAVOURITES_GROWTH).astype(np.int64) + 2
    owner = np.repeat(np.arange(len(rows)), count)
    chances = draw.random(len(owner))
    loved = things[owner, draw.integers(0, FAVOURITE_PRODUCT_TYPES, len(owner))]
    favourite = np.where(
        draw.random(len(owner)) < _FAVOURITE_TYPE_SHARE,
        catalogue.pick_of_things(loved, chances),
        catalogue.pick(chances),
    )
    return np.concatenate([[0], np.cumsum(count)]), favourite


def _draw_customer_codes(customers: int, rng: Randomness) -> Ints:
    """Unique random numbers of five digits, or of as many more as it takes."""
    low = 10_000
    while 9 * low < customers:
        low *= 10
    return low + rng.generator.choice(9 * low, customers, replace=False)


def _draw_visit_days(visits: int, draw: np.random.Generator) -> Ints:
    dates = [FIRST_DAY + timedelta(days=day) for day in range(DAY_COUNT)]
    weight = np.array([_MONTH_WEIGHTS[d.month - 1] * _WEEKDAY_WEIGHTS[d.weekday()] for d in dates])
    limits = np.cumsum(weight)
    point = draw.random(visits) * limits[-1]
    return np.asarray(np.searchsorted(limits, point, "right").astype(np.int32))
