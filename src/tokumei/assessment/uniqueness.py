"""Who is unlike everybody else in the release, and which columns make it so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tokumei.tables.data.column_encoding import number_tuples

MAX_NAMED_COLUMNS = 3


@dataclass(frozen=True)
class Uniqueness:
    """How many people (rows) share all released cells with nobody else.

    `without` says how many remain if a column is left out; `by` the few columns that make most of
    them unique, with how many they do alone.
    """

    unique: int
    without: dict[str, int]
    by: list[tuple[tuple[str, ...], int]]

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "unique": self.unique,
            "without": self.without,
            "by": [{"columns": list(columns), "unique": count} for columns, count in self.by],
        }


def measure_uniqueness(columns: Mapping[str, np.ndarray], people: np.ndarray) -> Uniqueness:
    """Uniqueness by the cell code of every released column."""
    names = list(columns)
    unique = count_unique(columns, names, people)
    without = {
        name: count_unique(columns, [other for other in names if other != name], people)
        for name in names
        if unique
    }
    by = name_telling_columns(columns, people) if unique else []
    return Uniqueness(unique, without, by)


def name_telling_columns(
    columns: Mapping[str, np.ndarray], people: np.ndarray
) -> list[tuple[tuple[str, ...], int]]:
    """One, two, three columns, each time with the one that makes most people unique."""
    names, chosen = list(columns), list[str]()
    found = list[tuple[tuple[str, ...], int]]()
    unique = count_unique(columns, names, people)
    while len(chosen) < min(MAX_NAMED_COLUMNS, len(names)) and (not found or found[-1][1] < unique):
        counts = {
            name: count_unique(columns, [*chosen, name], people)
            for name in names
            if name not in chosen
        }
        best = max(counts, key=lambda name: (counts[name], -names.index(name)))
        chosen.append(best)
        found.append((tuple(chosen), counts[best]))
    return found


def count_unique(columns: Mapping[str, np.ndarray], names: list[str], people: np.ndarray) -> int:
    """People with a row whose cells no row of anybody else has."""
    if not len(people):
        return 0
    classes = np.zeros(len(people), dtype=np.int64)
    if names:
        codes = [columns[name].astype(np.int64) for name in names]
        classes, _ = number_tuples(codes, [int(code.max()) + 1 for code in codes])
    count = int(people.max()) + 1
    if count == len(people):
        return int((np.bincount(classes) == 1).sum())
    pairs = np.unique(classes.astype(np.int64) * count + people)
    owners, persons = pairs // count, pairs % count
    is_alone = np.bincount(owners)[owners] == 1
    return len(np.unique(persons[is_alone]))
