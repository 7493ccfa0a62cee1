"""Small random histories with random releases, kept as plain Python so that references are loops.

A number cell is (low, high), an item cell the tuple of its members, `*` is None; a deleted row is
None. Days count from START, prices are in cents. Cells need not hold the true value.

Hypothesis draws a seed only: cell by cell it takes several times as long as what is tested, and
prefers few, similar rows.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from tokumei.histories.data.generalized_history import (
    DELETED,
    GeneralHistory,
    IntervalCells,
    ItemSets,
)
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.measures.protocol import HistoryCase

START = date(2010, 12, 20)
ITEMS = ("i1", "i2", "i3", "i4", "i5")
FIELDS = {"day": 1, "item": 2, "price": 3, "quantity": 4}
STEPS = 64

Row = tuple[str, int, str, int, int]
Released = tuple[Any, ...] | None


@dataclass(frozen=True)
class Small:
    """Rows and what became of them."""

    rows: list[Row]
    released: list[Released]

    @property
    def case(self) -> HistoryCase:
        """The same as the library's objects, every row with cells of its own."""
        original = history(self.rows)
        names = list(dict.fromkeys(row[0] for row in self.left))
        person = [DELETED if row is None else names.index(row[0]) for row in self.released]
        spans = {name: self._spans(FIELDS[name]) for name in ("day", "price", "quantity")}
        released = GeneralHistory(
            np.array(person, dtype=np.int64),
            pl.Series(names, dtype=pl.String),
            item=self._item_sets(original.item_names.to_list()),
            **spans,
        )
        return HistoryCase(original, released)

    @property
    def left(self) -> list[tuple[Any, ...]]:
        """The rows that are not deleted."""
        return [row for row in self.released if row is not None]

    @property
    def customers(self) -> list[str]:
        """Customers by first appearance."""
        return list(dict.fromkeys(row[0] for row in self.rows))

    def pseudonym(self, customer: str) -> str | None:
        """The one in the customer's first row that is left."""
        pairs = zip(self.rows, self.released, strict=True)
        return next((new[0] for row, new in pairs if row[0] == customer and new is not None), None)

    def estimate(self, column: str, cell: tuple[int, int] | None) -> Fraction:
        """The middle, or the rounded mean of the middles there are."""
        if cell is not None:
            return Fraction(cell[0] + cell[1], 2)
        known = [row[FIELDS[column]] for row in self.left if row[FIELDS[column]] is not None]
        if not known:
            return Fraction(0)
        mean = sum(Fraction(low + high, 2) for low, high in known) / len(known)
        return Fraction(round(mean * STEPS), STEPS)

    def _codes(self) -> np.ndarray:
        code = [DELETED if row is None else at for at, row in enumerate(self.released)]
        return np.array(code, dtype=np.int64)

    def _spans(self, place: int) -> IntervalCells:
        cells = [None if row is None else row[place] for row in self.released]
        shift = (START - date(1970, 1, 1)).days if place == FIELDS["day"] else 0
        ends = np.array([cell or (0, 0) for cell in cells], dtype=np.int64) + shift
        star = np.array([cell is None for cell in cells])
        return IntervalCells(self._codes(), ends[:, 0], ends[:, 1], star)

    def _item_sets(self, names: list[str]) -> ItemSets:
        cells = [() if row is None else row[2] or () for row in self.released]
        names = names + sorted({item for cell in cells for item in cell} - set(names))
        members = [place for cell in cells for place in sorted(map(names.index, cell))]
        start = np.cumsum([0, *map(len, cells)])
        return ItemSets(
            self._codes(), start, np.array(members, dtype=np.int64), pl.Series("item", names)
        )

    def sales(self, row: tuple[Any, ...]) -> Fraction:
        """Estimated price times estimated quantity, in cents."""
        return self.estimate("price", row[3]) * self.estimate("quantity", row[4])


def history(rows: list[Row]) -> History:
    """Plain rows as a history."""
    read = [(row[0], day(row[1]), row[2], row[3] / 100, row[4]) for row in rows]
    return History.of(pl.DataFrame(read, schema=list(COLUMNS), orient="row"))


def day(number: int) -> date:
    """The date of a day's number."""
    return START + timedelta(days=number)


def unchanged(rows: list[Row]) -> list[Released]:
    """A release that says everything."""
    return [
        (f"1{row[0][1:]}", (row[1],) * 2, (row[2],), (row[3],) * 2, (row[4],) * 2) for row in rows
    ]


def row_lists(*, most: int = 12) -> st.SearchStrategy[list[Row]]:
    """Rows of few customers, with ties; some quantities are returns."""
    return st.integers(0, 2**32).map(lambda seed: _rows(random.Random(seed), most))


def releases(rows: list[Row]) -> st.SearchStrategy[Small]:
    """A random release of rows: one pseudonym per customer, any cells, some rows deleted."""
    return st.integers(0, 2**32).map(lambda seed: _release(rows, random.Random(seed)))


def smalls() -> st.SearchStrategy[Small]:
    """Random rows with a random release."""

    def make(seed: int) -> Small:
        chance = random.Random(seed)
        return _release(_rows(chance, 12), chance)

    return st.integers(0, 2**32).map(make)


def _rows(chance: random.Random, most: int) -> list[Row]:
    return [
        (
            f"c{chance.randint(1, 5)}",
            chance.randint(0, 50),
            chance.choice(ITEMS),
            chance.choice([0, 42, 85, 125, 30000]),
            chance.randint(-1, 5),
        )
        for _ in range(chance.randint(1, most))
    ]


def _release(rows: list[Row], chance: random.Random) -> Small:
    items = sorted({row[2] for row in rows} | {"never bought"})
    names = chance.sample([f"10{n}" for n in range(10)], 10)
    released: list[Released] = []
    for row in rows:
        spans = [_span(row[place], chance) for place in (1, 3, 4)]
        others = chance.sample(items, chance.randint(0, min(3, len(items))))
        cell = chance.choice([None, tuple(sorted(others or [row[2]]))])
        cells = (names[int(row[0][1:])], spans[0], cell, spans[1], spans[2])
        released.append(chance.choice([cells, cells, cells, None]))
    return Small(rows, released)


def _span(value: int, chance: random.Random) -> tuple[int, int] | None:
    around = (value - chance.randint(0, 40), value + chance.randint(0, 40))
    beside = (value + 2, value + 2 + chance.randint(0, 30))
    return chance.choice([(value, value), around, around, beside, None])
