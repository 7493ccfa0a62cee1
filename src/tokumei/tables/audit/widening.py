"""Hierarchies made from the members' own values, widened by the values of other people.

Such a hierarchy (`auto`) knows no value that no member has; without one nobody could be compared
with the labels. What a label says decides: `{a;b}` lists its values and has no others, while
`a … f` and `[1;9]` hold what lies between two of their values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.notations import number
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaves import NULL_LEAVES, places

Key = tuple[float, str]
Row = tuple[str, ...]


def widened(
    hierarchies: Mapping[str, Hierarchy], members: pl.DataFrame, others: pl.DataFrame
) -> dict[str, Hierarchy]:
    """All of them; those that have exactly the members' values also with those of the others."""
    return {
        name: _widened(one, members[name], others[name]) if name in others.columns else one
        for name, one in hierarchies.items()
    }


def _widened(hierarchy: Hierarchy, members: pl.Series, others: pl.Series) -> Hierarchy:
    own = places(hierarchy.leaves, members.unique())
    if own.null_count() or own.n_unique() < len(hierarchy.leaves):
        return hierarchy  # It was not made from these members: a value without a leaf is an error.
    found = canonical(others.unique()).unique()
    missing = found.filter(places(hierarchy.leaves, found).is_null())
    if not len(missing):
        return hierarchy
    levels = zip(hierarchy.names, hierarchy.up, strict=True)
    rows = list(zip(*(names.gather(up) for names, up in levels), strict=True))
    leaves = sorted((_key(row[0]), row) for row in rows if row[0] not in NULL_LEAVES)
    added = [_row(value, leaves) for value in missing.sort().to_list()]
    return Hierarchy.of(hierarchy.column, [*rows, *added])


def _row(value: str | None, leaves: list[tuple[Key, Row]]) -> list[str]:
    """The labels of a value: those of both its neighbours, as far as these list no values."""
    text = "" if value is None else value
    place = bisect_left(leaves, (_key(text),))
    if value is None or not 0 < place < len(leaves):
        return [*[text] * (len(leaves[0][1]) - 1), "*"]
    both = zip(leaves[place - 1][1], leaves[place][1], strict=True)
    return [one if one == two and not one.startswith("{") else text for one, two in both]


def _key(text: str) -> Key:
    """Numbers and days in their order, before texts in theirs."""
    value = number(text)
    return (float("inf"), text) if np.isnan(value) else (value, "")
