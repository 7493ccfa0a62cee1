"""Model of the noise between known and public values, learned from sure pairs.

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

from tokumei.kernels.match_likelihood import (
    DAY,
    ITEM,
    PRICE,
    QUANTITY,
    TIME,
    USUAL_PRICE,
    Column,
    Entries,
    MatchRates,
    MonthRows,
    RowWeights,
    column_table,
    count_bins,
    pair_lists,
)
from tokumei.pseudonyms.attackers.challenge import PublicAndKnownRows

_BACKGROUND_COUNT = 0.5  # added to every count of a background


def _symmetric_edges(*edges: float) -> np.ndarray:
    """Edges on both sides of nought."""
    return np.array([-edge for edge in reversed(edges)] + list(edges))


BIN_EDGES: tuple[np.ndarray, ...] = (
    _symmetric_edges(0.004, 0.02, 0.04, 0.06, 0.08, 0.10, 0.12, 0.2, 0.5, 1.0),  # log of the price
    _symmetric_edges(
        0.003, 0.01, 0.02, 0.03, 0.045, 0.07, 0.10, 0.15, 0.3, 0.6
    ),  # to the usual price
    _symmetric_edges(0.5, 1.5, 2.5, 5.5, 11.5, 24.5),  # quantity
    _symmetric_edges(0.5, 1.5, 2.5, 4.5, 9.5),  # days
    _symmetric_edges(0.5, 2.5, 10.5, 30.5, 60.5, 180.5),  # minutes
)
"""The bins of every column of `Side.values`; the middle one is "equal"."""

START_WIDTHS = (0.1, 0.1, 3.0, 5.0, 60.0)
"""Typical differences at the start, before anything is learned."""


def _build_column(known: np.ndarray, public: np.ndarray, edges: np.ndarray) -> Column:
    known_values, known_places = np.unique(known, return_inverse=True)
    public_values, public_places = np.unique(public, return_inverse=True)
    below = np.searchsorted(np.sort(known), public_values[:, None] + edges)
    zeros, totals = np.zeros((len(public_values), 1)), np.full((len(public_values), 1), len(known))
    counts = np.diff(np.hstack([zeros, below, totals]), axis=1) + _BACKGROUND_COUNT
    rarity = counts.sum(axis=1, keepdims=True) / counts
    return Column(
        known_values,
        known_places.astype(np.int32),
        public_values,
        public_places.astype(np.int32),
        rarity,
        edges,
    )


def initial_bin_shares() -> list[np.ndarray]:
    """How differences of true pairs are spread before anything is learned: nearer is likelier."""
    return [
        _initial_shares(edges, width) for edges, width in zip(BIN_EDGES, START_WIDTHS, strict=True)
    ]


def _initial_shares(edges: np.ndarray, width: float) -> np.ndarray:
    middle = np.concatenate([[edges[0] - 1], (edges[1:] + edges[:-1]) / 2, [edges[-1] + 1]])
    size = np.concatenate([[1], np.diff(edges), [1]])
    near = np.exp(-np.abs(middle) / width) * size
    shares = 0.4 * near / near.sum() + 0.2 / len(middle)
    shares[len(edges) // 2] += 0.4
    return np.asarray(shares)


def month_rows(sides: PublicAndKnownRows, month: int) -> MonthRows:
    """The rows of a month that has known and public ones."""
    known, public = sides.known.rows_of_month(month), sides.public.rows_of_month(month)
    values = zip(
        sides.known.values[:, known], sides.public.values[:, public], BIN_EDGES, strict=True
    )
    columns = tuple(
        _build_column(known_values, public_values, edges)
        for known_values, public_values, edges in values
    )
    item = sides.known.item[known]
    pair, (pair_item, pair_price) = _encode_pairs(item, columns[PRICE].known_place)
    basket, (day, time) = _encode_pairs(columns[DAY].known_place, columns[TIME].known_place)
    start = sides.public.starts(month)
    owner = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    rarity = 1 / np.maximum(sides.item_share, 1e-4)
    public_item = sides.public.item[public].copy()
    known_start = sides.known.starts(month)
    return MonthRows(
        public_item, rarity, pair, pair_item, pair_price, basket, day, time,
        known_start, start, owner, columns,
    )  # fmt: skip


def _encode_pairs(
    left: np.ndarray, right: np.ndarray
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Distinct pairs of codes, and every row's place among them."""
    width = int(right.max()) + 1
    distinct, place = np.unique(left.astype(np.int64) * width + right, return_inverse=True)
    return place.astype(np.int32), (distinct // width, distinct % width)


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


MAX_ENTRIES = 400_000
EM_ROUNDS = 6
_PSEUDO_COUNT = 0.2  # added to every learned count
_LEAST_RATE = 0.002
_MAX_CONTRADICTION = 0.5
COLUMN_COUNT = ITEM + 1
BIN_COUNT = max(len(edges) for edges in BIN_EDGES) + 1


@dataclass(frozen=True, eq=False)
class NoiseModel:
    """Shares of the bins of every column, the share of equal items, and the rates."""

    shares: list[np.ndarray]
    same_item: float
    rates: MatchRates

    @classmethod
    def start(cls, rates: MatchRates) -> NoiseModel:
        """Before anything is learned."""
        return cls(initial_bin_shares(), 0.9, _clip_rates(rates))

    def learned(
        self, sides: PublicAndKnownRows, months: Mapping[int, MonthRows], sure: np.ndarray
    ) -> NoiseModel:
        """The model that explains the sure pairs better; the same one without any."""
        if not len(sure):
            return self
        entries, known, public = _collect_entries(sides, months, sure, self.rates.deleted)
        table = np.zeros((COLUMN_COUNT, BIN_COUNT))
        sizes = [len(part) for part in self.shares] + [2]
        items = np.array([1 - self.same_item, self.same_item])
        for row, part in zip(table, [*self.shares, items], strict=True):
            row[: len(part)] = part
        matched = 0.0
        for _ in range(EM_ROUNDS):
            counts, matched = count_bins(entries, table)
            for row, counted, size in zip(table, counts, sizes, strict=True):
                row[:size] = counted[:size] + _PSEUDO_COUNT
                row /= row.sum()
        parts = [row[:size].copy() for row, size in zip(table, sizes, strict=True)]
        rates = MatchRates(matched / public, 1 - matched / known)
        return replace(
            self, shares=parts[:-1], same_item=float(parts[-1][1]), rates=_clip_rates(rates)
        )

    def told(self, rates: MatchRates) -> NoiseModel:
        """With the rates the files tell, unless what was learned contradicts them by half."""
        learned_rates = self.rates
        if all(
            _MAX_CONTRADICTION < a / b < 1 / _MAX_CONTRADICTION
            for a, b in zip(learned_rates, _clip_rates(rates), strict=True)
        ):
            return replace(self, rates=_clip_rates(rates))
        return self


def _clip_rates(rates: MatchRates) -> MatchRates:
    known = min(max(rates.known, 0.02), 1 - _LEAST_RATE)
    return MatchRates(float(known), float(min(max(rates.deleted, _LEAST_RATE), 0.9)))


def _collect_entries(
    sides: PublicAndKnownRows, months: Mapping[int, MonthRows], pairs: np.ndarray, deleted: float
) -> tuple[Entries, int, int]:
    """Entries of as many pairs as there is room for; how many known and public rows they have."""
    k_low, k_high = sides.known.start[pairs[:, 1]], sides.known.start[pairs[:, 1] + 1]
    p_low, p_high = sides.public.start[pairs[:, 2]], sides.public.start[pairs[:, 2] + 1]
    size = (k_high - k_low) * (p_high - p_low)
    order = np.lexsort((pairs[:, 1], p_high - p_low))
    order = order[np.cumsum(size[order]) <= max(MAX_ENTRIES, int(size[order[0]]))]
    entries = build_entries(sides, months, pairs[order], (1 - deleted) / deleted)
    return entries, int((k_high - k_low)[order].sum()), int((p_high - p_low)[order].sum())


def build_entries(
    sides: PublicAndKnownRows, months: Mapping[int, MonthRows], pairs: np.ndarray, odds: float
) -> Entries:
    """Every known row of the pairs against every public one, pair after pair."""
    pair, known, public, rows = _cross_pair_rows(sides, pairs)
    rarity, company = odds / rows, 1.0 / rows
    bins = np.empty((len(known), COLUMN_COUNT), np.uint8)
    month = pairs[pair, 0]
    rows_by_month = {
        month_number: np.flatnonzero(month == month_number) for month_number in np.unique(month)
    }
    for number, edges in enumerate(BIN_EDGES):
        difference = sides.known.values[number, known] - sides.public.values[number, public]
        place = np.searchsorted(edges, difference, side="right")
        rare = np.empty(len(known))
        for month_number, month_rows_here in rows_by_month.items():
            column = months[month_number].columns[number]
            row = public[month_rows_here] - sides.public.rows_of_month(month_number).start
            rare[month_rows_here] = column.rarity[column.public_place[row], place[month_rows_here]]
        rarity *= rare
        if number in (DAY, TIME):
            company *= rare
        bins[:, number] = place
    item = sides.known.item[known]
    same_item = item == sides.public.item[public]
    bins[:, ITEM] = same_item
    # The rarity of an item is the same in every month.
    rarity[same_item] *= next(iter(months.values())).item_rarity[item[same_item]]
    return Entries(known, bins, rarity, company)


def _cross_pair_rows(
    sides: PublicAndKnownRows, pairs: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of every two rows of a pair: the pair, known row, public row; the pair's public rows."""
    known_span, public_span = (
        (side.start[group], np.diff(side.start)[group])
        for side, group in ((sides.known, pairs[:, 1]), (sides.public, pairs[:, 2]))
    )
    size = known_span[1] * public_span[1]
    pair = np.repeat(np.arange(len(pairs)), size)
    place = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size)
    rows = public_span[1][pair]
    return pair, known_span[0][pair] + place // rows, public_span[0][pair] + place % rows, rows
