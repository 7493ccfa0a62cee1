"""The most valuable recoding of people whose rows are on a cluster.

    with spark_session("spark://host:7077") as session:
        people = PeopleOnSpark(read_spark(session, "hdfs:///people.parquet"), prices)
        asked = people.session.ask(Question(k=5))
        save_on_spark(people.release(asked), "hdfs:///released.parquet")

Distinct tuples of the priced attributes come to the driver, where the same search works as on one
machine; the cluster recodes the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.data.counted import COUNT
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim, Provenance
from tokumei.data.schema import Column, Kind, Role, Schema
from tokumei.engine.spark import SparkEngine
from tokumei.engine.spark_files import SparkTable, quoted
from tokumei.engine.spark_look import Look, look_at
from tokumei.errors import InputError
from tokumei.price.build import priced_columns
from tokumei.price.dictionary import PriceList
from tokumei.price.session import PriceAnswer, PriceSession
from tokumei.progress import meter
from tokumei.spark_flow import DRIVER_TUPLES
from tokumei.spark_release import SparkRelease
from tokumei.text import Text


class PeopleOnSpark:
    """People on a cluster, counted by the attributes of a price list; `session` answers."""

    def __init__(
        self, table: SparkTable, prices: PriceList, *, columns: Sequence[str] | None = None
    ) -> None:
        """Count them; fails if their distinct tuples do not fit the driver."""
        self.table = table
        chosen = priced_columns(table.frame.columns, prices, columns)
        with meter(Text("looking at the rows", "行を調べています")):
            self.look = look_at(table, chosen)
        _require_few(self.look)
        with meter(Text("counting tuples", "組を数えています")):
            self._tuples = SparkEngine().tuples(table, chosen)
        self.session = PriceSession(self._tuples.cells, prices, columns=chosen)

    def release(
        self,
        asked: PriceAnswer,
        *,
        seed: int | None = None,
        keep: Sequence[str] = (),
        keep_order: bool = False,
        starred: bool = False,
    ) -> SparkRelease:
        """The people recoded as the best answer says; `save_on_spark` verifies and writes them."""
        found = self.session.words(asked, starred=starred)
        wanted = {*found.released, *keep}
        source = self._tuples.source[found.kept]
        given = SparkEngine().give(self.table, source, found.cells)
        names = [name for name in self.table.frame.columns if name in wanted]
        rows = given.with_frame(given.frame.select([quoted(name) for name in names]))
        if not keep_order:
            rows = SparkEngine().shuffle(rows, rng=Randomness(seed).child("shuffle"))
        k = asked.question.k
        claims = (Claim("k-anonymity", {"k": k, "columns": list(found.names)}),) if k >= 2 else ()
        counts = int(self._tuples.cells[COUNT].gather(found.kept).sum())
        schema = Schema(tuple(_column(name, found.names) for name in names))
        provenance = Provenance((found.step,), None, seed)
        return SparkRelease(rows, schema, counts, claims, provenance, self.look)


def _column(name: str, qi: Sequence[str]) -> Column:
    return Column(name, Role.QI if name in qi else Role.OTHER, Kind.CATEGORY)


def _require_few(look: Look) -> None:
    if not look.rows:
        raise InputError(Text("there are no rows to count", "数える行がありません"))
    if look.tuples > DRIVER_TUPLES:
        raise InputError(
            Text(
                f"about {look.tuples:,} distinct tuples; the driver takes {DRIVER_TUPLES:,}: "
                "price fewer attributes (--columns)",
                f"異なる組が約 {look.tuples:,} あります (ドライバーの上限 {DRIVER_TUPLES:,})。"
                "価格をつける属性を減らしてください (--columns)",
            )
        )
