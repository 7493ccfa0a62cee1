"""Engine for rows on an Apache Spark cluster.

    engine = SparkEngine(table)
    found = engine.tuples(["age", "sex"])           # the arrays that the local engine gives
    engine.give(RecodedCells(found, cells))             # by a broadcast join

Only distinct tuples come to the driver. Their types are decided there as the local reader decides
them, so the frequencies, and with them what any method does, are those of the local engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.randomness import Randomness
from tokumei.core.release_terms import NO_TERMS
from tokumei.core.verification import require_verified
from tokumei.files.atomic_write import write_all
from tokumei.files.file_formats import detect_format
from tokumei.files.spark.distinct_tuples import KEY_COLUMN, DistinctTuples, count_tuples, hash_tuple
from tokumei.files.spark.gate_batches import candidate_batches
from tokumei.files.spark.session import SPARK_ENGINE, SparkPaths
from tokumei.files.spark.table_files import (
    SPARK_SUFFIXES,
    SparkTable,
    column_by_name,
    reread_spark_folder,
    write_spark_folder,
)
from tokumei.files.writing import text_output
from tokumei.release_gate.gate import require_clean_batches
from tokumei.tables.engines.local import CountedEngine
from tokumei.tables.engines.protocol import RecodedCells, SidecarFiles, TupleCounts, VerifyWritten

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

_ORDER, _SECRET, _GROUP = "tokumei_order", "tokumei_secret", "tokumei_group"
_NEW, _OLD = "tokumei_new_", "tokumei_old_"


@dataclass(frozen=True, eq=False)
class SparkTuples(TupleCounts):
    """Tuples whose `source` has a hash of the columns `hashed`."""

    hashed: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SparkEngine:
    """Distributed rows; methods work on their distinct tuples."""

    name: ClassVar[str] = SPARK_ENGINE

    table: SparkTable
    order: Randomness | None = field(default=None, repr=False)

    def tuples(self, columns: Sequence[str]) -> TupleCounts:
        """Distinct tuples of `columns` with counts."""
        return encode_tuples(count_tuples(self.table, columns))

    def give(self, recoded: RecodedCells) -> SparkEngine:
        """The rows with new cells; if they are to be shuffled, in a random order.

        A join by hash key, or by the cells themselves if two tuples share a key or it is of other
        columns. Rows that are shuffled travel with their key alone, and get their cells where they
        end.
        """
        old, cells = recoded.source_and_new_cells()
        on, names = [name for name in old.columns if name != KEY_COLUMN], self.table.frame.columns
        mapping = cells.select(pl.all().name.prefix(_NEW))
        rows = self.table.frame.withColumn(KEY_COLUMN, hash_tuple(on))
        if self.order is not None:
            rows = _shuffle_partitions(rows, self.order)
        by_key = isinstance(recoded.tuples, SparkTuples) and list(recoded.tuples.hashed) == on
        if by_key and old[KEY_COLUMN].n_unique() == len(old):
            joined = rows.join(
                _broadcast_mapping(rows, mapping.with_columns(old[KEY_COLUMN])), KEY_COLUMN
            )
        else:
            old_columns = [old[name].alias(_OLD + name) for name in on]
            broadcast_cells = _broadcast_mapping(rows, mapping.with_columns(old_columns))
            conditions = [
                column_by_name(name).eqNullSafe(column_by_name(_OLD + name)) for name in on
            ]
            joined = rows.join(broadcast_cells, reduce(and_, conditions))
        if self.order is not None:
            # Only here: Spark leaves out a sort that a join follows.
            joined = joined.sortWithinPartitions(_ORDER)
        columns = [
            column_by_name(_NEW + n).alias(n) if n in cells.columns else column_by_name(n)
            for n in names
        ]
        return SparkEngine(self.table.with_frame(joined.select(columns)))

    def without(self, names: Sequence[str]) -> SparkEngine:
        """The rows without some columns."""
        return replace(self, table=self.table.with_frame(self.table.frame.drop(*names)))

    def masked(self, rare: Mapping[str, pl.Series]) -> SparkEngine:
        """The rows, with `*` for some texts of some columns."""
        if not rare:
            return self
        from pyspark.sql import functions as f

        columns = [
            f.when(column_by_name(name).isin(rare[name].to_list()), f.lit(SUPPRESSED_CELL))
            .otherwise(column_by_name(name))
            .alias(name)
            if name in rare
            else column_by_name(name)
            for name in self.table.frame.columns
        ]
        return replace(self, table=self.table.with_frame(self.table.frame.select(columns)))

    def shuffled(self, rng: Randomness) -> SparkEngine:
        """The rows, to be given their cells in a random order."""
        return replace(self, order=rng)

    def in_random_order(self, rng: Randomness) -> SparkEngine:
        """The rows as they are in a random order, in files of a random share each."""
        rows = _shuffle_partitions(self.table.frame, rng).sortWithinPartitions(_ORDER)
        return SparkEngine(self.table.with_frame(rows.drop(_ORDER)))

    def write(
        self, path: str, sidecars: SidecarFiles, *, rows: int, sep: str, verify: VerifyWritten
    ) -> None:
        """Write to a hidden path, let what was written be verified, and only then rename.

        `path` gets a folder of files; a secret provenance stays on this machine.
        """
        form, frame = detect_format(path, SPARK_SUFFIXES), self.table.frame
        session = frame.sparkSession
        paths = SparkPaths(session)
        paths.require_new(path)
        with paths.staging_path(path) as hidden:
            with progress_bar(Message("writing")):
                write_spark_folder(frame, hidden, form, sep=sep)
            written_rows = reread_spark_folder(session, hidden, frame.columns, form, sep)
            verified = verify(SparkTable(written_rows, form, sep, path))
            require_verified(verified)
            terms = getattr(verified.release, "terms", NO_TERMS)
            require_clean_batches(candidate_batches(written_rows, terms), terms)
            if (secret := sidecars.secret) is not None:
                provenance_path = f"{secret}.provenance.json"
                write_all([text_output(sidecars.provenance, provenance_path, secret=True)])
            paths.write_text(sidecars.manifest, f"{path}.manifest.json")
            paths.publish(hidden, path, verified)


def encode_tuples(tuples: DistinctTuples) -> SparkTuples:
    """Tuples that were counted on the cluster, with what `give` needs."""
    columns = [name for name in tuples.source.columns if name != KEY_COLUMN]
    tuple_fields = vars(CountedEngine(tuples.cells).tuples(columns)) | {"source": tuples.source}
    return SparkTuples(**tuple_fields, hashed=tuples.hashed)


def group_apply(
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
    recoded_rows = rows.applyInArrow(_wrap_for_arrow(work, frozenset(text)), StructType(fields))
    return table.with_frame(recoded_rows)


def _shuffle_partitions(rows: DataFrame, rng: Randomness) -> DataFrame:
    """The rows in random partitions, with a random key by which to sort them there.

    The key of a row is a hash of its place and of a secret, so it can be computed again when
    a worker fails, and whoever learns some keys learns nothing of the others. The secret comes
    as data, because a plan is shown in logs.
    """
    from pyspark.sql import functions as f

    secret = rng.secret()
    secret_frame = rows.sparkSession.createDataFrame([(bytearray(secret),)], f"{_SECRET} binary")
    number = f.monotonically_increasing_id().cast("string").cast("binary")
    hashed_input = f.concat(f.col(_SECRET), number)  # within one block of SHA-256
    keyed = rows.crossJoin(f.broadcast(secret_frame)).withColumn(
        _ORDER, f.xxhash64(f.sha2(hashed_input, 256))
    )
    return keyed.drop(_SECRET).repartition(column_by_name(_ORDER))


def _wrap_for_arrow(
    work: Callable[[pl.DataFrame], pl.DataFrame], text: frozenset[str]
) -> Callable[[pa.Table], pa.Table]:
    def apply(rows: pa.Table) -> pa.Table:
        import pyarrow as pa

        result = work(pl.DataFrame(pl.from_arrow(rows)).drop(_GROUP)).to_arrow()
        kinds = [
            pa.string() if name in text else rows.schema.field(name).type
            for name in result.column_names
        ]
        return result.cast(pa.schema(list(zip(result.column_names, kinds, strict=True))))

    return apply


def _broadcast_mapping(rows: DataFrame, mapping: pl.DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    return f.broadcast(rows.sparkSession.createDataFrame(mapping.to_arrow()))
