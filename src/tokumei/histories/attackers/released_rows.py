"""Distinct rows of a released history, and the known purchases that fit them.

Equal rows of one pseudonym are kept once with the number of `times` they occur, and pseudonyms
with the same row as often share it: k identical histories cost no more than one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.histories.attackers.protocol import require_few_pairs
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.generalized_history import GeneralHistory, IntervalCells, ItemSets
from tokumei.histories.data.history import NUMBERS, History

LOWEST, HIGHEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class ReleasedRows:
    """Distinct rows: ends of the numeric cells (rows × columns), the item set, how often.

    A `*` reaches from the lowest to the highest number; an empty item set stands for any item.
    `values` has the sets of every row for each further value that is like an item. `owners` has a
    one where a pseudonym (row) has the distinct row (column).
    """

    low: np.ndarray
    high: np.ndarray
    item_set: np.ndarray
    times: np.ndarray
    sets: ItemSets
    owners: csr_array
    pseudonyms: pl.Series
    values: Mapping[str, tuple[np.ndarray, ItemSets]] = field(default_factory=dict)

    @property
    def rows_per_pseudonym(self) -> np.ndarray:
        """How many released rows each pseudonym has."""
        return np.asarray(self.owners @ self.times)


def list_pseudonyms(public: pl.DataFrame) -> pl.Series:
    """The pseudonyms by first appearance."""
    people = public["customer"].cast(pl.String)
    return people.filter(people != SUPPRESSED_CELL).unique(maintain_order=True)


def parse_public_rows(public: pl.DataFrame, known: History) -> GeneralHistory:
    """The public text cells as arrays, items and prices in the terms of what is known."""
    rows = public.filter(pl.col("customer") != SUPPRESSED_CELL)
    require_few_pairs(rows["customer"].n_unique(), len(known.customers))
    return parse_general_history(rows, known)


def distinct_released_rows(general: GeneralHistory, *, numbers: bool = True) -> ReleasedRows:
    """The distinct rows of a release; without `numbers` by their items alone."""
    sets = {name: cells for name, cells in general.values.items() if isinstance(cells, ItemSets)}
    spanned = [*NUMBERS, *(name for name in general.values if name not in sets)]
    columns = [*spanned, *sets] if numbers else []
    codes = {name: general.cells(name).code for name in (*columns, "item")}
    frame = pl.DataFrame({"person": general.person} | codes).filter(pl.Series(general.kept))
    counted = frame.group_by(pl.all(), maintain_order=True).agg(pl.len().alias("times"))
    keys = [*codes, "times"]
    distinct = counted.select(keys).unique(maintain_order=True).with_row_index("place")
    place = counted.join(distinct, on=keys, how="left", maintain_order="left")["place"].to_numpy()
    ends = [
        _interval_ends(general.interval_cells(name), distinct, name, numbers) for name in spanned
    ]
    shape = (len(general.pseudonyms), distinct.height)
    owners = csr_array((np.ones(len(place)), (counted["person"].to_numpy(), place)), shape=shape)
    owners.sort_indices()
    return ReleasedRows(
        np.stack([low for low, _ in ends], axis=1),
        np.stack([high for _, high in ends], axis=1),
        distinct["item"].to_numpy(),
        distinct["times"].cast(pl.Int64).to_numpy(),
        general.item,
        owners,
        general.pseudonyms,
        {name: (distinct[name].to_numpy(), sets[name]) for name in sets if numbers},
    )


def _interval_ends(
    spans: IntervalCells, distinct: pl.DataFrame, name: str, numbers: bool
) -> tuple[np.ndarray, np.ndarray]:
    if not numbers:
        return np.full(distinct.height, LOWEST), np.full(distinct.height, HIGHEST)
    code = distinct[name].to_numpy()
    low, high = np.where(spans.star, LOWEST, spans.low), np.where(spans.star, HIGHEST, spans.high)
    return low[code], high[code]


_SAMPLE_ROWS = 1000
_BLOCK_WORK = 8_000_000
_BLOCK_PAIRS = 2_000_000


@dataclass(frozen=True, eq=False)
class ConsistencyBlock:
    """Counts of consistent known rows: `count[i]` of `customer[i]` for released row `row[i]`.

    The rows are `first` … `first + rows - 1` and `row` counts from `first`; pairs without a
    consistent row are left out.
    """

    first: int
    rows: int
    row: np.ndarray
    customer: np.ndarray
    count: np.ndarray


@dataclass(frozen=True, eq=False)
class _SortedKnownRows:
    """Known rows by item and one column, and all of them once more under the item "any".

    `sets`: the places of their further values that are like items.
    """

    values: np.ndarray
    sets: Mapping[str, np.ndarray]
    customer: np.ndarray
    keys: np.ndarray
    distinct: np.ndarray
    column: int
    any_item: int

    @classmethod
    def by(cls, known: History, column: int) -> _SortedKnownRows:
        values = np.stack([known.numbers(name) for name in known.number_columns], axis=1)
        distinct, rank = np.unique(values[:, column], return_inverse=True)
        any_item, width = len(known.item_names), len(distinct) + 1
        item = np.append(known.item_codes, np.full(known.rows, any_item))
        keys = item * width + np.tile(rank, 2)
        order = np.argsort(keys, kind="stable")
        rows = order % known.rows
        customer = known.customer_codes[rows]
        sets = {name: known.places(name)[rows] for name in known.set_values}
        return cls(values[rows], sets, customer, keys[order], distinct, column, any_item)

    def locate_rows(
        self, low: np.ndarray, high: np.ndarray, item: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where the rows of an item between two numbers begin, and how many they are."""
        base = item * (len(self.distinct) + 1)
        begin = np.searchsorted(self.keys, base + np.searchsorted(self.distinct, low))
        top = np.searchsorted(self.distinct, high, side="right")
        return begin, np.maximum(np.searchsorted(self.keys, base + top) - begin, 0)


def count_consistent_rows(released: ReleasedRows, known: History) -> Iterator[ConsistencyBlock]:
    """The counts, in blocks that bound the memory.

    A known row is consistent with a released one if its day, price and quantity lie inside the
    intervals and its item in the set, and so do further values. Known rows are kept sorted by item
    and one numeric column, so that for every item of a set only a stretch of them has to be looked
    at.
    """
    if not len(released.times):
        return
    rows = _most_selective_order(released, known)
    cost = _estimate_row_costs(released, known)
    borders = np.flatnonzero(np.diff(np.cumsum(cost) // _BLOCK_WORK)) + 1
    blocks: list[ConsistencyBlock] = []
    for part in np.split(np.arange(len(cost)), borders):
        blocks.append(_count_block(released, rows, part, len(known.customers)))
        if sum(len(block.row) for block in blocks) > _BLOCK_PAIRS:
            yield _join_blocks(blocks)
            blocks = []
    if blocks:
        yield _join_blocks(blocks)


def _count_block(
    released: ReleasedRows, rows: _SortedKnownRows, part: np.ndarray, customers: int
) -> ConsistencyBlock:
    row, item = _expand_item_sets(released, part, rows.any_item)
    low, high = released.low[part], released.high[part]
    begin, length = rows.locate_rows(low[row, rows.column], high[row, rows.column], item)
    row = np.repeat(row, length)
    place = np.arange(len(row)) + np.repeat(begin - (np.cumsum(length) - length), length)
    for column in range(low.shape[1]):
        stars = (low[:, column] == LOWEST) & (high[:, column] == HIGHEST)
        if column != rows.column and not stars.all():
            value = rows.values[place, column]
            matches = (low[row, column] <= value) & (value <= high[row, column])
            row, place = row[matches], place[matches]
    for name, (code, sets) in released.values.items():
        cell = code[part][row]
        matches = sets.contains(cell, rows.sets[name][place]) | (sets.sizes[cell] == 0)
        row, place = row[matches], place[matches]
    pairs = row * customers + rows.customer[place]
    counts = np.bincount(pairs, minlength=len(part) * customers)
    nonzero = np.flatnonzero(counts)
    return ConsistencyBlock(
        int(part[0]), len(part), nonzero // customers, nonzero % customers, counts[nonzero]
    )


def _join_blocks(blocks: list[ConsistencyBlock]) -> ConsistencyBlock:
    """Neighbouring blocks as one: fewer and larger steps for what follows."""
    first = blocks[0].first
    return ConsistencyBlock(
        first,
        sum(block.rows for block in blocks),
        np.concatenate([block.row + block.first - first for block in blocks]),
        np.concatenate([block.customer for block in blocks]),
        np.concatenate([block.count for block in blocks]),
    )


def _expand_item_sets(
    released: ReleasedRows, part: np.ndarray, any_item: int
) -> tuple[np.ndarray, np.ndarray]:
    """Every item of every row's set; strange items, which nobody bought, are left out."""
    item_set = released.item_set[part]
    size = released.sets.sizes[item_set]
    row = np.repeat(np.arange(len(part)), size)
    member_offset = np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)
    item = released.sets.members[released.sets.start[item_set][row] + member_offset]
    bought, stars = item < any_item, np.flatnonzero(size == 0)
    return np.append(row[bought], stars), np.append(item[bought], np.full(len(stars), any_item))


def _most_selective_order(released: ReleasedRows, known: History) -> _SortedKnownRows:
    """The known rows sorted by the column that leaves the fewest pairs, judged by a sample."""
    step = -(-len(released.times) // _SAMPLE_ROWS)
    part = np.arange(0, len(released.times), step)
    choices = [_SortedKnownRows.by(known, column) for column in range(released.low.shape[1])]
    row, item = _expand_item_sets(released, part, len(known.item_names))
    low, high = released.low[part][row], released.high[part][row]
    return min(
        choices,
        key=lambda rows: rows.locate_rows(low[:, rows.column], high[:, rows.column], item)[1].sum(),
    )


def _estimate_row_costs(released: ReleasedRows, known: History) -> np.ndarray:
    """An upper bound of the work for every row: its items, their known rows, the customers."""
    unknown_items = len(released.sets.names) - len(known.item_names)
    bought = np.bincount(known.item_codes, minlength=len(known.item_names) + unknown_items)
    total = np.concatenate([[0], np.cumsum(bought[released.sets.members])])
    pairs = np.diff(total[released.sets.start]) + released.sets.sizes
    pairs = np.where(released.sets.sizes == 0, known.rows, pairs)
    return np.asarray(pairs[released.item_set] + len(known.customers))
