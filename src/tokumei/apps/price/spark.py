"""Finds the recoding of highest value for people whose rows are on a cluster.

    with spark_session("spark://host:7077") as session:
        people = SparkPriceSession(read_spark_table(session, "hdfs:///people.parquet"), prices)
        answer = people.session.ask(Question(k=5))
        save_on_spark(people.release(answer), "hdfs:///released.parquet")

Distinct tuples of the priced attributes come to the driver, where the same search works as on one
machine; the cluster recodes the rows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from tokumei.apps.price.build_problem import select_priced_columns
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.recoding import RecodedTuples
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.core.errors import InputError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.randomness import Randomness
from tokumei.files.column_types import to_csv_text
from tokumei.files.spark.column_scan import (
    ColumnScan,
    cast_columns,
    scan_and_count_tuples,
    scan_columns,
)
from tokumei.files.spark.distinct_tuples import DistinctTuples, digest_rows
from tokumei.files.spark.table_files import SparkTable
from tokumei.tables.anonymization.spark import DRIVER_TUPLES, SparkRelease
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.engines.spark import SparkEngine, encode_tuples


class SparkPriceSession:
    """People on a cluster, counted by the attributes of a price list; `session` answers."""

    def __init__(
        self, table: SparkTable, prices: PriceList, *, columns: Sequence[str] | None = None
    ) -> None:
        """Count them; fails if their distinct tuples do not fit the driver."""
        self.table = table
        priced = select_priced_columns(table.frame.columns, prices, columns)
        with progress_bar(Message("counting tuples")):
            self.look, tuples = scan_and_count_tuples(table, priced, most=DRIVER_TUPLES)
        self._tuples = encode_tuples(_require_few_tuples(self.look, tuples))
        self.session = PriceSession(self._tuples.cells, prices, columns=priced)

    def release(
        self,
        price_answer: PriceAnswer,
        *,
        seed: int | None = None,
        keep: Sequence[str] = (),
        keep_order: bool = False,
        starred: bool = False,
        as_text: bool = False,
    ) -> SparkRelease:
        """The people recoded as the best answer says; `save_on_spark` verifies and writes them.

        `decode_categories`: cells as they stand in a CSV file.
        """
        recoded_tuples = self.session.words(price_answer, starred=starred)
        released_columns = {*recoded_tuples.released, *keep}
        table = self.table if as_text else self._with_types(keep)
        engine = SparkEngine(table)
        if not keep_order:
            rng = Randomness(seed)
            if rng.seeded:
                rng = rng.bound_to(
                    digest_rows(self.table.frame), recoded_tuples.step, sorted(released_columns)
                )
            engine = engine.shuffled(rng.child("shuffle"))
        cells = self._kept_cells(recoded_tuples, released_columns, as_text=as_text)
        recoded_engine = engine.give(RecodedCells(self._tuples, cells, recoded_tuples.kept))
        names = [name for name in table.frame.columns if name in released_columns]
        rows = recoded_engine.without(
            [name for name in table.frame.columns if name not in released_columns]
        )
        k = price_answer.question.k
        claims = (
            (Claim("k-anonymity", {"k": k, "columns": [*recoded_tuples.released]}),)
            if k >= 2
            else ()
        )
        counts = int(self._tuples.counts[recoded_tuples.kept].sum())
        schema = Schema(tuple(_schema_column(name, recoded_tuples.released) for name in names))
        provenance = Provenance((recoded_tuples.step,), None, seed)
        return SparkRelease(rows, schema, counts, claims, provenance, self.look.rows)

    def _kept_cells(
        self, recoded_tuples: RecodedTuples, released_columns: Collection[str], *, as_text: bool
    ) -> dict[str, pl.Series]:
        """The cells of the tuples that are kept: new ones, or the values that they had.

        Values, not their text: people who are 1.0 and 1.00 years old were counted as equal.
        """
        priced = self.session.columns
        unchanged = [
            name for name in priced if name in released_columns and name not in recoded_tuples.cells
        ]
        values = self._tuples.cells[recoded_tuples.kept].select(unchanged)
        return {**recoded_tuples.cells, **(to_csv_text(values) if as_text else values).to_dict()}

    def _with_types(self, keep: Sequence[str]) -> SparkTable:
        """The table with the columns that are not priced, but kept, in their types."""
        names = [column for column in self.table.frame.columns if column in keep]
        names = [column for column in names if column not in self.session.columns]
        if not names:
            return self.table
        return cast_columns(self.table, scan_columns(self.table, names, types=names).types)


def _schema_column(name: str, qi: Sequence[str]) -> Column:
    return Column(name, Role.QI if name in qi else Role.OTHER, ColumnKind.CATEGORY)


def _require_few_tuples(look: ColumnScan, tuples: DistinctTuples | None) -> DistinctTuples:
    if not look.rows:
        raise InputError("there are no rows to count")
    if tuples is None:
        raise InputError(
            "about {tuples:,} distinct tuples; the driver can hold {limit:,}: price fewer "
            "attributes (--columns)",
            tuples=look.tuples,
            limit=DRIVER_TUPLES,
        )
    return tuples
