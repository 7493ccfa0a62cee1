"""The rows of a public file with their months, for rules that count months."""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.files.contest_faults import ROW
from tokumei.pseudonyms.data.rows import DELETED

_NEEDED = ("customer", "day", "item")


def public_months(submission: pl.DataFrame) -> pl.DataFrame:
    """Customer, item, row and month (counted from the year 0) of every row that has a day."""
    missing = [name for name in _NEEDED if name not in submission.columns]
    if missing:
        listed = ", ".join(missing)
        raise UsageError(
            f"a public history needs the columns {', '.join(_NEEDED)}; missing: {listed}",
            f"公開履歴には {', '.join(_NEEDED)} の列が必要です。ない列: {listed}",
        )
    day = pl.col("day").str.strptime(pl.Date, "%Y/%m/%d", strict=False)
    month = (day.dt.year().cast(pl.Int64) * 12 + day.dt.month() - 1).alias("month")
    rows = submission.select("customer", "item", month).with_row_index(ROW)
    return rows.filter((pl.col("customer") != DELETED) & pl.col("month").is_not_null())
