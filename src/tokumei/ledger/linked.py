"""What a coalition learns that can tell which rows are of one person.

Joint k of p: |{p′ : c_i(p′) = c_i(p) for all i}|, over the people who are in all releases. A value
is certain if all people with the same classes have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.ledger.together import Together

SMALL = 4_000_000
"""So many possible numbers are counted in a table instead of being sorted."""


@dataclass(frozen=True, eq=False)
class Joint:
    """People grouped by all their classes: the number of everyone's group, and its size."""

    group: np.ndarray
    sizes: np.ndarray

    @property
    def k(self) -> np.ndarray:
        """Everyone's joint k."""
        return np.asarray(self.sizes[self.group])


@dataclass(frozen=True)
class Linked:
    """The figures of linked releases; shares are of the people in all of them."""

    people: int
    k_min: int | None
    k_median: float | None
    below: float
    below_people: int
    unique: float
    certain: float

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return dict(vars(self))


NOBODY = Linked(0, None, None, 0.0, 0, 0.0, 0.0)
"""The figures of nobody."""


def joint(columns: Sequence[np.ndarray]) -> Joint:
    """People grouped by several class numbers, which may be −1 (absent) as well."""
    group, count = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        size = int(column.max(initial=-1)) + 2
        group, count = dense(group * size + (column + 1), count * size)
    return Joint(group, np.bincount(group, minlength=count))


def dense(keys: np.ndarray, size: int) -> tuple[np.ndarray, int]:
    """The numbers 0, 1, … for keys below `size`, and how many there are."""
    if size <= max(SMALL, 2 * len(keys)):
        table = np.zeros(size, dtype=bool)
        table[keys] = True
        places = np.cumsum(table, dtype=np.int64) - 1
        return places[keys], int(places[-1]) + 1 if size else 0
    order = np.argsort(keys)
    ordered = keys[order]
    new = np.ones(len(keys), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    found = np.empty(len(keys), dtype=np.int64)
    found[order] = np.cumsum(new) - 1
    return found, int(new.sum())


def same_value(found: Joint, values: np.ndarray) -> np.ndarray:
    """For everyone, whether all of the group have one value."""
    first = np.zeros(len(found.sizes), dtype=values.dtype)
    first[found.group] = values
    other = np.zeros(len(found.sizes), dtype=bool)
    other[found.group[first[found.group] != values]] = True
    return np.asarray(~other[found.group])


def linked_figures(all_: Together, chosen: Sequence[int], k: int | None, sensitive: int) -> Linked:
    """Of the people in all of the chosen releases; `sensitive`: how many columns are."""
    people = np.flatnonzero(all_.present(chosen))
    if not len(people):
        return NOBODY
    found = joint([all_.classes[people, one] for one in chosen])
    certain = np.zeros(len(people), dtype=bool)
    for column in range(sensitive):
        certain |= same_value(found, all_.own(column, chosen[-1], people))
    return figures_of(found, k, certain)


def figures_of(found: Joint, k: int | None, certain: np.ndarray) -> Linked:
    """The figures of people who are grouped."""
    if not len(found.group):
        return NOBODY
    sizes = found.k
    below = int((sizes < (k or 2)).sum())
    return Linked(
        len(sizes),
        int(found.sizes.min()),
        float(np.median(sizes)),
        below / len(sizes),
        below,
        float((sizes == 1).mean()),
        float(certain.mean()),
    )
