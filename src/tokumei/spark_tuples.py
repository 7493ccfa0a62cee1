"""A method on the distinct tuples of a table on a cluster, brought to the driver.

    made = on_driver(table, asked, as_text=False, rng=rng)
    made.table                          # the recoded rows, on the cluster

The method sees the tuples as a table whose rows stand for many (`data/counted.py`), and gives every
tuple its cells; a join brings them to the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from tokumei.anonymizers.k_anonymizer import KAnonymizer
from tokumei.anonymizers.protocol import Step
from tokumei.data.counted import COUNT
from tokumei.data.infer import schema_for
from tokumei.data.kinds import as_kinds
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim, Search
from tokumei.data.schema import Schema
from tokumei.data.table import Table
from tokumei.engine.spark import KEY, SparkEngine, Tuples
from tokumei.engine.spark_files import SparkTable
from tokumei.progress import meter
from tokumei.text import Text

_PLACE = "tokumei_place"


@dataclass(frozen=True)
class Asked:
    """What is to be done: the method, the roles of all columns, the kinds given."""

    method: KAnonymizer
    schema: Schema
    kinds: Mapping[str, str] = field(default_factory=dict)

    @property
    def guarded(self) -> list[str]:
        """The columns that conditions look at, and the one that names persons."""
        method, schema = self.method, self.schema
        names = list(method.sensitive) or (schema.sa if method.conditions else [])
        names = [*names, *([method.person] if method.person else [])]
        schema.require(names, where=method.name)
        return [name for name in names if name not in schema.qi]


@dataclass(frozen=True, eq=False)
class Made:
    """Recoded rows on the cluster, how many they are, and what is claimed of them."""

    table: SparkTable
    rows: int
    claims: Sequence[Claim]
    searches: tuple[Search, ...] = ()
    unchanged: bool = False


def on_driver(table: SparkTable, asked: Asked, *, as_text: bool, rng: Randomness) -> Made:
    """Recode; with `as_text`, cells are given as they stand in a CSV file."""
    qi = asked.schema.qi
    with meter(Text("counting tuples", "組を数えています")):
        tuples = SparkEngine().tuples(table, [*qi, *asked.guarded], key=qi)
    step = _changed(asked, tuples, rng)
    rows = int(step.table.frame[COUNT].sum())
    given = _given(table, tuples, step, qi, as_text)
    kept = tuples.cells.select(qi)[step.link[step.link < len(tuples.source)]]
    unchanged = kept.equals(step.table.frame.select(qi).head(len(kept)))
    return Made(given, rows, step.claims, step.searches, unchanged)


def _changed(asked: Asked, tuples: Tuples, rng: Randomness) -> Step:
    """What the method makes of the tuples, as of a table in memory."""
    method, schema = asked.method, asked.schema
    frame = as_kinds(tuples.cells, asked.kinds)
    lacking = min(method.k, tuples.rows) - frame.height
    if lacking > 0:  # the method compares k with the rows it sees; these stand for no rows
        empty = frame.head(1).with_columns(pl.lit(0, frame[COUNT].dtype).alias(COUNT))
        frame = pl.concat([frame, *[empty] * lacking])
    sa = [name for name in schema.sa if name in frame.columns]
    table = Table(frame, schema_for(frame, qi=schema.qi, sa=sa))
    return method.change(Step.start(table), rng=rng.child(method.name))


def _given(
    table: SparkTable, tuples: Tuples, step: Step, qi: list[str], as_text: bool
) -> SparkTable:
    """The rows on the cluster with the cells of their tuples; rows of deleted tuples are gone."""
    new = step.table.frame.select(qi).with_columns(pl.Series(step.link).alias(_PLACE))
    new = new.filter(pl.col(_PLACE) < len(tuples.source))
    source = tuples.source[new[_PLACE].to_numpy()].select(*qi, KEY)
    # With conditions, a tuple occurs once for every sensitive value.
    first = source.select(pl.struct(qi).is_first_distinct()).to_series()
    cells = new.filter(first).drop(_PLACE)
    cells = _as_written(cells) if as_text else cells
    given = {name: cells[name] for name in qi}
    return SparkEngine().give(table, source.filter(first), given)


def _as_written(frame: pl.DataFrame) -> pl.DataFrame:
    """The cells as they stand in a CSV file, byte for byte."""
    plain = [name for name, dtype in frame.schema.items() if dtype != pl.String]
    # A last column that is never empty, because an empty line would be no row.
    text = frame.select(*plain, pl.lit("x").alias(_PLACE)).write_csv()
    return frame.with_columns(pl.read_csv(text.encode(), infer_schema=False).drop(_PLACE))
