"""Predicates taken from released rows, and how many people each of them is true of.

A predicate is a conjunction over some columns of one released row: the same value, a number at
least (above the median) or at most as large, or a value inside the cell. Those that are true of
exactly one released row are asked of people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.tables.audit.columns import Column
from tokumei.tables.audit.seen import Bits, Distinct

MOST = 200_000
"""Predicates of all sets of columns that are tried where each costs a look at everybody."""
MOST_PAIRS = 200_000_000
BLOCK = 256


@dataclass(frozen=True, eq=False)
class Asked:
    """Predicates by the released row they come from; of how many people each is true, and of whom.

    `who` is some person of whom it is true (−1: nobody), on each side. `every`: none was left out.
    """

    row: np.ndarray
    counts: tuple[np.ndarray, np.ndarray]
    who: tuple[np.ndarray, np.ndarray]
    every: bool = True


def ask(
    columns: Sequence[Column],
    people: int,
    *,
    boxes: bool,
    generator: np.random.Generator,
    sets: int = 1,
) -> Asked:
    """All predicates of a set of columns; the first `people` known ones are one side.

    `boxes`: every cell is taken for what it covers, numbers as well. `sets`: how many sets of
    columns share what may be tried.
    """
    ranged = [] if boxes else [column for column in columns if column.numeric]
    if not any(column.general for column in columns) and len(ranged) <= 1:
        return _counted(columns, ranged, people)
    return _searched(columns, ranged, people, MOST // sets, generator)


def directions(column: Column) -> np.ndarray:
    """For every cell whether the predicate is `at least` (1), `at most` (−1) or `equal` (0)."""
    numbers = column.cell_numbers
    shown = numbers[column.released]
    if np.isnan(shown).all():
        return np.zeros(len(numbers), dtype=np.int64)
    above = np.where(numbers > np.nanmedian(shown), 1, -1)
    return np.where(np.isnan(numbers), 0, above)


def _counted(columns: Sequence[Column], ranged: Sequence[Column], people: int) -> Asked:
    """By sorted keys: a number for the equal columns, and the place of the one number."""
    equal = [column for column in columns if column not in ranged]
    rows = len(columns[0].released)
    both = [np.concatenate([column.released, column.known]) for column in equal]
    group = Distinct.of(both, rows + len(columns[0].known)).place
    place, way, top, width = np.zeros(len(group), dtype=np.int64), np.zeros(rows), 0, 1
    if ranged:
        (column,) = ranged
        place = np.concatenate([column.released, column.known]).astype(np.int64)
        way = directions(column)[column.released]
        width = column.values
        top = int((~np.isnan(column.value_numbers)).sum()) - 1
    key = group * width + place
    # Asked in the order of the keys: neighbours are found at once, others far apart in the memory.
    order = np.argsort(key[:rows], kind="stable")
    own, at, way = key[:rows][order], place[:rows][order], way[order]
    low, high = own - np.where(way < 0, at, 0), own + np.where(way > 0, top - at, 0)
    alone = np.flatnonzero(_between(own, low, high)[0] == 1)
    alone = alone[np.argsort(order[alone])]
    low, high = low[alone], high[alone]
    sides = [_between(one, low, high) for one in (key[rows : rows + people], key[rows + people :])]
    return Asked(order[alone], (sides[0][0], sides[1][0]), (sides[0][1], sides[1][1]))


def _between(keys: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many keys lie from `low` to `high`, and the first that does (−1: none)."""
    order = np.argsort(keys, kind="stable")
    begin = np.searchsorted(keys[order], low, "left")
    count = np.searchsorted(keys[order], high, "right") - begin
    who = np.append(order, -1)[np.minimum(begin, len(order))]
    return count, np.where(count > 0, who, -1)


def _searched(
    columns: Sequence[Column],
    ranged: Sequence[Column],
    people: int,
    most: int,
    generator: np.random.Generator,
) -> Asked:
    """By bits, for at most so many released rows drawn at random."""
    shown = Distinct.of([column.released for column in columns], len(columns[0].released))
    rows = shown.first[shown.times == 1]
    if ranged:
        most = max(100, min(most, MOST_PAIRS // len(columns[0].released)))
    every = len(rows) <= most
    if not every:
        rows = np.sort(generator.choice(rows, most, replace=False))
    if ranged:
        counts = _matches(columns, ranged, rows, [column.released for column in columns])[0]
        rows = rows[counts == 1]
    sides = [
        _matches(columns, ranged, rows, [column.known[part] for column in columns])
        for part in (slice(None, people), slice(people, None))
    ]
    return Asked(rows, (sides[0][0], sides[1][0]), (sides[0][1], sides[1][1]), every)


def _matches(
    columns: Sequence[Column],
    ranged: Sequence[Column],
    rows: np.ndarray,
    places: Sequence[np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """How many of some people (by their places) every row's predicate is true of, and the first."""
    counts, who = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), -1)
    tables = [Bits(column, own) for column, own in zip(columns, places, strict=True)]
    for begin in range(0, len(rows), BLOCK):
        part = rows[begin : begin + BLOCK]
        inside = [
            _ranged(one, part) if one.column in ranged else one.of(one.column.released[part])
            for one in tables
        ]
        bits = np.bitwise_and.reduce(inside, axis=0)
        counts[begin : begin + BLOCK] = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
        byte = (bits > 0).argmax(axis=1)
        first = np.unpackbits(bits[np.arange(len(bits)), byte][:, None], axis=1).argmax(axis=1)
        who[begin : begin + BLOCK] = byte * 8 + first
    return counts, np.where(counts > 0, who, -1)


def _ranged(table: Bits, rows: np.ndarray) -> np.ndarray:
    """Who has a number at least or at most as large as a row's."""
    column = table.column
    cells = column.released[rows]
    way, numbers = directions(column)[cells], column.cell_numbers[cells]
    own = column.value_numbers[table.people]
    with np.errstate(invalid="ignore"):
        inside = np.where((way > 0)[:, None], own >= numbers[:, None], own <= numbers[:, None])
    inside[way == 0] = np.isnan(own)
    return np.packbits(inside, axis=1)
