"""One flow for rows that are not in memory: a counted method, new cells, write, verify, rename.

    asked = Asked.of(method, Roles(qi=["age"]), names, engine="stream", where="people.csv")
    made = recoded(engine, asked, engine.tuples(asked.counted), rng=rng)
    release.save("public.csv", secret="link.csv")       # verifies what was written first

The method sees distinct tuples as a table whose rows stand for many (`data/counted.py`), and gives
every tuple its cells; the engine, which decides where the rows are, brings them to the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim, Provenance, Search
from tokumei.core.text import Text, as_json_text
from tokumei.core.verification import DeferredRelease, VerifiedRelease, verify_written
from tokumei.files.column_types import as_written
from tokumei.files.containers import own_separator
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.data.account import Account
from tokumei.tables.data.column_kinds import as_kinds, schema_for
from tokumei.tables.data.counted import rows_of
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.engines.protocol import Beside, FarEngine, Frequencies, NewCells
from tokumei.tables.hierarchies.released import travelling
from tokumei.tables.releasing.known_columns import with_hierarchies
from tokumei.tables.verify.elsewhere import elsewhere_faults


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
                    f"{field_name('kind')} {name}: this engine needs kinds of quasi-identifiers "
                    "only",
                    f"{field_name('kind')} {name}: このエンジンでは準識別子にだけ指定できます",
                    field="kind",
                    value=name,
                )
        return schema


@dataclass(frozen=True)
class Asked:
    """What is to be done: the method, the roles of all columns, the kinds given."""

    method: KAnonymizer
    schema: Schema
    kinds: Mapping[str, str] = field(default_factory=dict)
    sets: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        method: TableMethod,
        roles: Roles,
        names: Sequence[str],
        *,
        engine: str,
        where: str,
        sets: tuple[str, ...] = (),
    ) -> Asked:
        """What is asked of a table with these columns."""
        counting = _counting(method, engine)
        # A column that names the persons is needed for counting, and dropped later.
        ids = [name for name in roles.ids if name != counting.person]
        schema = replace(roles, ids=ids).schema(names, where=where)
        return cls(counting, schema, roles.kinds, sets)

    @property
    def counted(self) -> list[str]:
        """The columns whose tuples the method needs."""
        return [*self.schema.qi, *self.guarded]

    @property
    def read(self) -> list[str]:
        """Those of which every text counts as one value, as well as every number."""
        return [name for name in self.guarded if name != self.method.person]

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


def labelled(asked: Asked, cells: pl.DataFrame) -> Asked:
    """What is asked, with the hierarchies that texts of these tuples need."""
    table = Table(frame := as_kinds(cells, asked.kinds), schema_for(frame, qi=asked.schema.qi))
    method = with_hierarchies(asked.method, table, asked.sets)
    return replace(asked, method=_counting(method, ""))


def changed_tuples(asked: Asked, cells: pl.DataFrame, *, rng: Randomness) -> Step:
    """What the method makes of counted tuples, as of a table in memory."""
    method, schema = asked.method, asked.schema
    frame = as_kinds(cells, asked.kinds)
    sa = [name for name in schema.sa if name in frame.columns]
    table = Table(frame, schema_for(frame, qi=schema.qi, sa=sa))
    return method.change(Step.start(table), rng=rng.child(method.name))


Rows = TypeVar("Rows", bound=FarEngine)


@dataclass(frozen=True, eq=False)
class FarRelease(DeferredRelease):
    """Released rows, to be computed while they are written, with what is claimed of them."""

    seen: ClassVar[type[Any]]
    """What was written, as rules see it: `ElsewhereRows`."""

    engine: FarEngine
    schema: Schema
    rows: int
    claims: tuple[Claim, ...]
    provenance: Provenance
    source_rows: int
    unchanged: bool = False
    """Whether no cell was changed."""
    account: Account | None = None
    """What becomes of every column; None: nobody looked."""

    def manifest(self) -> dict[str, Any]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.rows,
            "columns": {column.name: column.role.value for column in self.schema.columns},
            "claims": [claim.as_json() for claim in self.claims],
            **({} if self.account is None else self.account.as_json()),
            "provenance": self.provenance.as_json(public=True) | {"engine": self.engine.name},
        }

    def save(self, path: str | Path, *, secret: str | Path | None = None, sep: str = ",") -> None:
        """Write the rows, verify what was written, and only then let it have its name.

        `path` gets the public rows, `path.manifest.json` the claims and methods; `secret` the link,
        if the engine knows it, and `secret.provenance.json` seed and source hash, both readable by
        the owner only.
        """
        beside = Beside(
            as_json_text(self.manifest() | travelling(self.provenance.steps, self.schema.qi)),
            as_json_text(self.provenance.as_json(public=False)),
            None if secret is None else str(secret),
        )
        sep = own_separator(path) or sep
        self.engine.write(str(path), beside, rows=self.rows, sep=sep, verify=self._verify)

    def _verify(self, written: Any) -> VerifiedRelease[FarRelease]:
        with meter(Text("verifying", "検証中")):
            result = elsewhere_faults(self.seen(written), self.claims)
            return verify_written(self, result, self.rows)


@dataclass(frozen=True, eq=False)
class Made(Generic[Rows]):
    """Recoded rows, how many they are, and what is claimed of them."""

    engine: Rows
    rows: int
    claims: Sequence[Claim]
    searches: tuple[Search, ...] = ()
    unchanged: bool = False
    method: KAnonymizer | None = None
    """What made them, with the hierarchies that it was given."""

    def provenance(self, sha256: str | None, seed: int | None) -> Provenance:
        """How they were made."""
        assert self.method is not None
        return Provenance(tuple(self.method.describe()), sha256, seed, self.searches)


def recoded(
    engine: Rows,
    asked: Asked,
    tuples: Frequencies,
    *,
    as_text: bool,
    rng: Randomness,
    keep_order: bool,
) -> Made[Rows]:
    """What the method makes of the rows; with `as_text`, cells as they stand in a CSV file."""
    qi, before = asked.schema.qi, tuples.cells
    asked = labelled(asked, before)
    step = changed_tuples(asked, before, rng=rng)
    new = step.table.frame.select(qi)
    cells = as_written(new) if as_text else new
    if not keep_order:
        engine = engine.shuffled(rng.child("shuffle"))
    given = engine.without(asked.dropped).give(NewCells(tuples, cells.to_dict(), step.link, qi))
    unchanged = before.select(qi)[step.link].equals(new)
    rows = rows_of(step.table.frame)
    return Made(given, rows, step.claims, step.searches, unchanged, asked.method)
