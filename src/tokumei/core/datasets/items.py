"""Generates items: code, description, price, popularity, first day on sale.

    catalogue = draw_catalogue(3200, Randomness(1))
    catalogue.frame()                       # item, description
    catalogue.pick(chances)                 # items by popularity
    catalogue.pick_of_things(things, chances)      # the same among items of one thing

Some products come in several colours: one item each, with the same five digits and another letter.
Items of one thing ("CAKE TIN") have neighbouring codes, as if the shop gave out codes by shelf.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tokumei.core.datasets.item_vocabulary import (
    CHRISTMAS_PATTERN,
    COLOUR_WORDS,
    ITEM_KINDS,
    PATTERN_WORDS,
    SIZE_WORDS,
)
from tokumei.core.randomness import Randomness

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]

MAX_ITEMS = 90_000
"""How many five-digit codes there are."""

# fmt: off
PRICE_STEPS: Floats = np.array([
    0.12, 0.19, 0.21, 0.29, 0.39, 0.42, 0.55, 0.65, 0.85, 1.05, 1.25, 1.45, 1.65, 1.95, 2.1, 2.55,
    2.95, 3.25, 3.75, 4.25, 4.95, 5.95, 6.75, 7.95, 8.5, 9.95, 12.75, 14.95, 16.95, 19.95, 24.95,
    29.95, 39.95, 49.95, 79.95, 125.0, 165.0, 195.0, 295.0,
])
# fmt: on
"""The steps on which undiscounted prices lie."""

_PRODUCT_TYPES = [(kind, thing) for kind, goods in ITEM_KINDS.items() for thing in goods.things]
_PRODUCT_TYPE_SHARES = np.array(
    [ITEM_KINDS[kind].share / len(ITEM_KINDS[kind].things) for kind, _ in _PRODUCT_TYPES]
)
_PRODUCT_TYPE_PRICES = np.array([ITEM_KINDS[kind].price for kind, _ in _PRODUCT_TYPES])
_COLOUR_COUNT_SHARES = np.array([0.93, 0.035, 0.018, 0.01, 0.007])
_POPULARITY_SPREAD = 1.45
_POPULARITY_LIMIT = 2.4
_PRICE_SPREAD, _PRICE_TAIL = 0.65, 8
_NEW_ITEM_SHARE = 0.3
_DAYS_IN_YEAR = 365
_CHRISTMAS_START, _CHRISTMAS_END = 250, 310


@dataclass(frozen=True, eq=False)
class Catalogue:
    """All items, in the order of their codes, so that the items of one thing are neighbours."""

    code: list[str]
    description: list[str]
    thing: Ints
    price: Floats
    popularity: Floats
    first_day: Ints

    @property
    def kind(self) -> list[str]:
        """The kind of every item."""
        return [_PRODUCT_TYPES[thing][0] for thing in self.thing]

    def frame(self) -> pl.DataFrame:
        """The items with their descriptions."""
        return pl.DataFrame({"item": self.code, "description": self.description})

    def pick(self, chances: Floats) -> Ints:
        """An item for every chance in [0, 1), popular ones more often."""
        return self._items_at_popularity(
            chances * self._cumulative_popularity[-1], 0, len(self.code)
        )

    def pick_of_things(self, things: Ints, chances: Floats) -> Ints:
        """An item of the given thing for every chance in [0, 1), popular ones more often."""
        start, end = (np.searchsorted(self.thing, things, side) for side in ("left", "right"))
        low, high = self._cumulative_popularity[start], self._cumulative_popularity[end]
        return self._items_at_popularity(low + chances * (high - low), start, end)

    def pick_sold_from_start(self, chances: Floats) -> Ints:
        """An item that is on sale from the first day on, for every chance in [0, 1)."""
        old = np.flatnonzero(self.first_day == 0)
        limits = np.cumsum(self.popularity[old])
        return np.asarray(old[np.searchsorted(limits[:-1], chances * limits[-1], "right")])

    @cached_property
    def _cumulative_popularity(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(self.popularity)])

    def _items_at_popularity(self, points: Floats, start: Ints | int, end: Ints | int) -> Ints:
        item_indexes = np.searchsorted(self._cumulative_popularity, points, "right") - 1
        # Rounding may carry a point over a limit.
        return np.clip(item_indexes, start, np.asarray(end) - 1).astype(np.int32)


def draw_catalogue(items: int, rng: Randomness) -> Catalogue:
    """Draw `items` items."""
    product, variant, colours = _draw_products(items, rng.child("products"))
    shares = _PRODUCT_TYPE_SHARES / _PRODUCT_TYPE_SHARES.sum()
    drawn = rng.child("things").generator.choice(
        len(_PRODUCT_TYPES), int(product[-1]) + 1, p=shares
    )
    thing = np.sort(drawn)[product]
    pattern, description = _draw_descriptions(thing, product, variant, rng.child("words"))
    # Lognormal with a ceiling: a long tail of rare items, and no item in every basket.
    level = np.minimum(rng.child("popularity").generator.normal(size=items), _POPULARITY_LIMIT)
    popularity = np.exp(_POPULARITY_SPREAD * level)
    return Catalogue(
        code=_draw_item_codes(product, variant, colours, rng.child("codes")),
        description=description,
        thing=thing,
        price=_draw_prices(thing, product, rng.child("prices")),
        popularity=popularity,
        first_day=_draw_first_days(pattern, popularity, rng.child("first days")),
    )


def _draw_products(items: int, rng: Randomness) -> tuple[Ints, Ints, Ints]:
    """For every item its product, its place among the product's colours, and their number."""
    shares = _COLOUR_COUNT_SHARES
    sizes = 1 + rng.generator.choice(len(shares), items, p=shares)
    product = np.repeat(np.arange(items), sizes)[:items]
    colours = np.bincount(product)
    first = np.cumsum(colours) - colours
    return product, np.arange(items) - first[product], colours[product]


def _draw_descriptions(
    thing: Ints, product: Ints, variant: Ints, rng: Randomness
) -> tuple[Ints, list[str]]:
    draw, products = rng.generator, int(product[-1]) + 1
    size, colour, pattern = (
        draw.integers(0, len(words), products)[product]
        for words in (SIZE_WORDS, COLOUR_WORDS, PATTERN_WORDS)
    )
    words = zip(size, (colour + variant) % len(COLOUR_WORDS), pattern, thing, strict=True)
    return pattern, [
        f"{SIZE_WORDS[s]} {COLOUR_WORDS[c]} {PATTERN_WORDS[p]} {_PRODUCT_TYPES[t][1]}".lstrip()
        for s, c, p, t in words
    ]


def _draw_item_codes(product: Ints, variant: Ints, colours: Ints, rng: Randomness) -> list[str]:
    products = int(product[-1]) + 1
    digits = np.sort(rng.generator.choice(MAX_ITEMS, products, replace=False)) + 10_000
    letters = np.where(colours > 1, np.array(list("ABCDE"))[variant], "")
    return [f"{d}{letter}" for d, letter in zip(digits[product], letters, strict=True)]


def _draw_prices(thing: Ints, product: Ints, rng: Randomness) -> Floats:
    """All colours of a product cost the same."""
    noise = rng.generator.standard_t(_PRICE_TAIL, int(product[-1]) + 1)[product]
    log_prices = np.log(_PRODUCT_TYPE_PRICES[thing]) + _PRICE_SPREAD * noise
    steps = np.log(PRICE_STEPS)
    return np.asarray(PRICE_STEPS[np.searchsorted((steps[1:] + steps[:-1]) / 2, log_prices)])


def _draw_first_days(pattern: Ints, popularity: Floats, rng: Randomness) -> Ints:
    """Most are there from the first day on, the most popular always; Christmas goods come late."""
    draw, items = rng.generator, len(pattern)
    is_new = draw.random(items) < _NEW_ITEM_SHARE
    day = np.where(is_new, draw.integers(1, _DAYS_IN_YEAR, items), 0)
    christmas_days = draw.integers(_CHRISTMAS_START, _CHRISTMAS_END, items)
    day = np.where(pattern == PATTERN_WORDS.index(CHRISTMAS_PATTERN), christmas_days, day)
    day[np.argmax(popularity)] = 0
    return day
