"""The most valuable recoding of people whose rows are on a cluster.

    with spark_session("spark://host:7077") as session:
        people = PeopleOnSpark(read_spark(session, "hdfs:///people.parquet"), prices)
        asked = people.session.ask(Question(k=5))
        save_on_spark(people.release(asked), "hdfs:///released.parquet")

Distinct tuples of the priced attributes come to the driver, where the same search works as on one
machine; the cluster recodes the rows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text
from tokumei.files.column_types import as_written
from tokumei.files.spark.files import SparkTable
from tokumei.files.spark.look import Look, counted_look, look_at, with_types
from tokumei.files.spark.tuples import Tuples, rows_digest
from tokumei.price.build import priced_columns
from tokumei.price.dictionary import PriceList
from tokumei.price.recoding import RecodedTuples
from tokumei.price.session import PriceAnswer, PriceSession
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.engines.protocol import NewCells
from tokumei.tables.engines.spark import SparkEngine, coded_tuples
from tokumei.tables.releasing.spark import DRIVER_TUPLES, SparkRelease


class PeopleOnSpark:
    """People on a cluster, counted by the attributes of a price list; `session` answers."""

    def __init__(
        self, table: SparkTable, prices: PriceList, *, columns: Sequence[str] | None = None
    ) -> None:
        """Count them; fails if their distinct tuples do not fit the driver."""
        self.table = table
        chosen = priced_columns(table.frame.columns, prices, columns)
        with meter(Text("counting tuples", "組を数えています")):
            self.look, tuples = counted_look(table, chosen, most=DRIVER_TUPLES)
        self._tuples = coded_tuples(_few(self.look, tuples))
        self.session = PriceSession(self._tuples.cells, prices, columns=chosen)

    def release(
        self,
        asked: PriceAnswer,
        *,
        seed: int | None = None,
        keep: Sequence[str] = (),
        keep_order: bool = False,
        starred: bool = False,
        as_text: bool = False,
    ) -> SparkRelease:
        """The people recoded as the best answer says; `save_on_spark` verifies and writes them.

        `as_text`: cells as they stand in a CSV file.
        """
        found = self.session.words(asked, starred=starred)
        wanted = {*found.released, *keep}
        table = self.table if as_text else self._with_types(keep)
        engine = SparkEngine(table)
        if not keep_order:
            rng = Randomness(seed)
            if rng.seeded:
                rng = rng.bound_to(rows_digest(self.table.frame), found.step, sorted(wanted))
            engine = engine.shuffled(rng.child("shuffle"))
        cells = self._cells(found, wanted, as_text=as_text)
        given = engine.give(NewCells(self._tuples, cells, found.kept))
        names = [name for name in table.frame.columns if name in wanted]
        rows = given.without([name for name in table.frame.columns if name not in wanted])
        k = asked.question.k
        claims = (Claim("k-anonymity", {"k": k, "columns": [*found.released]}),) if k >= 2 else ()
        counts = int(self._tuples.counts[found.kept].sum())
        schema = Schema(tuple(_column(name, found.released) for name in names))
        provenance = Provenance((found.step,), None, seed)
        return SparkRelease(rows, schema, counts, claims, provenance, self.look.rows)

    def _cells(
        self, found: RecodedTuples, wanted: Collection[str], *, as_text: bool
    ) -> dict[str, pl.Series]:
        """The cells of the tuples that are kept: new ones, or the values that they had.

        Values, not their text: people who are 1.0 and 1.00 years old were counted as equal.
        """
        priced = self.session.columns
        same = [name for name in priced if name in wanted and name not in found.cells]
        values = self._tuples.cells[found.kept].select(same)
        return {**found.cells, **(as_written(values) if as_text else values).to_dict()}

    def _with_types(self, keep: Sequence[str]) -> SparkTable:
        """The table with the columns that are not priced, but kept, in their types."""
        names = [one for one in self.table.frame.columns if one in keep]
        names = [one for one in names if one not in self.session.columns]
        if not names:
            return self.table
        return with_types(self.table, look_at(self.table, names, types=names).types)


def _column(name: str, qi: Sequence[str]) -> Column:
    return Column(name, Role.QI if name in qi else Role.OTHER, ColumnKind.CATEGORY)


def _few(look: Look, tuples: Tuples | None) -> Tuples:
    if not look.rows:
        raise InputError("there are no rows to count", "数える行がありません")
    if tuples is None:
        raise InputError(
            f"about {look.tuples:,} distinct tuples; the driver can hold {DRIVER_TUPLES:,}: "
            "price fewer attributes (--columns)",
            f"異なる組が約 {look.tuples:,} あります (ドライバーの上限 {DRIVER_TUPLES:,})。"
            "価格をつける属性を減らしてください (--columns)",
        )
    return tuples
