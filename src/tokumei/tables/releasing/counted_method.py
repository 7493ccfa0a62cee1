"""A method on distinct tuples with counts, wherever the rows themselves are.

    asked = Asked.of(method, roles, names, engine="stream", where="people.csv")
    step = changed_tuples(asked, cells, rng=rng)

The method sees the tuples as a table whose rows stand for many (`data/counted.py`), and gives every
tuple its cells; an engine then brings them to the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.data.column_kinds import as_kinds
from tokumei.tables.data.infer import schema_for
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Table

PLACE = "tokumei_place"


@dataclass(frozen=True)
class Roles:
    """Which columns are what; where rows are not all here nothing is guessed."""

    qi: Sequence[str]
    sa: Sequence[str] = ()
    ids: Sequence[str] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)

    def schema(self, names: Sequence[str], *, where: str) -> Schema:
        """The roles of all columns; kinds are for quasi-identifiers."""
        plain = Schema(tuple(Column(name, Role.OTHER, ColumnKind.CATEGORY) for name in names))
        schema = plain.with_roles(qi=self.qi, sa=self.sa, ids=self.ids, where=where)
        for name in self.kinds:
            if name not in schema.qi:
                raise UsageError(
                    f"--kind {name}: this engine needs kinds of quasi-identifiers only",
                    f"--kind {name}: このエンジンでは準識別子にだけ指定できます",
                )
        return schema


@dataclass(frozen=True)
class Asked:
    """What is to be done: the method, the roles of all columns, the kinds given."""

    method: KAnonymizer
    schema: Schema
    kinds: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, method: TableMethod, roles: Roles, names: Sequence[str], *, engine: str, where: str
    ) -> Asked:
        """What is asked of a table with these columns."""
        counting = _counting(method, engine)
        # A column that names the persons is needed for counting, and dropped later.
        ids = [name for name in roles.ids if name != counting.person]
        schema = replace(roles, ids=ids).schema(names, where=where)
        return cls(counting, schema, roles.kinds)

    @property
    def counted(self) -> list[str]:
        """The columns whose tuples the method needs."""
        return [*self.schema.qi, *self.guarded]

    @property
    def dropped(self) -> list[str]:
        """Identifiers, and the column that names persons: nobody may see them."""
        return [*self.schema.ids, *([self.method.person] if self.method.person else [])]

    @property
    def guarded(self) -> list[str]:
        """The columns that conditions look at, and the one that names persons."""
        method, schema = self.method, self.schema
        names = list(method.sensitive) or (schema.sa if method.conditions else [])
        names = [*names, *([method.person] if method.person else [])]
        schema.require(names, where=method.name)
        return [name for name in names if name not in schema.qi]


def _counting(method: TableMethod, engine: str) -> KAnonymizer:
    """The method, if distinct tuples are all it needs."""
    relaxed = isinstance(method, Mondrian) and method.cut == "relaxed"
    if isinstance(method, KAnonymizer) and not relaxed:
        return method
    raise UsageError(
        f"{method.name} works on all rows in memory, which the engine '{engine}' avoids; use a "
        "recoding method (mondrian with cut gain or median, local, flash, …) or --engine local",
        f"{method.name} は全行をメモリに置くため、エンジン '{engine}' では使えません。再符号化"
        "の手法 (cut が gain か median の mondrian、local、flash など) か --engine local を"
        "使ってください",
    )


def changed_tuples(asked: Asked, cells: pl.DataFrame, *, rng: Randomness) -> Step:
    """What the method makes of counted tuples, as of a table in memory."""
    method, schema = asked.method, asked.schema
    frame = as_kinds(cells, asked.kinds)
    sa = [name for name in schema.sa if name in frame.columns]
    table = Table(frame, schema_for(frame, qi=schema.qi, sa=sa))
    return method.change(Step.start(table), rng=rng.child(method.name))


def all_claims(claims: Sequence[Claim], ids: Sequence[str]) -> tuple[Claim, ...]:
    """What a method claims, and that no identifiers are left."""
    gone = [Claim("no-identifiers", {"columns": list(ids)})] if ids else []
    return (*claims, *gone)


def as_written(frame: pl.DataFrame) -> pl.DataFrame:
    """The cells as they stand in a CSV file, byte for byte."""
    plain = [name for name, dtype in frame.schema.items() if dtype != pl.String]
    # A last column that is never empty, because an empty line would be no row.
    text = frame.select(*plain, pl.lit("x").alias(PLACE)).write_csv()
    return frame.with_columns(pl.read_csv(text.encode(), infer_schema=False).drop(PLACE))
