"""A look-alike year of an online shop: who bought what, when, how many and for how much.

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

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.shop.customers import (
    FAVOURITE_THINGS,
    FIRST_DAY,
    Customers,
    Visits,
    draw_customers,
    draw_visits,
)
from tokumei.core.shop.items import MOST_ITEMS, Catalogue, Floats, Ints, draw_catalogue
from tokumei.core.text import Text

# fmt: off
QUANTITIES = np.array([
    1, 2, 3, 4, 6, 8, 10, 12, 24, 36, 48, 72, 96, 120, 144, 192, 240, 288, 360, 480, 600, 720, 960,
    1200, 1440, 1920, 2400, 2880, 3600, 4800, 6000,
])
# fmt: on
"""The steps on which most quantities lie."""

_FROM_FAVOURITES, _FROM_THINGS = 0.55, 0.25
_FAVOURITE_BIAS = 1.5
_REDRAWS = 3
_TYPICAL_QUANTITY, _QUANTITY_SPREAD = 4.5, 0.85
_QUANTITY_TAIL = 9
_TYPICAL_PRICE, _PRICE_EFFECT = 1.95, -0.45
_ODD_SHARE = 0.08
_DISCOUNT_FROM, _DISCOUNT, _DISCOUNT_SHARE = 24, 0.85, 0.5
_BIG_DISCOUNT_FROM, _BIG_DISCOUNT = 144, 0.72
_FIRST_BASKET = 500_000


def sample_purchases(
    rows: int, *, customers: int | None = None, items: int | None = None, seed: int | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Exactly `rows` purchases of exactly `customers` people in a shop of `items` goods.

    Without numbers, customers and items grow with the rows: 1,000 and 3,200 for 80,000.
    """
    _require(Text("rows", "行数"), rows)
    people = round(max(rows / 80, sqrt(rows))) if customers is None else customers
    # A bigger sample shows more of the shop, but beyond 80,000 rows not much more.
    size = rows / 80_000
    shown = 3200 * (sqrt(size) if size < 1 else pow(size, 0.2))
    goods = min(round(shown), MOST_ITEMS) if items is None else items
    _require(Text("customers", "顧客数"), people, rows)
    _require(Text("items", "商品数"), goods, MOST_ITEMS)
    rng = Randomness(seed).child("purchases")
    catalogue = draw_catalogue(goods, rng.child("catalogue"))
    buyers = draw_customers(people, rows, catalogue, rng.child("customers"))
    visits = draw_visits(buyers, rng.child("visits"))
    return _purchases(catalogue, buyers, visits, rng), catalogue.frame()


def _require(what: Text, number: int, most: int | None = None) -> None:
    if number >= 1 and (most is None or number <= most):
        return
    limit = Text("at least 1", "1 以上") if most is None else Text(f"1 to {most}", f"1〜{most}")
    raise UsageError(
        f"{what.en} of a sample: {limit.en}, not {number}",
        f"標本の{what.ja}は {limit.ja} にしてください({number} は使えません)",
    )


def _purchases(
    catalogue: Catalogue, customers: Customers, visits: Visits, rng: Randomness
) -> pl.DataFrame:
    item = _draw_items(catalogue, customers, visits, rng.child("items"))
    price = catalogue.price[item]
    amount = customers.amount[visits.row_customer]
    quantity = _draw_quantities(price, amount, rng.child("quantities"))
    price = _discounted(price, quantity, rng.child("discounts"))
    order = np.argsort(visits.row_visit, kind="stable")
    visit = visits.row_visit[order]
    return pl.DataFrame(
        {
            "customer": _labels(customers.code, visits.row_customer[order]),
            "day": pl.Series(np.datetime64(FIRST_DAY, "D") + visits.day[visit]),
            "item": pl.Series(catalogue.code).gather(item[order]),
            "price": price[order],
            "quantity": quantity[order],
            "basket": _labels(_FIRST_BASKET + np.arange(len(visits.day)), visit),
        }
    )


def _draw_items(
    catalogue: Catalogue, customers: Customers, visits: Visits, rng: Randomness
) -> Ints:
    """By taste; what is not yet on sale or already in the basket gives way to something else."""
    item = _by_taste(catalogue, customers, visits.row_customer, rng.child("taste"))
    day = visits.day[visits.row_visit]
    for turn in range(_REDRAWS):
        too_early = catalogue.first_day[item] > day
        wrong = np.flatnonzero(too_early | _repeated(visits.row_visit, item))
        item[wrong] = catalogue.pick(rng.child("redraw", turn).generator.random(len(wrong)))
    early = np.flatnonzero(catalogue.first_day[item] > day)
    item[early] = catalogue.pick_old(rng.child("old").generator.random(len(early)))
    return item


def _by_taste(catalogue: Catalogue, customers: Customers, owner: Ints, rng: Randomness) -> Ints:
    draw = rng.generator
    way, chance = draw.random(len(owner)), draw.random(len(owner))
    item = catalogue.pick(chance)
    loved = np.flatnonzero(way < _FROM_FAVOURITES)
    # One of the owner's favourites, the first ones more often.
    start, end = customers.start[owner[loved]], customers.start[owner[loved] + 1]
    place = (chance[loved] ** _FAVOURITE_BIAS * (end - start)).astype(np.int64)
    item[loved] = customers.favourite[start + place]
    liked = np.flatnonzero((way >= _FROM_FAVOURITES) & (way < _FROM_FAVOURITES + _FROM_THINGS))
    thing = customers.things[owner[liked], draw.integers(0, FAVOURITE_THINGS, len(liked))]
    item[liked] = catalogue.pick_of(thing, chance[liked])
    return item


def _repeated(visit: Ints, item: Ints) -> np.ndarray:
    pair = visit.astype(np.int64) * (MOST_ITEMS + 1) + item
    return ~pl.Series(pair).is_first_distinct().to_numpy()


def _draw_quantities(price: Floats, amount: Floats, rng: Randomness) -> Ints:
    """More of what is cheap, more for those who buy much; mostly in packs."""
    draw = rng.generator
    level = np.log(price / _TYPICAL_PRICE) * _PRICE_EFFECT + amount
    level += np.log(_TYPICAL_QUANTITY) + _QUANTITY_SPREAD * draw.standard_t(
        _QUANTITY_TAIL, len(price)
    )
    steps = np.log(QUANTITIES)
    packs = QUANTITIES[np.searchsorted((steps[1:] + steps[:-1]) / 2, level)]
    odd = np.flatnonzero(draw.random(len(price)) < _ODD_SHARE)
    packs[odd] = np.clip(np.rint(np.exp(level[odd])), 1, QUANTITIES[-1])
    return packs


def _discounted(price: Floats, quantity: Ints, rng: Randomness) -> Floats:
    granted = rng.generator.random(len(price)) < _DISCOUNT_SHARE
    factor = np.where(quantity >= _DISCOUNT_FROM, _DISCOUNT, 1.0)
    factor[quantity >= _BIG_DISCOUNT_FROM] = _BIG_DISCOUNT
    paid: Floats = np.where(granted, price * factor, price)
    return paid.round(2)


def _labels(codes: Ints, places: Ints) -> pl.Series:
    return pl.Series(codes).cast(pl.String).gather(places)
