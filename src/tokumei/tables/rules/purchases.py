"""Who has which item, for mining rules: from a column of the people, or from their purchases."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.cells import canonical


def values_as_items(column: pl.Series, buyers: int = 1) -> tuple[np.ndarray, list[str]]:
    """`[person, item]` and the items: the values that at least so many people have."""
    cells = canonical(column)
    counts = cells.drop_nulls().alias("item").value_counts().filter(pl.col("count") >= buyers)
    items = counts["item"].sort().to_list()
    held = [(cells == item).fill_null(value=False).to_numpy() for item in items]
    return np.array(held, dtype=bool).reshape(len(items), len(column)).T, items


def bought_by(
    people: pl.Series, buyer: pl.Series, item: pl.Series, buyers: int = 1
) -> tuple[np.ndarray, list[str]]:
    """The same from purchases; buying twice is buying, and strangers' purchases do not count."""
    known = pl.DataFrame({"person": canonical(people)}).with_row_index("row")
    rows = pl.DataFrame({"person": canonical(buyer), "item": canonical(item)}).drop_nulls()
    pairs = rows.join(known, on="person").select("row", "item").unique()
    counts = pairs.group_by("item").len().filter(pl.col("len") >= buyers)
    items = counts["item"].sort().to_list()
    place = {name: at for at, name in enumerate(items)}
    found = np.zeros((len(people), len(items)), dtype=bool)
    for row, name in pairs.iter_rows():
        if name in place:
            found[row, place[name]] = True
    return found, items
