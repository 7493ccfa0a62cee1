"""What a known point consists of: `item,day`, `item:2,month`, `day`.

- `day`, `week` (from Monday), `month`: the time of a purchase, ever coarser
- any column by its name: `item`, `price`, `quantity`, …
- `item:2`: the first two characters of a column
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text

MONDAY = 3
"""1 January 1970 was a Thursday, three days after a Monday."""
TIMES = {
    "day": pl.col("day"),
    "week": (pl.col("day").cast(pl.Int32) + MONDAY) // 7,
    "month": pl.col("day").dt.year().cast(pl.Int32) * 12 + pl.col("day").dt.month(),
}


def point_columns(purchases: pl.DataFrame, by: str) -> pl.DataFrame:
    """The columns of a point, as coarse as `by` says."""
    parts = list(dict.fromkeys(part.strip() for part in by.split(",") if part.strip()))
    if not parts:
        raise UsageError(
            "name what is known of a purchase, such as item,day",
            "item,day のように、購買の何を知っているかを指定してください",
        )
    return purchases.select(_column(purchases, part).alias(part) for part in parts)


def _column(purchases: pl.DataFrame, part: str) -> pl.Expr:
    name, colon, width = part.partition(":")
    others = [column for column in purchases.columns if column not in ("customer", *TIMES)]
    if name not in TIMES and name not in others:
        what = Text("column of a known point", "既知の点の列")
        raise UnknownNameError(what, name, [*TIMES, *others])
    if not colon:
        return TIMES.get(name, pl.col(name))
    if name in TIMES or not width.isdecimal() or int(width) < 1:
        raise UsageError(
            f"'{part}': write item:2 for the first two characters, day, week or month for time",
            f"'{part}': 先頭 2 文字は item:2、時間は day・week・month と書きます",
        )
    return pl.col(name).cast(pl.String).str.head(int(width))
