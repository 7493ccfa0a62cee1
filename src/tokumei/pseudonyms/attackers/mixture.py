"""How known and public values of a month are compared, and learned from sure pairs.

    month = month_rows(sides, 3)
    model = Model.start(rates)
    weights = row_weights(month, model.shares, model.same_item)
    model = model.learned(sides, months, sure)       # rows: month, known and public group

The difference known − public falls into a bin. A bin weighs how often the differences of true
pairs fall into it (`shares`, learned) against how often those of any known row of the month do:
a rare value that is equal weighs much, a day to which all rows were moved nothing.

In a sure pair each known row comes from one of the pseudonym's rows or from a deleted one. The
shares of the differences, of equal items and of deleted rows that explain this best are found by
a few rounds of weighing and counting (expectation–maximization). Pairs with few public rows come
first: they leave less doubt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tokumei.kernels.evidence import (
    DAY,
    ITEM,
    PRICE,
    QUANTITY,
    TIME,
    USUAL_PRICE,
    Column,
    Entries,
    MonthRows,
    Rates,
    RowWeights,
    column_table,
    count_bins,
    pair_lists,
)
from tokumei.pseudonyms.attackers.sides import Sides

_FEW = 0.5  # added to every count of a background


def _signed(*edges: float) -> np.ndarray:
    """Edges on both sides of nought."""
    return np.array([-edge for edge in reversed(edges)] + list(edges))


EDGES: tuple[np.ndarray, ...] = (
    _signed(0.004, 0.02, 0.04, 0.06, 0.08, 0.10, 0.12, 0.2, 0.5, 1.0),  # log of the price
    _signed(0.003, 0.01, 0.02, 0.03, 0.045, 0.07, 0.10, 0.15, 0.3, 0.6),  # to the usual price
    _signed(0.5, 1.5, 2.5, 5.5, 11.5, 24.5),  # quantity
    _signed(0.5, 1.5, 2.5, 4.5, 9.5),  # days
    _signed(0.5, 2.5, 10.5, 30.5, 60.5, 180.5),  # minutes
)
"""The bins of every column of `Side.values`; the middle one is "equal"."""

WIDTHS = (0.1, 0.1, 3.0, 5.0, 60.0)
"""Typical differences at the start, before anything is learned."""


def _column(known: np.ndarray, public: np.ndarray, edges: np.ndarray) -> Column:
    told, told_place = np.unique(known, return_inverse=True)
    shown, shown_place = np.unique(public, return_inverse=True)
    below = np.searchsorted(np.sort(known), shown[:, None] + edges)
    none, all_of = np.zeros((len(shown), 1)), np.full((len(shown), 1), len(known))
    counts = np.diff(np.hstack([none, below, all_of]), axis=1) + _FEW
    rarity = counts.sum(axis=1, keepdims=True) / counts
    return Column(
        told, told_place.astype(np.int32), shown, shown_place.astype(np.int32), rarity, edges
    )


def start_shares() -> list[np.ndarray]:
    """How differences of true pairs are spread before anything is learned: nearer is likelier."""
    return [_start(edges, width) for edges, width in zip(EDGES, WIDTHS, strict=True)]


def _start(edges: np.ndarray, width: float) -> np.ndarray:
    middle = np.concatenate([[edges[0] - 1], (edges[1:] + edges[:-1]) / 2, [edges[-1] + 1]])
    size = np.concatenate([[1], np.diff(edges), [1]])
    near = np.exp(-np.abs(middle) / width) * size
    shares = 0.4 * near / near.sum() + 0.2 / len(middle)
    shares[len(edges) // 2] += 0.4
    return np.asarray(shares)


def month_rows(sides: Sides, month: int) -> MonthRows:
    """The rows of a month that has known and public ones."""
    known, public = sides.known.rows(month), sides.public.rows(month)
    values = zip(sides.known.values[:, known], sides.public.values[:, public], EDGES, strict=True)
    columns = tuple(_column(told, shown, edges) for told, shown, edges in values)
    item = sides.known.item[known]
    pair, (pair_item, pair_price) = _pairs(item, columns[PRICE].known_place)
    basket, (day, time) = _pairs(columns[DAY].known_place, columns[TIME].known_place)
    start = sides.public.starts(month)
    owner = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    rarity = 1 / np.maximum(sides.item_share, 1e-4)
    public_item = sides.public.item[public].copy()
    known_start = sides.known.starts(month)
    return MonthRows(
        public_item, rarity, pair, pair_item, pair_price, basket, day, time,
        known_start, start, owner, columns,
    )  # fmt: skip


def _pairs(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Distinct pairs of codes, and every row's place among them."""
    wide = int(right.max()) + 1
    found, place = np.unique(left.astype(np.int64) * wide + right, return_inverse=True)
    return place.astype(np.int32), (found // wide, found % wide)


def row_weights(month: MonthRows, shares: list[np.ndarray], same_item: float) -> RowWeights:
    """The weights under these shares; `same_item`: how often a true pair's items are equal.

    How much likelier a known row is, given a public row it may come from: the product over item,
    price, quantity, day and time; its mean over the known rows of the month is about one. Item and
    price exclude most public rows, so every (item, price) pair of the known rows has a list of
    those that remain.
    """
    columns = month.columns
    tables = [column_table(col, part) for col, part in zip(columns, shares, strict=True)]
    lists = pair_lists(month, tables[PRICE], tables[USUAL_PRICE], same_item)
    rest = []
    for number in (QUANTITY, DAY, TIME):
        rest += [tables[number], columns[number].known_place, columns[number].public_place]
    return RowWeights(month.pair, *lists, *rest)


ENTRIES = 400_000
ROUNDS = 6
_UNSEEN = 0.2  # added to every learned count
_LEAST_RATE = 0.002
_HALF = 0.5
COLUMNS = ITEM + 1
BINS = max(len(edges) for edges in EDGES) + 1


@dataclass(frozen=True, eq=False)
class Model:
    """Shares of the bins of every column, the share of equal items, and the rates."""

    shares: list[np.ndarray]
    same_item: float
    rates: Rates

    @classmethod
    def start(cls, rates: Rates) -> Model:
        """Before anything is learned."""
        return cls(start_shares(), 0.9, _limited(rates))

    def learned(self, sides: Sides, months: Mapping[int, MonthRows], sure: np.ndarray) -> Model:
        """The model that explains the sure pairs better; the same one without any."""
        if not len(sure):
            return self
        entries, known, public = _collect(sides, months, sure, self.rates.deleted)
        table = np.zeros((COLUMNS, BINS))
        sizes = [len(part) for part in self.shares] + [2]
        items = np.array([1 - self.same_item, self.same_item])
        for row, part in zip(table, [*self.shares, items], strict=True):
            row[: len(part)] = part
        matched = 0.0
        for _ in range(ROUNDS):
            counts, matched = count_bins(entries, table)
            for row, counted, size in zip(table, counts, sizes, strict=True):
                row[:size] = counted[:size] + _UNSEEN
                row /= row.sum()
        parts = [row[:size].copy() for row, size in zip(table, sizes, strict=True)]
        rates = Rates(matched / public, 1 - matched / known)
        return replace(
            self, shares=parts[:-1], same_item=float(parts[-1][1]), rates=_limited(rates)
        )

    def told(self, rates: Rates) -> Model:
        """With the rates the files tell, unless what was learned contradicts them by half."""
        found = self.rates
        if all(_HALF < a / b < 1 / _HALF for a, b in zip(found, _limited(rates), strict=True)):
            return replace(self, rates=_limited(rates))
        return self


def _limited(rates: Rates) -> Rates:
    known = min(max(rates.known, 0.02), 1 - _LEAST_RATE)
    return Rates(float(known), float(min(max(rates.deleted, _LEAST_RATE), 0.9)))


def _collect(
    sides: Sides, months: Mapping[int, MonthRows], pairs: np.ndarray, deleted: float
) -> tuple[Entries, int, int]:
    """Entries of as many pairs as there is room for; how many known and public rows they have."""
    k_low, k_high = sides.known.start[pairs[:, 1]], sides.known.start[pairs[:, 1] + 1]
    p_low, p_high = sides.public.start[pairs[:, 2]], sides.public.start[pairs[:, 2] + 1]
    size = (k_high - k_low) * (p_high - p_low)
    order = np.lexsort((pairs[:, 1], p_high - p_low))
    order = order[np.cumsum(size[order]) <= max(ENTRIES, int(size[order[0]]))]
    entries = entries_of(sides, months, pairs[order], (1 - deleted) / deleted)
    return entries, int((k_high - k_low)[order].sum()), int((p_high - p_low)[order].sum())


def entries_of(
    sides: Sides, months: Mapping[int, MonthRows], pairs: np.ndarray, odds: float
) -> Entries:
    """Every known row of the pairs against every public one, pair after pair."""
    pair, known, public, rows = _every_two(sides, pairs)
    rarity, company = odds / rows, 1.0 / rows
    bins = np.empty((len(known), COLUMNS), np.uint8)
    month = pairs[pair, 0]
    here = {one: np.flatnonzero(month == one) for one in np.unique(month)}
    for number, edges in enumerate(EDGES):
        difference = sides.known.values[number, known] - sides.public.values[number, public]
        place = np.searchsorted(edges, difference, side="right")
        rare = np.empty(len(known))
        for one, where in here.items():
            column = months[one].columns[number]
            row = public[where] - sides.public.rows(one).start
            rare[where] = column.rarity[column.public_place[row], place[where]]
        rarity *= rare
        if number in (DAY, TIME):
            company *= rare
        bins[:, number] = place
    item = sides.known.item[known]
    same = item == sides.public.item[public]
    bins[:, ITEM] = same
    # The rarity of an item is the same in every month.
    rarity[same] *= next(iter(months.values())).item_rarity[item[same]]
    return Entries(known, bins, rarity, company)


def _every_two(
    sides: Sides, pairs: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of every two rows of a pair: the pair, known row, public row; the pair's public rows."""
    told, shown = (
        (side.start[group], np.diff(side.start)[group])
        for side, group in ((sides.known, pairs[:, 1]), (sides.public, pairs[:, 2]))
    )
    size = told[1] * shown[1]
    pair = np.repeat(np.arange(len(pairs)), size)
    place = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size)
    rows = shown[1][pair]
    return pair, told[0][pair] + place // rows, shown[0][pair] + place % rows, rows
