"""Anonymizes rows outside memory: count tuples, recode, write, verify, rename.

    task = RecodingTask.of(method, Roles(qi=["age"]), names, engine="stream", where="people.csv")
    release = recode_rows(engine, task, engine.tuples(task.counted), rng=rng)
    release.save("public.csv", secret="link.csv")       # verifies what was written first

The method sees distinct tuples as a table whose rows stand for many (`data/weighted_rows.py`), and
gives every tuple its cells; the engine, which decides where the rows are, brings them to the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.provenance import Claim, Provenance, SearchOutcome
from tokumei.core.randomness import Randomness
from tokumei.core.release_terms import NO_TERMS, ReleaseTerms
from tokumei.core.scenario import Scenario, describe_scenario
from tokumei.core.verification import DeferredRelease, VerifiedRelease, verify_written
from tokumei.files.column_types import to_csv_text
from tokumei.files.file_formats import separator_from_name
from tokumei.tables.anonymization.default_hierarchies import add_default_hierarchies
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
from tokumei.tables.data.column_report import ColumnReport
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import total_rows
from tokumei.tables.engines.protocol import OutOfCoreEngine, RecodedCells, SidecarFiles, TupleCounts
from tokumei.tables.hierarchies.release_hierarchies import manifest_hierarchies
from tokumei.tables.verification.out_of_core import out_of_core_violations


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
                    "{option} {column}: this engine takes kinds of quasi-identifiers only",
                    field="kind",
                    value=name,
                    option=field_name("kind"),
                    column=name,
                )
        return schema


@dataclass(frozen=True)
class RecodingTask:
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
    ) -> RecodingTask:
        """What is asked of a table with these columns."""
        counting_method = _require_counting_method(method, engine)
        # A column that names the persons is needed for counting, and dropped later.
        ids = [name for name in roles.ids if name != counting_method.person]
        schema = replace(roles, ids=ids).schema(names, where=where)
        return cls(counting_method, schema, roles.kinds, sets)

    @property
    def counted(self) -> list[str]:
        """The columns whose tuples the method needs."""
        return [*self.schema.qi, *self.condition_columns]

    @property
    def read(self) -> list[str]:
        """Those of which every text counts as one value, as well as every number."""
        return [name for name in self.condition_columns if name != self.method.person]

    @property
    def dropped(self) -> list[str]:
        """Identifiers, and the column that names persons: nobody may see them."""
        return [*self.schema.ids, *([self.method.person] if self.method.person else [])]

    @property
    def condition_columns(self) -> list[str]:
        """The columns that conditions look at, and the one that names persons."""
        method, schema = self.method, self.schema
        names = list(method.sensitive) or (schema.sa if method.conditions else [])
        names = [*names, *([method.person] if method.person else [])]
        schema.require(names, where=method.name)
        return [name for name in names if name not in schema.qi]


def _require_counting_method(method: TableMethod, engine: str) -> KAnonymizer:
    """The method, if distinct tuples are all it needs."""
    is_relaxed = isinstance(method, Mondrian) and method.cut == "relaxed"
    if isinstance(method, KAnonymizer) and not is_relaxed:
        return method
    raise UsageError(
        "{method} works on all rows in memory, which the engine '{engine}' avoids; use a "
        "recoding method (mondrian with cut gain or median, local, flash, …) or --engine local",
        method=method.name,
        engine=engine,
    )


def add_tuple_hierarchies(task: RecodingTask, cells: pl.DataFrame) -> RecodingTask:
    """What is asked, with the hierarchies that texts of these tuples need."""
    table = Table(frame := cast_to_kinds(cells, task.kinds), schema_for(frame, qi=task.schema.qi))
    method = add_default_hierarchies(task.method, table, task.sets)
    return replace(task, method=_require_counting_method(method, ""))


def run_method_on_tuples(task: RecodingTask, cells: pl.DataFrame, *, rng: Randomness) -> Step:
    """What the method makes of counted tuples, as of a table in memory."""
    method, schema = task.method, task.schema
    frame = cast_to_kinds(cells, task.kinds)
    sa = [name for name in schema.sa if name in frame.columns]
    table = Table(frame, schema_for(frame, qi=schema.qi, sa=sa))
    return method.change(Step.start(table), rng=rng.child(method.name))


EngineT = TypeVar("EngineT", bound=OutOfCoreEngine)


@dataclass(frozen=True, eq=False)
class OutOfCoreRelease(DeferredRelease):
    """Released rows, to be computed while they are written, with what is claimed of them."""

    seen: ClassVar[type[Any]]
    """What was written, as rules see it: `OutOfCoreRows`."""

    engine: OutOfCoreEngine
    schema: Schema
    rows: int
    claims: tuple[Claim, ...]
    provenance: Provenance
    source_rows: int
    unchanged: bool = False
    """Whether no cell was changed."""
    account: ColumnReport | None = None
    """What becomes of every column; None: nobody looked."""
    scenario: Scenario | None = None
    """Under which it will be judged; None: nobody decided."""
    terms: ReleaseTerms = field(default=NO_TERMS, repr=False)
    """What the release gate has to know, which is secret."""

    def manifest(self) -> dict[str, object]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.rows,
            "columns": {column.name: column.role.value for column in self.schema.columns},
            "claims": [claim.as_json() for claim in self.claims],
            **({} if self.account is None else self.account.as_json()),
            **describe_scenario(self.scenario, self.schema.names),
            "provenance": self.provenance.as_json(public=True) | {"engine": self.engine.name},
        }

    def save(self, path: str | Path, *, secret: str | Path | None = None, sep: str = ",") -> None:
        """Write the rows, verify what was written, and only then let it have its name.

        `path` gets the public rows, `path.manifest.json` the claims and methods; `secret` the link,
        if the engine knows it, and `secret.provenance.json` seed and source hash, both readable by
        the owner only.
        """
        sidecars = SidecarFiles(
            as_json_text(
                self.manifest() | manifest_hierarchies(self.provenance.steps, self.schema.qi)
            ),
            as_json_text(self.provenance.as_json(public=False)),
            None if secret is None else str(secret),
        )
        sep = separator_from_name(path) or sep
        self.engine.write(str(path), sidecars, rows=self.rows, sep=sep, verify=self._verify_written)

    def _verify_written(self, written: Any) -> VerifiedRelease[OutOfCoreRelease]:
        with progress_bar(Message("verifying")):
            result = out_of_core_violations(self.seen(written), self.claims)
            return verify_written(self, result, self.rows)


@dataclass(frozen=True, eq=False)
class OutOfCoreRecoding(Generic[EngineT]):
    """Recoded rows, how many they are, and what is claimed of them."""

    engine: EngineT
    rows: int
    claims: Sequence[Claim]
    searches: tuple[SearchOutcome, ...] = ()
    unchanged: bool = False
    method: KAnonymizer | None = None
    """What made them, with the hierarchies that it was given."""

    def provenance(self, sha256: str | None, seed: int | None) -> Provenance:
        """How they were made."""
        assert self.method is not None
        return Provenance(tuple(self.method.describe()), sha256, seed, self.searches)


def recode_rows(
    engine: EngineT,
    task: RecodingTask,
    tuples: TupleCounts,
    *,
    as_text: bool,
    rng: Randomness,
    keep_order: bool,
) -> OutOfCoreRecoding[EngineT]:
    """What the method makes of the rows; `decode_categories`: cells as they stand in a CSV file."""
    qi, before = task.schema.qi, tuples.cells
    task = add_tuple_hierarchies(task, before)
    step = run_method_on_tuples(task, before, rng=rng)
    new_cells = step.table.frame.select(qi)
    cells = to_csv_text(new_cells) if as_text else new_cells
    if not keep_order:
        engine = engine.shuffled(rng.child("shuffle"))
    recoded_engine = engine.without(task.dropped).give(
        RecodedCells(tuples, cells.to_dict(), step.link, qi)
    )
    unchanged = before.select(qi)[step.link].equals(new_cells)
    rows = total_rows(step.table.frame)
    return OutOfCoreRecoding(
        recoded_engine, rows, step.claims, step.searches, unchanged, task.method
    )
