"""How much known rows speak for each pseudonym of a month.

    table = column_table(columns[PRICE], shares)        # distinct known × distinct public values
    best, gain = find_gains(weights, month, rates, few, exact=True)
    counts, matched = count_bins(entries, shares)

Arguments are checked here; the sources of the compiled functions stand beside.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from tokumei.kernels.loading import load
from tokumei.kernels.threads import interruptible_ranges
from tokumei.kernels.validation import require_array, require_arrays, require_that

PRICE, USUAL_PRICE, QUANTITY, DAY, TIME = range(5)
"""The columns, in order. A public row's usual price is the median of its item's."""
ITEM = 5
"""The column of bins behind those: 1 if the items are equal."""
CANDIDATE_COUNT = 24
"""Pseudonyms looked at closely for each customer, however many there are."""
CLOSE_PAIRS = 200_000
"""So many pairs of customers and pseudonyms of a month are looked at closely if there are more."""
NEGLIGIBLE_WEIGHT = 0.02
"""Item and price that make a match fifty times less likely exclude it."""
CUSTOMERS_PER_STRETCH = 64
"""Customers at a stretch: in between, Ctrl-C is heard."""
START_ENTRIES = 1 << 16
"""Entries of lists at the start; more are made as needed."""


class Column(NamedTuple):
    """One column of one month: distinct values in ascending order, and every row's place there."""

    known: Annotated[np.ndarray, "float64[told]"]
    known_place: Annotated[np.ndarray, "int32[k] 0..told"]
    public: Annotated[np.ndarray, "float64[shown]"]
    public_place: Annotated[np.ndarray, "int32[p] 0..shown"]
    rarity: Annotated[np.ndarray, "float64[shown, edges+1]"]
    """1 / share of the known rows in the bin."""
    edges: Annotated[np.ndarray, "float64[edges]"]


class MonthRows(NamedTuple):
    """What does not change while the shares are learned."""

    public_item: Annotated[np.ndarray, "int64[p] 0..items"]
    item_rarity: Annotated[np.ndarray, "float64[items]"]
    pair: Annotated[np.ndarray, "int32[k] 0..pairs"]
    """Of every known row: its (item, price)."""
    pair_item: Annotated[np.ndarray, "int64[pairs] 0..items"]
    pair_price: Annotated[np.ndarray, "int64[pairs] 0.."]
    basket: Annotated[np.ndarray, "int32[k] 0..baskets"]
    """Of every known row: its (day, time)."""
    basket_day: Annotated[np.ndarray, "int64[baskets] 0.."]
    basket_time: Annotated[np.ndarray, "int64[baskets] 0.."]
    known_start: Annotated[np.ndarray, "int64[customers+1] 0..k+1"]
    public_start: Annotated[np.ndarray, "int64[pseudonyms+1] 0..p+1"]
    public_owner: Annotated[np.ndarray, "int32[p] 0..pseudonyms"]
    columns: tuple[Column, ...] = ()


class RowWeights(NamedTuple):
    """Lists of public rows by pair (item and price exclude most), and tables of other columns."""

    pair: Annotated[np.ndarray, "int32[k] 0..pairs"]
    first: Annotated[np.ndarray, "int64[pairs+1] 0..entries+1"]
    row: Annotated[np.ndarray, "int32[entries] 0..p"]
    weight: Annotated[np.ndarray, "float32[entries]"]
    quantity: Annotated[np.ndarray, "float32[quantities, shown_quantities]"]
    known_quantity: Annotated[np.ndarray, "int32[k] 0..quantities"]
    public_quantity: Annotated[np.ndarray, "int32[p] 0..shown_quantities"]
    day: Annotated[np.ndarray, "float32[days, shown_days]"]
    known_day: Annotated[np.ndarray, "int32[k] 0..days"]
    public_day: Annotated[np.ndarray, "int32[p] 0..shown_days"]
    time: Annotated[np.ndarray, "float32[times, shown_times]"]
    known_time: Annotated[np.ndarray, "int32[k] 0..times"]
    public_time: Annotated[np.ndarray, "int32[p] 0..shown_times"]


class Entries(NamedTuple):
    """Every known row of sure pairs against every row of its pseudonym."""

    known: Annotated[np.ndarray, "int64[n]"]
    bins: Annotated[np.ndarray, f"uint8[n, {ITEM + 1}] 0..bins"]
    rarity: Annotated[np.ndarray, "float64[n]"]
    company: Annotated[np.ndarray, "float64[n]"]
    """That of day and time alone, by the pseudonym's rows."""


class Desk(NamedTuple):
    """Room to compare one customer with one pseudonym."""

    rough: Annotated[np.ndarray, "float64[pseudonyms]"]
    taken: Annotated[np.ndarray, "int64[p]"]
    """The customer who last took a public row, while gains are rough."""
    scale: Annotated[np.ndarray, "float64[most_known]"]
    matched: Annotated[np.ndarray, "uint8[most_known]"]
    table: Annotated[np.ndarray, "float32[cells]"]
    """Of one side's rows × those of the other."""
    most: Annotated[np.ndarray, "float64[most_rows]"]
    order: Annotated[np.ndarray, "int64[most_rows]"]
    used: Annotated[np.ndarray, "uint8[most_rows]"]


class MatchRates(NamedTuple):
    """Share of the released rows that are known, and of the known rows that were deleted."""

    known: float
    deleted: float


def column_table(column: Column, shares: np.ndarray) -> np.ndarray:
    """The weight of every distinct known value against every distinct public one."""
    require_array("shares", shares, "float64[edges+1]", require_arrays(column))
    table = np.empty((len(column.known), len(column.public)), np.float32)
    kernel = load("match_likelihood")
    kernel.column_table(kernel.Column(*column), shares, table)
    return table


def pair_lists(
    month: MonthRows, price: np.ndarray, usual: np.ndarray, same_item: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every pair the public rows that may match it, and their weight by item and price.

    The lists of all pairs stand in one: where each begins, its rows, their weights. `price` and
    `usual` are the tables of these columns.
    """
    sizes = require_arrays(month)
    shown, other = month.columns[PRICE], month.columns[USUAL_PRICE]
    for column, table, name in ((shown, price, "price"), (other, usual, "usual")):
        column_sizes = require_arrays(column)
        require_that(column_sizes["p"] == sizes["p"], f"{name}: wrong number of public rows")
        require_array(name, table, "float32[told, shown]", column_sizes)
        require_array("pair_price", month.pair_price, "int64[pairs] 0..told", column_sizes)
    kernel = load("match_likelihood")
    places = price, shown.public_place, usual, other.public_place
    price_shares = np.bincount(shown.known_place, minlength=len(shown.known)) / len(
        shown.known_place
    )
    total = np.zeros(sizes["p"], np.float32)
    kernel.price_totals(price_shares, *places, total)
    first = np.zeros(sizes["pairs"] + 1, np.int64)
    size = max(START_ENTRIES, sizes["p"])
    row, weight, pair = np.empty(size, np.int32), np.empty(size, np.float32), 0
    items = month.pair_item, month.pair_price, month.public_item
    same = same_item * month.item_rarity
    while True:
        pair = kernel.pair_lists(
            *items, *places, total, same, 1 - same_item, NEGLIGIBLE_WEIGHT, pair, first, row, weight
        )
        if pair == sizes["pairs"]:
            return first, row[: first[-1]].copy(), weight[: first[-1]].copy()
        row, weight = np.append(row, np.empty_like(row)), np.append(weight, np.empty_like(weight))


def find_gains(
    weights: RowWeights, month: MonthRows, rates: MatchRates, most_rows: int, exact: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The best pseudonyms of every customer and their gains; exactly, or from `most_rows` rows.

    Among equal gains the first pseudonyms count as best, among equally sure rows the first.
    """
    sizes = require_arrays(weights, require_arrays(month))
    require_array("basket_day", month.basket_day, "int64[baskets] 0..days", sizes)
    require_array("basket_time", month.basket_time, "int64[baskets] 0..times", sizes)
    require_that(most_rows > 0, "most_rows: needs a row")
    for starts, rows in ((month.known_start, sizes["k"]), (month.public_start, sizes["p"])):
        good = starts[0] == 0 and starts[-1] == rows and (np.diff(starts) > 0).all()
        require_that(good, "starts: everybody needs a row")
    owner = np.repeat(np.arange(sizes["pseudonyms"]), np.diff(month.public_start))
    require_that((owner == month.public_owner).all(), "public_owner: rows are not in order")
    require_that((np.diff(weights.first) >= 0).all(), "first: lists are not in order")
    customers = sizes["customers"]
    width = min(max(CANDIDATE_COUNT, CLOSE_PAIRS // max(customers, 1)), sizes["pseudonyms"])
    best, gain = np.empty((customers, width), np.int32), np.empty((customers, width))
    kernel = load("match_likelihood")
    compiled_args = (
        kernel.RowWeights(*weights),
        kernel.MonthRows(*month[:-1]),
        kernel.Desk(*_allocate_desk(month)),
    )
    for begin, end in interruptible_ranges(customers, CUSTOMERS_PER_STRETCH):
        kernel.find_gains(*compiled_args, *rates, most_rows, exact, begin, end, best, gain)
    return best, gain


def _allocate_desk(month: MonthRows) -> Desk:
    known, public = (
        int(np.diff(starts).max()) for starts in (month.known_start, month.public_start)
    )
    most = max(known, public)
    return Desk(
        np.empty(len(month.public_start) - 1),
        np.full(len(month.public_item), -1),
        np.empty(known),
        np.empty(known, np.uint8),
        np.empty(known * public, np.float32),
        np.empty(most),
        np.empty(most, np.int64),
        np.empty(most, np.uint8),
    )


def count_bins(entries: Entries, shares: np.ndarray) -> tuple[np.ndarray, float]:
    """Expected counts of all bins over the matched rows, and how many rows are matched."""
    sizes: dict[str, int] = {}
    require_array("shares", shares, f"float64[{ITEM + 1}, bins]", sizes)
    sizes = require_arrays(entries, sizes)
    counts, weight = np.zeros(shares.shape), np.empty(sizes["n"])
    kernel = load("match_likelihood")
    return counts, float(
        kernel.add_expected_bin_counts(kernel.Entries(*entries), shares, counts, weight)
    )
