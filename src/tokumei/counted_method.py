"""A method on distinct tuples with counts, wherever the rows themselves are.

    step = changed_tuples(asked, cells, rng=rng)
    new = new_cells(step, cells.height, asked.schema.qi)    # which tuple gets which cells

The method sees the tuples as a table whose rows stand for many (`data/counted.py`), and gives every
tuple its cells; an engine then brings them to the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from tokumei.anonymizers.k_anonymizer import KAnonymizer
from tokumei.anonymizers.mondrian import Mondrian
from tokumei.anonymizers.protocol import Step, TableMethod
from tokumei.data.counted import COUNT
from tokumei.data.infer import schema_for
from tokumei.data.kinds import as_kinds
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim
from tokumei.data.schema import Schema
from tokumei.data.table import Table
from tokumei.errors import UsageError
from tokumei.text import Text

PLACE = "tokumei_place"


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


def counting_method(method: TableMethod, engine: str) -> KAnonymizer:
    """The method, if distinct tuples are all it needs."""
    relaxed = isinstance(method, Mondrian) and method.cut == "relaxed"
    if isinstance(method, KAnonymizer) and not relaxed:
        return method
    raise UsageError(
        Text(
            f"{method.name} works on all rows in memory, which the engine '{engine}' avoids; use a "
            "recoding method (mondrian with cut gain or median, local, flash, …) or --engine local",
            f"{method.name} は全行をメモリに置くため、エンジン '{engine}' では使えません。再符号化"
            "の手法 (cut が gain か median の mondrian、local、flash など) か --engine local を"
            "使ってください",
        )
    )


def changed_tuples(asked: Asked, cells: pl.DataFrame, *, rng: Randomness) -> Step:
    """What the method makes of counted tuples, as of a table in memory."""
    method, schema = asked.method, asked.schema
    frame = as_kinds(cells, asked.kinds)
    lacking = min(method.k, int(cells[COUNT].sum())) - frame.height
    if lacking > 0:  # the method compares k with the rows it sees; these stand for no rows
        empty = frame.head(1).with_columns(pl.lit(0, frame[COUNT].dtype).alias(COUNT))
        frame = pl.concat([frame, *[empty] * lacking])
    sa = [name for name in schema.sa if name in frame.columns]
    table = Table(frame, schema_for(frame, qi=schema.qi, sa=sa))
    return method.change(Step.start(table), rng=rng.child(method.name))


def new_cells(step: Step, tuples: int, qi: list[str]) -> pl.DataFrame:
    """The cells of every tuple that is kept, with its place among the `tuples` in PLACE."""
    new = step.table.frame.select(qi).with_columns(pl.Series(step.link).alias(PLACE))
    return new.filter(pl.col(PLACE) < tuples)


def claims_of(step: Step, schema: Schema) -> tuple[Claim, ...]:
    """All claims; persons were counted in tuples, but the claim is about rows."""
    rows = int(step.table.frame[COUNT].sum())
    found = [
        replace(claim, params={**claim.params, "rows": rows})
        if claim.rule == "k-per-person"
        else claim
        for claim in step.claims
    ]
    if schema.ids:
        found.append(Claim("no-identifiers", {"columns": schema.ids}))
    return tuple(found)


def as_written(frame: pl.DataFrame) -> pl.DataFrame:
    """The cells as they stand in a CSV file, byte for byte."""
    plain = [name for name, dtype in frame.schema.items() if dtype != pl.String]
    # A last column that is never empty, because an empty line would be no row.
    text = frame.select(*plain, pl.lit("x").alias(PLACE)).write_csv()
    return frame.with_columns(pl.read_csv(text.encode(), infer_schema=False).drop(PLACE))
