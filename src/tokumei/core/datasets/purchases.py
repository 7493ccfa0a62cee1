"""Generates a year of purchases: customer, item, day, quantity, price.

    purchases, items = sample_purchases(80_000, seed=1)
    purchases.columns       # customer, day, item, price, quantity, basket; in time order
    items.columns           # item, description: all that the shop offers, sold or not

In the shape of the purchase histories of PWSCUP 2018, but no value comes from them. Customers buy
again what they like, so a history can be recognized by its taste.
"""

from __future__ import annotations

from math import pow, sqrt

import numpy as np
import polars as pl

from tokumei.core.datasets.customers import (
    FAVOURITE_PRODUCT_TYPES,
    FIRST_DAY,
    Customers,
    Visits,
    draw_customers,
    draw_visits,
)
from tokumei.core.datasets.items import MAX_ITEMS, Catalogue, Floats, Ints, draw_catalogue
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness

# fmt: off
QUANTITY_STEPS = np.array([
    1, 2, 3, 4, 6, 8, 10, 12, 24, 36, 48, 72, 96, 120, 144, 192, 240, 288, 360, 480, 600, 720, 960,
    1200, 1440, 1920, 2400, 2880, 3600, 4800, 6000,
])
# fmt: on
"""The steps on which most quantities lie."""

_FAVOURITE_SHARE, _LIKED_TYPE_SHARE = 0.55, 0.25
_FAVOURITE_BIAS = 1.5
_REDRAW_ROUNDS = 3
_TYPICAL_QUANTITY, _QUANTITY_SPREAD = 4.5, 0.85
_QUANTITY_TAIL = 9
_TYPICAL_PRICE, _PRICE_EFFECT = 1.95, -0.45
_ODD_QUANTITY_SHARE = 0.08
_DISCOUNT_MIN_QUANTITY, _DISCOUNT, _DISCOUNT_SHARE = 24, 0.85, 0.5
_BIG_DISCOUNT_MIN_QUANTITY, _BIG_DISCOUNT = 144, 0.72
_FIRST_BASKET_NUMBER = 500_000


def sample_purchases(
    rows: int, *, customers: int | None = None, items: int | None = None, seed: int | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Exactly `rows` purchases of exactly `customers` people in a shop of `items` goods.

    Without numbers, customers and items grow with the rows: 1,000 and 3,200 for 80,000.
    """
    _require_in_range(Message("rows", context="a number"), rows)
    people = round(max(rows / 80, sqrt(rows))) if customers is None else customers
    # A bigger sample shows more of the shop, but beyond 80,000 rows not much more.
    size = rows / 80_000
    item_count = 3200 * (sqrt(size) if size < 1 else pow(size, 0.2))
    goods = min(round(item_count), MAX_ITEMS) if items is None else items
    _require_in_range(Message("customers", context="a number"), people, rows)
    _require_in_range(Message("items", context="a number"), goods, MAX_ITEMS)
    rng = Randomness(seed).child("purchases")
    catalogue = draw_catalogue(goods, rng.child("catalogue"))
    buyers = draw_customers(people, rows, catalogue, rng.child("customers"))
    visits = draw_visits(buyers, rng.child("visits"))
    return _assemble_purchases(catalogue, buyers, visits, rng), catalogue.frame()


def _require_in_range(what: Message, number: int, most: int | None = None) -> None:
    if number >= 1 and (most is None or number <= most):
        return
    limit = Message("at least 1") if most is None else Message("1 to {most}", most=most)
    raise UsageError(
        "{what} of a sample: {limit}, not {number}", what=what, limit=limit, number=number
    )


def _assemble_purchases(
    catalogue: Catalogue, customers: Customers, visits: Visits, rng: Randomness
) -> pl.DataFrame:
    item = _draw_items(catalogue, customers, visits, rng.child("items"))
    price = catalogue.price[item]
    amount = customers.amount[visits.row_customer]
    quantity = _draw_quantities(price, amount, rng.child("quantities"))
    price = _apply_discounts(price, quantity, rng.child("discounts"))
    order = np.argsort(visits.row_visit, kind="stable")
    visit = visits.row_visit[order]
    return pl.DataFrame(
        {
            "customer": _label_codes(customers.code, visits.row_customer[order]),
            "day": pl.Series(np.datetime64(FIRST_DAY, "D") + visits.day[visit]),
            "item": pl.Series(catalogue.code).gather(item[order]),
            "price": price[order],
            "quantity": quantity[order],
            "basket": _label_codes(_FIRST_BASKET_NUMBER + np.arange(len(visits.day)), visit),
        }
    )


def _draw_items(
    catalogue: Catalogue, customers: Customers, visits: Visits, rng: Randomness
) -> Ints:
    """By taste; what is not yet on sale or already in the basket gives way to something else."""
    item = _draw_items_by_taste(catalogue, customers, visits.row_customer, rng.child("taste"))
    day = visits.day[visits.row_visit]
    for turn in range(_REDRAW_ROUNDS):
        too_early = catalogue.first_day[item] > day
        redraw_rows = np.flatnonzero(too_early | _is_repeated_in_visit(visits.row_visit, item))
        item[redraw_rows] = catalogue.pick(
            rng.child("redraw", turn).generator.random(len(redraw_rows))
        )
    unavailable_rows = np.flatnonzero(catalogue.first_day[item] > day)
    item[unavailable_rows] = catalogue.pick_sold_from_start(
        rng.child("old").generator.random(len(unavailable_rows))
    )
    return item


def _draw_items_by_taste(
    catalogue: Catalogue, customers: Customers, owner: Ints, rng: Randomness
) -> Ints:
    draw = rng.generator
    choice_draw, chance = draw.random(len(owner)), draw.random(len(owner))
    item = catalogue.pick(chance)
    favourite_rows = np.flatnonzero(choice_draw < _FAVOURITE_SHARE)
    # One of the owner's favourites, the first ones more often.
    start, end = customers.start[owner[favourite_rows]], customers.start[owner[favourite_rows] + 1]
    favourite_rank = (chance[favourite_rows] ** _FAVOURITE_BIAS * (end - start)).astype(np.int64)
    item[favourite_rows] = customers.favourite[start + favourite_rank]
    liked_type_rows = np.flatnonzero(
        (choice_draw >= _FAVOURITE_SHARE) & (choice_draw < _FAVOURITE_SHARE + _LIKED_TYPE_SHARE)
    )
    thing = customers.things[
        owner[liked_type_rows], draw.integers(0, FAVOURITE_PRODUCT_TYPES, len(liked_type_rows))
    ]
    item[liked_type_rows] = catalogue.pick_of_things(thing, chance[liked_type_rows])
    return item


def _is_repeated_in_visit(visit: Ints, item: Ints) -> np.ndarray:
    pair = visit.astype(np.int64) * (MAX_ITEMS + 1) + item
    return ~pl.Series(pair).is_first_distinct().to_numpy()


def _draw_quantities(price: Floats, amount: Floats, rng: Randomness) -> Ints:
    """More of what is cheap, more for those who buy much; mostly in packs."""
    draw = rng.generator
    level = np.log(price / _TYPICAL_PRICE) * _PRICE_EFFECT + amount
    level += np.log(_TYPICAL_QUANTITY) + _QUANTITY_SPREAD * draw.standard_t(
        _QUANTITY_TAIL, len(price)
    )
    steps = np.log(QUANTITY_STEPS)
    packs = QUANTITY_STEPS[np.searchsorted((steps[1:] + steps[:-1]) / 2, level)]
    odd = np.flatnonzero(draw.random(len(price)) < _ODD_QUANTITY_SHARE)
    packs[odd] = np.clip(np.rint(np.exp(level[odd])), 1, QUANTITY_STEPS[-1])
    return packs


def _apply_discounts(price: Floats, quantity: Ints, rng: Randomness) -> Floats:
    granted = rng.generator.random(len(price)) < _DISCOUNT_SHARE
    factor = np.where(quantity >= _DISCOUNT_MIN_QUANTITY, _DISCOUNT, 1.0)
    factor[quantity >= _BIG_DISCOUNT_MIN_QUANTITY] = _BIG_DISCOUNT
    paid: Floats = np.where(granted, price * factor, price)
    return paid.round(2)


def _label_codes(codes: Ints, places: Ints) -> pl.Series:
    return pl.Series(codes).cast(pl.String).gather(places)
