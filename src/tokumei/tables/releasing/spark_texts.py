"""A look at a table on a cluster: what columns are by the first rows, texts searched in all rows.

first = FirstLook.of(source)
look = look_at(source, columns, like=first.like)    # counts, in the pass that counts all else
found = first.searched(source, look.cells)          # as `looked_at` does of a table in memory
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.files.spark.files import SparkTable, quoted
from tokumei.files.spark.look import first_rows
from tokumei.tables.look.first_rows import LOOKED_AT, looked_at

if TYPE_CHECKING:
    import pyarrow as pa

    from tokumei.tables.look.embedded import Inside
    from tokumei.tables.look.result import Look

_FOUND = "place int, type string, cells bigint"


@dataclass(frozen=True)
class FirstLook:
    """What columns are by the first rows, and where personal data may stand further down."""

    found: Look
    names: tuple[str, ...]

    @classmethod
    def of(cls, source: SparkTable) -> FirstLook:
        """A look at the first rows of a table."""
        from tokumei.tables.look.look import is_searched

        first = first_rows(source, LOOKED_AT)
        found = looked_at(first)
        names = tuple(column.name for column in found.columns if is_searched(column))
        return cls(found, names if first.height == LOOKED_AT else ())

    @property
    def like(self) -> dict[str, str]:
        """What cells of which columns may hold personal data, to be counted with other things."""
        from tokumei.tables.look.embedded import PERHAPS

        return dict.fromkeys(self.names, PERHAPS)

    def searched(self, source: SparkTable, cells: Mapping[str, int]) -> Look:
        """What columns are by all rows; only columns with such `cells` are searched."""
        from tokumei.tables.look.look import holding

        names = [name for name in self.names if cells.get(name)]
        if not names:
            return self.found
        with meter(Text("looking for personal data in texts", "文章中の個人情報を探しています")):
            inside = _inside(source, names)
        there = self.found.columns
        columns = tuple(holding(column, inside.get(column.name, ())) for column in there)
        return replace(self.found, columns=columns)


def _inside(source: SparkTable, names: Sequence[str]) -> dict[str, list[Inside]]:
    """Personal data by column, most frequent first; only what was found comes to the driver."""
    from pyspark.sql import functions as f

    from tokumei.tables.look.embedded import PERHAPS, Inside

    cells = (
        f.struct(f.lit(place).alias("place"), quoted(name).cast("string").alias("text"))
        for place, name in enumerate(names)
    )
    texts = source.frame.select(f.explode(f.array(*cells)).alias("one")).select("one.*")
    hits = texts.where(f.col("text").rlike(PERHAPS)).mapInArrow(_found, _FOUND)
    sums = hits.groupBy("place", "type").agg(f.sum("cells").alias("cells"))
    rows = sorted(sums.collect(), key=lambda row: -row["cells"])
    return {
        name: [Inside(row["type"], row["cells"]) for row in rows if row["place"] == place]
        for place, name in enumerate(names)
    }


def _found(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What stands inside the cells of each batch, on a worker."""
    import pyarrow as pa

    from tokumei.tables.look.column_cells import ColumnCells
    from tokumei.tables.look.embedded import find_inside

    for batch in batches:
        rows = pl.DataFrame(pl.from_arrow(batch))
        found = [
            (place, one.type, one.cells)
            for (place,), part in rows.group_by("place")
            for one in find_inside(ColumnCells.of(part["text"]))
        ]
        types = pa.schema([("place", pa.int32()), ("type", pa.string()), ("cells", pa.int64())])
        columns = list(zip(*found, strict=True)) or [(), (), ()]
        yield pa.RecordBatch.from_arrays(
            [pa.array(c, t.type) for c, t in zip(columns, types, strict=True)], schema=types
        )
