"""Item → category.

categories = Categories("file", {"85123A": "雑貨", "22423": "キッチン用品"})
categories.sizes()      # {"雑貨": 1, "キッチン用品": 1}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.text import Text


@dataclass(frozen=True, eq=False)
class Categories:
    """A category for every item, and the way they were made (`name`)."""

    name: str
    of: Mapping[str, str]

    def sizes(self) -> dict[str, int]:
        """Items per category, largest first, equal sizes by name."""
        counts = Counter(self.of.values())
        return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))

    def share(self, category: str) -> float:
        """The part of all items that `category` holds; 0 for a category without items."""
        return self.sizes().get(category, 0) / max(len(self.of), 1)

    def frame(self) -> pl.DataFrame:
        """Columns `item`, `category`, sorted by item: what a mapping file holds."""
        items = sorted(self.of)
        columns = {"item": items, "category": [self.of[item] for item in items]}
        return pl.DataFrame(columns, schema={"item": pl.String, "category": pl.String})


def is_nested(fine: Categories, coarse: Categories) -> bool:
    """Whether items that share a category of `fine` always share one of `coarse` too."""
    above: dict[str, str | None] = {}
    return fine.of.keys() == coarse.of.keys() and all(
        above.setdefault(category, coarse.of[item]) == coarse.of[item]
        for item, category in fine.of.items()
    )


def require_columns(frame: pl.DataFrame, names: Sequence[str], what: Text) -> None:
    """Fail unless a frame has the named columns, all of them text."""
    missing = [name for name in names if frame.schema.get(name) not in (pl.String, pl.Null)]
    if missing:
        listed = ", ".join(missing)
        raise InputError(
            f"{what.en} must have text in the columns {', '.join(names)}; these do not: {listed}",
            f"{what.ja}の列 {', '.join(names)} は文字列です。違う列: {listed}",
        )
