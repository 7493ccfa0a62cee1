"""Profiles a table on a cluster: types by the first rows, personal data in all rows.

first = FirstRowsProfile.of(source)
scan = scan_columns(source, columns, like=first.like)    # counts, in the pass that counts all else
profile = first.search_all_rows(source, scan.cells)      # as `profile_sample` does in memory
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.files.spark.column_scan import first_rows_as_text
from tokumei.files.spark.table_files import SparkTable, column_by_name
from tokumei.tables.profiling.first_rows import PROFILED_ROWS, profile_sample

if TYPE_CHECKING:
    import pyarrow as pa

    from tokumei.tables.profiling.detection.embedded_pii import EmbeddedPii
    from tokumei.tables.profiling.profile import TableProfile

_HIT_SCHEMA = "place int, type string, cells bigint"


@dataclass(frozen=True)
class FirstRowsProfile:
    """What columns are by the first rows, and where personal data may stand further down."""

    found: TableProfile
    names: tuple[str, ...]

    @classmethod
    def of(cls, source: SparkTable) -> FirstRowsProfile:
        """A look at the first rows of a table."""
        from tokumei.tables.profiling.first_rows import may_contain_pii

        rows = first_rows_as_text(source, PROFILED_ROWS)
        profile = profile_sample(rows)
        names = tuple(column.name for column in profile.columns if may_contain_pii(column))
        return cls(profile, names if rows.height == PROFILED_ROWS else ())

    @property
    def like(self) -> dict[str, str]:
        """What cells of which columns may hold personal data, to be counted with other things."""
        from tokumei.tables.profiling.detection.embedded_pii import MAYBE_PII_PATTERN

        return dict.fromkeys(self.names, MAYBE_PII_PATTERN)

    def search_all_rows(self, source: SparkTable, cells: Mapping[str, int]) -> TableProfile:
        """What columns are by all rows; only columns with such `cells` are searched."""
        from tokumei.tables.profiling.first_rows import with_embedded_pii

        names = [name for name in self.names if cells.get(name)]
        if not names:
            return self.found
        with progress_bar(Message("looking for personal data in texts")):
            findings = _find_personal_data(source, names)
        profiled = self.found.columns
        columns = tuple(
            with_embedded_pii(column, findings.get(column.name, ())) for column in profiled
        )
        return replace(self.found, columns=columns)


def _find_personal_data(source: SparkTable, names: Sequence[str]) -> dict[str, list[EmbeddedPii]]:
    """Personal data by column, most frequent first; only what was found comes to the driver."""
    from pyspark.sql import functions as f

    from tokumei.tables.profiling.detection.embedded_pii import MAYBE_PII_PATTERN, EmbeddedPii

    cells = (
        f.struct(f.lit(index).alias("place"), column_by_name(name).cast("string").alias("text"))
        for index, name in enumerate(names)
    )
    texts = source.frame.select(f.explode(f.array(*cells)).alias("one")).select("one.*")
    hits = texts.where(f.col("text").rlike(MAYBE_PII_PATTERN)).mapInArrow(
        _search_batches, _HIT_SCHEMA
    )
    sums = hits.groupBy("place", "type").agg(f.sum("cells").alias("cells"))
    rows = sorted(sums.collect(), key=lambda row: -row["cells"])
    return {
        name: [EmbeddedPii(row["type"], row["cells"]) for row in rows if row["place"] == index]
        for index, name in enumerate(names)
    }


def _search_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What stands inside the cells of each batch, on a worker."""
    import pyarrow as pa

    from tokumei.tables.profiling.column_cells import ColumnCells
    from tokumei.tables.profiling.detection.embedded_pii import find_embedded_pii

    for batch in batches:
        rows = pl.DataFrame(pl.from_arrow(batch))
        findings = [
            (index, finding.type, finding.cells)
            for (index,), part in rows.group_by("place")
            for finding in find_embedded_pii(ColumnCells.of(part["text"]))
        ]
        types = pa.schema([("place", pa.int32()), ("type", pa.string()), ("cells", pa.int64())])
        columns = list(zip(*findings, strict=True)) or [(), (), ()]
        yield pa.RecordBatch.from_arrays(
            [pa.array(c, t.type) for c, t in zip(columns, types, strict=True)], schema=types
        )
