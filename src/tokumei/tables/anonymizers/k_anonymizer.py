"""Base class of k-anonymizing methods: conditions on sensitive values, persons, claims.

    Flash(k=5, conditions=("l=3", "t=0.2"), sensitive=("illness",))
    Mondrian(k=5, person="patient")     # k persons in every class, not only k rows

Every condition is a claim, which rules recompute from the public rows before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, InputError, UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message, join_messages
from tokumei.core.provenance import Claim, SearchOutcome
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.conditions.condition import Condition
from tokumei.tables.anonymizers.conditions.condition_forms import K_PERSONS
from tokumei.tables.anonymizers.conditions.guarded_columns import (
    GuardedColumn,
    HierarchySpec,
    build_guarded_columns,
)
from tokumei.tables.anonymizers.conditions.risk_limits import (
    RiskLimit,
    limits_hold,
    split_models,
    unreachable_limit_message,
)
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.data.column_encoding import canonicalize_persons
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import total_rows
from tokumei.tables.registry import claim_checks

QI_TITLE = Message("quasi-identifier (QI)")
REMAINING_RISKS = Message(
    "Whoever knows a sensitive or passed value of somebody may still find the row by it, and "
    "members of a class who share a sensitive value give it away unless a model (l, t …) forbids "
    "that."
)


class RecodedFrame(NamedTuple):
    """A frame with its QI generalized, the rows that are kept (None: all), how it was found."""

    frame: pl.DataFrame
    kept: np.ndarray | None = None
    search: SearchOutcome | None = None

    @property
    def released(self) -> pl.DataFrame:
        """The rows that are kept."""
        return self.frame if self.kept is None else self.frame[self.kept]


@dataclass(frozen=True)
class KAnonymizer(TableMethod):
    """Base of the methods that make classes of k rows; `recode` does the work.

    `conditions` on the columns `sensitive` (default: all SA) hold in every class; those that limit
    the re-identification risk hold for all classes together and need no column. With `person`,
    every class has rows of k persons, and that column is dropped. `sensitive_hierarchies`: for
    distances along a hierarchy or an order of texts (default: the method's own `hierarchies`).
    """

    leaves_open: ClassVar[Message] = REMAINING_RISKS
    unsaid: ClassVar[tuple[str, ...]] = (
        "conditions",
        "sensitive",
        "sensitive_hierarchies",
        "person",
    )

    k: int = 5
    conditions: tuple[str, ...] = field(default=(), kw_only=True)
    sensitive: tuple[str, ...] = field(default=(), kw_only=True)
    sensitive_hierarchies: str | Mapping[str, str] = field(default="", kw_only=True)
    person: str = field(default="", kw_only=True)

    def done(self) -> Message:
        """The title, k, and what else holds in every class."""
        promise = Message(
            "{title}: every combination of quasi-identifiers has rows of at least {k} people"
            if self.person
            else "{title}: every combination of quasi-identifiers occurs in at least {k} rows",
            title=self.title,
            k=self.k,
        )
        if not self.conditions:
            return promise
        return Message(
            "{promise}, and every class meets {conditions}",
            promise=promise,
            conditions=join_messages(self.conditions),
        )

    @property
    def takes_compact(self) -> bool:
        """Conditions look at other columns than those that are counted."""
        return not (self.conditions or self.person)

    @property
    def value_conditions(self) -> tuple[str, ...]:
        """The conditions on sensitive values."""
        return split_models(self.conditions)[0]

    @property
    def risk_limits(self) -> tuple[RiskLimit, ...]:
        """The conditions that limit the re-identification risk."""
        return split_models(self.conditions)[1]

    @property
    def reads(self) -> set[str]:
        """The persons."""
        return {self.person} - {""}

    def recode(self, table: Table, columns: list[GuardedColumn]) -> RecodedFrame:
        """The frame with its QI generalized."""
        raise NotImplementedError

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Generalize the QI, and claim what was asked for."""
        table, qi = step.table, step.table.schema.qi
        require_k(self.k, total_rows(table.frame))
        require_columns(self.name, qi, QI_TITLE)
        spelled_table = self._merge_spellings(
            restore_spellings(table, self._sensitive_names(table))
        )
        columns = self._guarded_columns(spelled_table)
        frame, kept_rows, search = self._recode_within_limits(spelled_table, columns)
        recoded_table, link = table.with_frame(frame), step.link
        released = table.with_frame(
            frame.with_columns(table.frame.select(self._sensitive_names(table)))
        )
        if kept_rows is not None:
            recoded_table, released, link = (
                recoded_table.take(kept_rows),
                released.take(kept_rows),
                link[kept_rows],
            )
        claims = [Claim("k-anonymity", {"k": self.k, "columns": qi})]
        claims += _merge_claims(
            claim for column in columns for claim in self._column_claims(column, recoded_table)
        )
        claims += [Claim(limit.rule, {**limit.params, "columns": qi}) for limit in self.risk_limits]
        dropped_names = [self.person] if self.person else []
        searches = () if search is None else (search,)
        return Step(released.drop(dropped_names), link, (*step.claims, *claims), searches)

    def _recode_within_limits(self, table: Table, columns: list[GuardedColumn]) -> RecodedFrame:
        """Recode with the least k found, from the method's own on, that keeps all risk limits."""
        recoded, limits = self.recode(table, columns), self.risk_limits
        if limits_hold(limits, recoded.released, table.schema.qi):
            return recoded
        strictest = max(limits, key=lambda limit: limit.sufficient_k)
        low, high = self.k, strictest.sufficient_k
        if high > (rows := total_rows(table.frame)):
            raise InputError(unreachable_limit_message(strictest, rows))
        recoded = self._with_k(high).recode(table, columns)
        while high - low > 1:
            middle = (low + high) // 2
            candidate = self._with_k(middle).recode(table, columns)
            if limits_hold(limits, candidate.released, table.schema.qi):
                recoded, high = candidate, middle
            else:
                low = middle
        return recoded

    def _with_k(self, k: int) -> KAnonymizer:
        larger: dict[str, Any] = {"k": k}
        return replace(self, **larger)

    def _merge_spellings(self, table: Table) -> Table:
        """The table with one spelling per person."""
        if self.person not in table.schema.names:
            return table
        persons = canonicalize_persons(table.frame[self.person])
        return table.with_frame(table.frame.with_columns(persons))

    def _sensitive_names(self, table: Table) -> list[str]:
        if self.risk_limits and not self.value_conditions:
            return []
        return list(self.sensitive) or (table.schema.sa if self.conditions else [])

    def _guarded_columns(self, table: Table) -> list[GuardedColumn]:
        names = self._sensitive_names(table)
        person_names = [self.person] if self.person else []
        table.schema.require([*names, *person_names], where=self.name)
        conditions = self.value_conditions
        require_disjoint_roles(self.name, conditions, names, [*table.schema.qi, *person_names])
        require_disjoint_roles(self.name, person_names, person_names, table.schema.qi)
        hierarchy_spec: HierarchySpec = self.sensitive_hierarchies or getattr(
            self, "hierarchies", ""
        )
        guarded = [
            column
            for name in names
            for column in build_guarded_columns(table.frame[name], conditions, hierarchy_spec)
        ]
        for name in person_names:
            values = table.frame[name].unique().sort(nulls_last=False)
            guarded.append(GuardedColumn(name, values, (Condition(K_PERSONS, (self.k,)),)))
        return guarded

    def _column_claims(self, column: GuardedColumn, released: Table) -> list[Claim]:
        qi = released.schema.qi
        if column.conditions[0].form is K_PERSONS:
            return _verify_person_claims(column.name, self.k, released)
        return [
            Claim(
                condition.rule,
                column.params(condition, released.frame, self.k)
                | {"columns": qi, "sensitive": [column.name]},
            )
            for condition in column.conditions
        ]


def _verify_person_claims(person: str, k: int, released: Table) -> list[Claim]:
    """The public rows will not show who they are of, so the rule counts while they still do."""
    rows = total_rows(released.frame)
    params = {"k": k, "columns": released.schema.qi, "person": person, "rows": rows}
    violations = claim_checks.build("k-per-person", params).check(released)
    if violations:
        raise ClaimError("a class has too few people", faults=violations)
    return [Claim("k-per-person", params), Claim("no-identifiers", {"columns": [person]})]


def _merge_claims(claims: Iterable[Claim]) -> list[Claim]:
    """Claims that differ in the sensitive column only, as one."""
    merged: list[Claim] = []
    for claim in claims:
        same_claims = [
            other_claim for other_claim in merged if _claim_key(other_claim) == _claim_key(claim)
        ]
        if same_claims and "sensitive" in claim.params:
            sensitive_names = same_claims[0].params["sensitive"]
            sensitive_names.extend(
                name for name in claim.params["sensitive"] if name not in sensitive_names
            )
        else:
            merged.append(claim)
    return merged


def _claim_key(claim: Claim) -> dict[str, object]:
    plain = {key: value for key, value in claim.params.items() if key != "sensitive"}
    return {"rule": claim.rule, **plain}


def restore_spellings(table: Table, names: list[str]) -> Table:
    """The table with these columns as text where a reader of it tells more of their cells apart."""
    table.schema.require(names)
    spelled = [table.spelled[name].cast(pl.String) for name in names if name in table.spelled]
    signed_zeros = [
        cells.cast(pl.String)
        for cells in (table.frame[name] for name in names if name not in table.spelled)
        # 0.0 and -0.0 are one number.
        if cells.dtype.is_float() and (cells.cast(pl.String) == "-0.0").any()
    ]
    return table.with_frame(table.frame.with_columns(*spelled, *signed_zeros))


def require_disjoint_roles(
    method: str, conditions: object, names: list[str], taken_names: list[str]
) -> None:
    """Fail on conditions without columns, columns without conditions, and columns in two roles."""
    if conditions and not names:
        raise UsageError(
            "{method}: conditions such as l-diversity need sensitive columns; name them "
            "({sa_field})",
            field="sa",
            method=method,
            sa_field=field_name("sa"),
        )
    if names and not conditions:
        raise UsageError("{method}: 'sensitive' needs a condition, such as l=2", method=method)
    for name in names:
        if name in taken_names:
            raise UsageError(
                "{method}: '{name}' cannot be a sensitive or person column and be used otherwise "
                "too",
                method=method,
                name=name,
            )


def require_k(k: int, rows: int) -> None:
    """Fail unless 2 ≤ k ≤ rows."""
    if k < 2:
        raise UsageError("k must be at least 2, not {k}", k=k)
    if k > rows:
        raise UsageError("k = {k} is more than the {rows} rows there are", k=k, rows=rows)
