"""Rules recomputed on the cluster, from the rows as they stand in the files that were written.

    found = spark_faults(table, claims)
    found.faults, found.total

Classes are counted there. Models that compare distributions are judged here, from how often each
sensitive value occurs in each class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.files.column_types import typed
from tokumei.files.spark.files import SparkTable, quoted
from tokumei.files.spark.found import LISTED, Found
from tokumei.tables.data.counted import COUNT
from tokumei.tables.data.infer import schema_for
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Table, simple_frame
from tokumei.tables.registry import rules
from tokumei.tables.verify.k_anonymity import KAnonymity
from tokumei.tables.verify.k_per_person import KPerPerson
from tokumei.tables.verify.no_identifiers import NoIdentifiers

if TYPE_CHECKING:
    from pyspark.sql import Column as SparkColumn

_COUNT, _ROWS = "tokumei_count", "tokumei_all"


def spark_faults(table: SparkTable, claims: Iterable[Claim]) -> Found:
    """The violations of all claims."""
    found = [_check(table, claim) for claim in claims]
    return Found(
        [fault for one in found for fault in one.faults],
        sum(one.total for one in found),
        next((one.rows for one in found if one.rows is not None), None),
    )


def require_spark_claims(table: SparkTable, claims: Iterable[Claim], *, rows: int) -> None:
    """Fail, naming the smallest offending groups, unless every claim holds of so many rows."""
    spark_faults(table, claims).require(rows)


def _check(table: SparkTable, claim: Claim) -> Found:
    from pyspark.sql import functions as f

    rule = rules.build(claim.rule, claim.params)
    names = table.frame.columns
    schema = Schema(tuple(Column(name, Role.OTHER, ColumnKind.CATEGORY) for name in names))
    if isinstance(rule, NoIdentifiers):
        return _all(rule.check(Table(pl.DataFrame(schema=dict.fromkeys(names, pl.String)), schema)))
    columns = [*rule.columns]
    if isinstance(rule, KAnonymity):
        schema.require(columns)
        return _rare(table, rule, f.count("*"))
    if isinstance(rule, KPerPerson):
        return _persons(table, rule, schema)
    columns += [name for name in getattr(rule, "sensitive", ()) if name not in columns]
    schema.require(columns)
    counted = _counted(table, columns)
    faults = rule.check(Table(counted, schema_for(counted, qi=list(rule.columns))))
    return _all([replace(fault, line=None) for fault in faults])


def _counted(table: SparkTable, columns: list[str]) -> pl.DataFrame:
    """The distinct rows of some columns, in their types, with how often each occurs."""
    from pyspark.sql import functions as f

    rows = table.frame.groupBy([quoted(name) for name in columns]).agg(f.count("*").alias(COUNT))
    found = pl.DataFrame(pl.from_arrow(rows.toArrow()))
    cells = found.select(columns)
    cells = typed(cells) if table.is_text else simple_frame(cells)
    return cells.with_columns(found[COUNT])


def _persons(table: SparkTable, rule: KPerPerson, schema: Schema) -> Found:
    from pyspark.sql import functions as f

    counting = KAnonymity(rule.k, rule.columns)
    if rule.rows is None or rule.person in schema.names:
        schema.require([*rule.columns, rule.person])
        found = _rare(table, counting, f.count_distinct(quoted(rule.person)))
    else:
        found = _rare(table, counting, f.count("*"))
        if found.rows != rule.rows:
            changed = _changed(rule.rows, found.rows)
            found = replace(found, faults=[changed, *found.faults], total=found.total + 1)
    return replace(found, faults=[replace(fault, rule=rule.name) for fault in found.faults])


def _rare(table: SparkTable, rule: KAnonymity, count: SparkColumn) -> Found:
    """The vectors that are counted fewer than k times, the rarest first."""
    from pyspark.sql import functions as f

    names = [quoted(name) for name in rule.columns]
    vectors = table.frame.groupBy(names).agg(f.count("*").alias(_ROWS), count.alias(_COUNT))
    rare = f.col(_COUNT) < rule.k
    found = vectors.agg(f.coalesce(f.sum(_ROWS), f.lit(0)), f.count_if(rare)).head()
    assert found is not None
    listed = vectors.where(rare).orderBy(_COUNT, *names).limit(LISTED) if found[1] else None
    shown = [] if listed is None else listed.drop(_ROWS).collect()
    return Found([rule.fault(row.asDict()) for row in shown], found[1], found[0])


def _all(faults: list[Fault]) -> Found:
    return Found(faults[:LISTED], len(faults))


def _changed(expected: int, rows: int | None) -> Fault:
    message = Text(
        f"persons were counted in {expected} rows, but there are {rows}",
        f"人数は {expected} 行で数えられましたが、現在は {rows} 行です",
    )
    return Fault(rule=KPerPerson.name, message=message)
