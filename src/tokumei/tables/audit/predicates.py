"""Builds predicates from released rows, and counts the people who fulfil each.

A predicate is a conjunction over some columns of one released row: the same value, a number at
least (above the median) or at most as large, or a value inside the cell. Those that are true of
exactly one released row are asked of people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.tables.audit.attacker_view import CellBits, DistinctRows
from tokumei.tables.audit.released_columns import ReleasedColumn

MAX_PREDICATES = 200_000
"""Predicates of all sets of columns that are tried where each costs a look at everybody."""
MAX_PAIRS = 200_000_000
BLOCK_ROWS = 256


@dataclass(frozen=True, eq=False)
class PredicateCounts:
    """Predicates by the released row they come from; of how many people each is true, and of whom.

    `who` is some person of whom it is true (−1: nobody), on each side. `every`: none was left out.
    """

    row: np.ndarray
    counts: tuple[np.ndarray, np.ndarray]
    who: tuple[np.ndarray, np.ndarray]
    every: bool = True


def count_predicates(
    columns: Sequence[ReleasedColumn],
    people: int,
    *,
    boxes: bool,
    generator: np.random.Generator,
    sets: int = 1,
) -> PredicateCounts:
    """All predicates of a set of columns; the first `people` known ones are one side.

    `boxes`: every cell is taken for what it covers, numbers as well. `sets`: how many sets of
    columns share what may be tried.
    """
    range_columns = [] if boxes else [column for column in columns if column.numeric]
    if not any(column.general for column in columns) and len(range_columns) <= 1:
        return _count_by_keys(columns, range_columns, people)
    return _count_by_bits(columns, range_columns, people, MAX_PREDICATES // sets, generator)


def predicate_directions(column: ReleasedColumn) -> np.ndarray:
    """For every cell whether the predicate is `at least` (1), `at most` (−1) or `equal` (0)."""
    numbers = column.cell_numbers
    released_numbers = numbers[column.released]
    if np.isnan(released_numbers).all():
        return np.zeros(len(numbers), dtype=np.int64)
    direction = np.where(numbers > np.nanmedian(released_numbers), 1, -1)
    return np.where(np.isnan(numbers), 0, direction)


def _count_by_keys(
    columns: Sequence[ReleasedColumn], range_columns: Sequence[ReleasedColumn], people: int
) -> PredicateCounts:
    """By sorted keys: a number for the equal columns, and the place of the one number."""
    equal = [column for column in columns if column not in range_columns]
    rows = len(columns[0].released)
    joint_codes = [np.concatenate([column.released, column.known]) for column in equal]
    group = DistinctRows.of(joint_codes, rows + len(columns[0].known)).place
    place, direction, last_position, width = (
        np.zeros(len(group), dtype=np.int64),
        np.zeros(rows),
        0,
        1,
    )
    if range_columns:
        (column,) = range_columns
        place = np.concatenate([column.released, column.known]).astype(np.int64)
        direction = predicate_directions(column)[column.released]
        width = column.values
        last_position = int((~np.isnan(column.value_numbers)).sum()) - 1
    key = group * width + place
    # Asked in the order of the keys: neighbours are found at once, others far apart in the memory.
    order = np.argsort(key[:rows], kind="stable")
    row_keys, row_position, direction = key[:rows][order], place[:rows][order], direction[order]
    low, high = (
        row_keys - np.where(direction < 0, row_position, 0),
        row_keys + np.where(direction > 0, last_position - row_position, 0),
    )
    unique_rows = np.flatnonzero(_count_between(row_keys, low, high)[0] == 1)
    unique_rows = unique_rows[np.argsort(order[unique_rows])]
    low, high = low[unique_rows], high[unique_rows]
    side_counts = [
        _count_between(side_keys, low, high)
        for side_keys in (key[rows : rows + people], key[rows + people :])
    ]
    return PredicateCounts(
        order[unique_rows],
        (side_counts[0][0], side_counts[1][0]),
        (side_counts[0][1], side_counts[1][1]),
    )


def _count_between(
    keys: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How many keys lie from `low` to `high`, and the first that does (−1: none)."""
    order = np.argsort(keys, kind="stable")
    begin = np.searchsorted(keys[order], low, "left")
    count = np.searchsorted(keys[order], high, "right") - begin
    first_person = np.append(order, -1)[np.minimum(begin, len(order))]
    return count, np.where(count > 0, first_person, -1)


def _count_by_bits(
    columns: Sequence[ReleasedColumn],
    range_columns: Sequence[ReleasedColumn],
    people: int,
    max_rows: int,
    generator: np.random.Generator,
) -> PredicateCounts:
    """By bits, for at most so many released rows drawn at random."""
    distinct_released = DistinctRows.of(
        [column.released for column in columns], len(columns[0].released)
    )
    rows = distinct_released.first[distinct_released.times == 1]
    if range_columns:
        max_rows = max(100, min(max_rows, MAX_PAIRS // len(columns[0].released)))
    every = len(rows) <= max_rows
    if not every:
        rows = np.sort(generator.choice(rows, max_rows, replace=False))
    if range_columns:
        counts = _count_matching_rows(
            columns, range_columns, rows, [column.released for column in columns]
        )[0]
        rows = rows[counts == 1]
    side_counts = [
        _count_matching_rows(
            columns, range_columns, rows, [column.known[part] for column in columns]
        )
        for part in (slice(None, people), slice(people, None))
    ]
    return PredicateCounts(
        rows, (side_counts[0][0], side_counts[1][0]), (side_counts[0][1], side_counts[1][1]), every
    )


def _count_matching_rows(
    columns: Sequence[ReleasedColumn],
    range_columns: Sequence[ReleasedColumn],
    rows: np.ndarray,
    places: Sequence[np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """How many of some people (by their places) every row's predicate is true of, and the first."""
    counts, first_person = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), -1)
    tables = [
        CellBits(column, people_codes) for column, people_codes in zip(columns, places, strict=True)
    ]
    for begin in range(0, len(rows), BLOCK_ROWS):
        block_rows = rows[begin : begin + BLOCK_ROWS]
        predicate_bits = [
            _range_bits(bit_table, block_rows)
            if bit_table.column in range_columns
            else bit_table.of(bit_table.column.released[block_rows])
            for bit_table in tables
        ]
        bits = np.bitwise_and.reduce(predicate_bits, axis=0)
        counts[begin : begin + BLOCK_ROWS] = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
        byte = (bits > 0).argmax(axis=1)
        first = np.unpackbits(bits[np.arange(len(bits)), byte][:, None], axis=1).argmax(axis=1)
        first_person[begin : begin + BLOCK_ROWS] = byte * 8 + first
    return counts, np.where(counts > 0, first_person, -1)


def _range_bits(table: CellBits, rows: np.ndarray) -> np.ndarray:
    """Who has a number at least or at most as large as a row's."""
    column = table.column
    cells = column.released[rows]
    direction, numbers = predicate_directions(column)[cells], column.cell_numbers[cells]
    people_numbers = column.value_numbers[table.people]
    with np.errstate(invalid="ignore"):
        is_inside = np.where(
            (direction > 0)[:, None],
            people_numbers >= numbers[:, None],
            people_numbers <= numbers[:, None],
        )
    is_inside[direction == 0] = np.isnan(people_numbers)
    return np.packbits(is_inside, axis=1)
