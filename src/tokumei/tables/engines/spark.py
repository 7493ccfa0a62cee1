"""Rows on an Apache Spark cluster.

    engine = SparkEngine()
    found = engine.frequencies(table, ["age", "sex"])   # the arrays that the local engine gives
    engine.recode(table, found, cells)                  # by a broadcast join

Only distinct tuples come to the driver. Their types are decided there as the local reader decides
them, so the frequencies, and with them what any method does, are those of the local engine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.files.column_types import typed
from tokumei.files.spark.files import SparkTable, quoted
from tokumei.tables.data.counted import COUNT
from tokumei.tables.data.table import simple_frame
from tokumei.tables.engines.counted import CountedEngine
from tokumei.tables.engines.protocol import Frequencies

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

KEY = "tokumei_key"
_ORDER, _SECRET, _GROUP = "tokumei_order", "tokumei_secret", "tokumei_group"
PRECISION = 0.02
"""The relative standard error of the estimated number of distinct tuples."""


@dataclass(frozen=True, eq=False)
class Tuples:
    """Distinct rows of some columns of a table on a cluster, here.

    `source` has the cells as they stand there and their key (text `1.0` and `1.00` apart), `cells`
    the same in their types, with counts; row i of one is row i of the other.
    """

    source: pl.DataFrame
    cells: pl.DataFrame
    beside: pl.DataFrame = field(default_factory=pl.DataFrame)
    """What else was asked of the rows of each tuple."""

    @property
    def rows(self) -> int:
        """How many rows of the table they stand for."""
        return int(self.cells[COUNT].sum())


@dataclass(frozen=True, eq=False)
class SparkFrequencies(Frequencies):
    """Frequencies, and what `recode` needs: `rows[i]` is the tuple of row i of `source`."""

    source: pl.DataFrame | None = None


@dataclass(frozen=True)
class SparkEngine:
    """Distributed rows; methods work on their distinct tuples."""

    name: ClassVar[str] = "spark"

    def tuples(
        self,
        table: SparkTable,
        columns: Sequence[str],
        *,
        key: Sequence[str] = (),
        beside: Mapping[str, Column] | None = None,
        most: int | None = None,
    ) -> Tuples:
        """The distinct tuples of `columns`, with counts and the key of `key` (default: all).

        `beside`: further aggregates of the rows of each tuple. If there are more than `most`
        tuples, any `most` + 1 of them.
        """
        from pyspark.sql import functions as f

        more = {name: column.alias(name) for name, column in (beside or {}).items()}
        counted = table.frame.groupBy([quoted(name) for name in columns]).agg(
            f.count("*").alias(COUNT), *more.values()
        )
        if most is not None:
            counted = counted.limit(most + 1)
        arrow = counted.withColumn(KEY, tuple_key(key or columns)).toArrow()
        found = pl.DataFrame(pl.from_arrow(arrow))
        cells = found.select(columns)
        cells = typed(cells) if table.is_text else simple_frame(cells)
        cells = cells.with_columns(found[COUNT])
        return Tuples(found.select(*columns, KEY), cells, found.select(*more))

    def frequencies(self, frame: SparkTable, columns: Sequence[str]) -> SparkFrequencies:
        """Distinct tuples of `columns` with counts."""
        tuples = self.tuples(frame, columns)
        found = CountedEngine().frequencies(tuples.cells, columns)
        return SparkFrequencies(**vars(found), source=tuples.source)

    def recode(
        self, frame: SparkTable, frequencies: Frequencies, cells: dict[str, pl.Series]
    ) -> SparkTable:
        """Replace columns: tuple t gets `cells[column][t]`."""
        if not isinstance(frequencies, SparkFrequencies) or frequencies.source is None:
            raise ValueError("these are not the frequencies of this frame")
        rows = pl.Series(frequencies.rows)
        new = {name: cell.gather(rows) for name, cell in cells.items()}
        return self.give(frame, frequencies.source, new)

    def give(
        self,
        table: SparkTable,
        source: pl.DataFrame,
        cells: Mapping[str, pl.Series],
        *,
        shuffle: Randomness | None = None,
    ) -> SparkTable:
        """Rows whose tuple is row i of `source` get `cells[column][i]`; the others are dropped.

        A join by hash key, or by the cells themselves if two tuples share a key. With `shuffle` in
        a random order: rows then travel with their key alone, and get their cells where they end.
        """
        columns = [name for name in source.columns if name != KEY]
        names, mapping = table.frame.columns, pl.DataFrame({_new(n): s for n, s in cells.items()})
        rows = table.frame.withColumn(KEY, tuple_key(columns))
        if shuffle is not None:
            rows = _dealt(rows, shuffle)
        if source[KEY].n_unique() == len(source):
            joined = rows.join(_broadcast(rows, mapping.with_columns(source[KEY])), KEY)
        else:
            olds = [source[name].alias(_old(name)) for name in columns]
            there = _broadcast(rows, mapping.with_columns(olds))
            same = [quoted(name).eqNullSafe(quoted(_old(name))) for name in columns]
            joined = rows.join(there, reduce(and_, same))
        if shuffle is not None:
            # Only here: Spark leaves out a sort that a join follows.
            joined = joined.sortWithinPartitions(_ORDER)
        chosen = [quoted(_new(n)).alias(n) if n in cells else quoted(n) for n in names]
        return table.with_frame(joined.select(chosen))

    def sample(self, table: SparkTable, share: float, *, rng: Randomness) -> SparkTable:
        """Each row with the given probability."""
        if share >= 1:
            return table
        seed = int(rng.integers(2**31, 1)[0])
        return table.with_frame(table.frame.sample(fraction=share, seed=seed))

    def group_apply(
        self,
        table: SparkTable,
        group: Column,
        work: Callable[[pl.DataFrame], pl.DataFrame],
        *,
        text: Sequence[str],
    ) -> SparkTable:
        """The rows that `work` makes of each group's rows, in the workers' Python.

        The columns stay; those in `text` become text.
        """
        from pyspark.sql.types import StringType, StructField, StructType

        fields = [
            StructField(field.name, StringType()) if field.name in text else field
            for field in table.frame.schema.fields
        ]
        rows = table.frame.withColumn(_GROUP, group).groupBy(_GROUP)
        made = rows.applyInArrow(_in_arrow(work, frozenset(text)), StructType(fields))
        return table.with_frame(made)

    def shuffle(self, table: SparkTable, *, rng: Randomness) -> SparkTable:
        """The rows in a random order, in files of a random share each."""
        rows = _dealt(table.frame, rng).sortWithinPartitions(_ORDER)
        return table.with_frame(rows.drop(_ORDER))


def _dealt(rows: DataFrame, rng: Randomness) -> DataFrame:
    """The rows in random partitions, with a random key by which to sort them there.

    The key of a row is a hash of its place and of a secret, so it can be computed again when
    a worker fails, and whoever learns some keys learns nothing of the others. The secret comes
    as data, because a plan is shown in logs.
    """
    from pyspark.sql import functions as f

    secret = rng.generator.bytes(32) if rng.seeded else os.urandom(32)
    there = rows.sparkSession.createDataFrame([(bytearray(secret),)], f"{_SECRET} binary")
    number = f.monotonically_increasing_id().cast("string").cast("binary")
    place = f.concat(f.col(_SECRET), number)  # within one block of SHA-256
    keyed = rows.crossJoin(f.broadcast(there)).withColumn(_ORDER, f.xxhash64(f.sha2(place, 256)))
    return keyed.drop(_SECRET).repartition(quoted(_ORDER))


def tuple_key(columns: Sequence[str]) -> Column:
    """A hash of the cells of a row; whether a cell is missing counts, too."""
    from pyspark.sql import functions as f

    cells = [quoted(name) for name in columns]
    return f.xxhash64(*cells, *(cell.isNull() for cell in cells))


def _in_arrow(
    work: Callable[[pl.DataFrame], pl.DataFrame], text: frozenset[str]
) -> Callable[[pa.Table], pa.Table]:
    def apply(rows: pa.Table) -> pa.Table:
        import pyarrow as pa

        found = work(pl.DataFrame(pl.from_arrow(rows)).drop(_GROUP)).to_arrow()
        kinds = [
            pa.string() if name in text else rows.schema.field(name).type
            for name in found.column_names
        ]
        return found.cast(pa.schema(list(zip(found.column_names, kinds, strict=True))))

    return apply


def _broadcast(rows: DataFrame, mapping: pl.DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    return f.broadcast(rows.sparkSession.createDataFrame(mapping.to_arrow()))


def _new(name: str) -> str:
    return f"tokumei_new_{name}"


def _old(name: str) -> str:
    return f"tokumei_old_{name}"
