"""The table that advice is about: rows, profile and column treatments.

Identifying columns are dropped, and so are those that only the owner could judge; a purpose or the
owner may say otherwise, and everything that is decided here is said in `notes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import (
    DROP,
    GENERALIZE,
    KEEP_UNCHANGED,
    PROTECT,
    TREATMENTS,
    Request,
)
from tokumei.core.errors import InputError, UsageError
from tokumei.core.fields import field_name, field_value
from tokumei.core.messages import Message, join_messages
from tokumei.tables.advice.choose_k import shorten_names
from tokumei.tables.anonymization.column_disclosure import NO_PERSON
from tokumei.tables.anonymization.column_plan import ColumnPlan, infer_roles
from tokumei.tables.data.column_report import ReleaseDecisions
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.normalization import normalize_columns
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile
from tokumei.tables.services.anonymize import ReleasedTable, anonymize_table, plan_source
from tokumei.tables.services.read_table import ReadTable
from tokumei.tables.services.requests import AnonymizeTableRequest, TableRequest

_ROLE_TREATMENTS = {
    Role.QI: GENERALIZE,
    Role.SA: PROTECT,
    Role.OTHER: KEEP_UNCHANGED,
    Role.ID: DROP,
}


@dataclass(frozen=True, eq=False)
class TableSource:
    """A table as it was read, its profile, and the request that says how it is to be read.

    `reading` are the options of that request which are not as usual, for the command line.
    """

    read: ReadTable
    look: TableProfile
    request: TableRequest = field(default_factory=TableRequest)
    notes: tuple[Message, ...] = ()
    reading: Mapping[str, object] = field(default_factory=dict)
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    """Files of the owner's own hierarchies, by column; the others are proposed."""

    @property
    def table(self) -> Table:
        """The rows as they were read."""
        return self.read.table

    def release(self, candidate: Request, *, seed: int | None) -> ReleasedTable:
        """Make and verify the release of a candidate, as `anonymize table` makes it."""
        return anonymize_table(self._request(candidate, seed), self.read, profile=self.look)

    def plan(self, candidate: Request) -> ColumnPlan:
        """Plan what becomes of every column in the release of a candidate."""
        return plan_source(self._request(candidate, None), self.read, self.look)

    def _request(self, candidate: Request, seed: int | None) -> AnonymizeTableRequest:
        table = self.table_request(candidate)
        return AnonymizeTableRequest(table=table, steps=candidate.steps, seed=seed)

    def table_request(self, candidate: Request) -> TableRequest:
        """The request of a table whose columns become what a candidate says."""
        consent = candidate.consent
        return replace(
            self.request,
            method=tuple(str(step["method"]) for step in candidate.steps),
            qi=tuple(candidate.columns_with_treatment(GENERALIZE)),
            sa=tuple(candidate.columns_with_treatment(PROTECT)),
            id=tuple(candidate.columns_with_treatment(DROP)),
            passed=tuple(
                name for name in consent if candidate.columns[name] in (KEEP_UNCHANGED, PROTECT)
            ),
            qi_anyway=tuple(name for name in consent if candidate.columns[name] == GENERALIZE),
            person=candidate.person or None,
            drop=(),
            identifiers=self._identifiers,
            bad_cells="missing" if self.reading.get("bad_cells") == "missing" else "refuse",
        )

    @property
    def _identifiers(self) -> tuple[str, ...]:
        """The columns that the owner called identifiers; others are dropped for other reasons."""
        named = self.request.identifiers
        return (self.request.id or ()) if named is None else named

    def normalized_column(self, name: str) -> pl.Series:
        """The cells of a column as releases have them: texts of numbers and days are read."""
        table = normalize_columns(
            self.table,
            self.look,
            [name],
            line_of=self.read.line_of,
            bad_missing=True,
            off=self.request.no_normalize,
        )
        return table.frame[name]

    def with_unreadable_as_missing(self) -> TableSource:
        """The same; cells that fit neither number nor day become gaps if there are any."""
        names = [c.name for c in self.look.columns]
        if self.request.bad_cells == "missing":
            return self
        try:
            normalize_columns(
                self.table,
                self.look,
                names,
                line_of=self.read.line_of or (lambda row: row + 1),
                bad_missing=False,
                off=self.request.no_normalize,
            )
        except InputError as err:
            note = Message(
                "{total:,} cells fit neither number nor date in a column of them: they count as "
                "missing ({bad_cells_field})",
                total=err.total,
                bad_cells_field=field_value("bad_cells", "missing"),
            )
            reading = {**self.reading, "bad_cells": "missing"}
            return replace(self, notes=(*self.notes, note), reading=reading)
        return self


@dataclass(frozen=True)
class ColumnTreatments:
    """The default treatment of every column, and the column that identifies persons.

    `known`: what the recipient may know of somebody. `rest`: columns that look as if they could
    be known, but that the purpose does not name; they are generalized or dropped, never needed.
    """

    columns: Mapping[str, str]
    known: tuple[str, ...]
    person: str
    consent: tuple[str, ...]
    notes: tuple[Message, ...]

    @classmethod
    def of(
        cls,
        source: TableSource,
        purpose: Purpose,
        owner_treatments: Mapping[str, str] | None = None,
        person: str | None = None,
    ) -> ColumnTreatments:
        """From the look, then what the purpose says, then what the owner says (`given`)."""
        names, owner_treatments = source.table.schema.names, dict(owner_treatments or {})
        source.table.schema.require((*purpose.named, *owner_treatments))
        for name, fate in owner_treatments.items():
            if fate not in TREATMENTS:
                raise UsageError(
                    "column '{name}': a fate is {treatments}, not '{fate}'",
                    name=name,
                    treatments=join_messages(TREATMENTS),
                    fate=fate,
                )
        look = source.look
        default_roles = infer_roles(look, source.table.schema, ReleaseDecisions(defaults=True))
        person_column = person or (
            look.person.column if look.person and look.person.several else None
        )
        kept_names = {*purpose.keep, *([purpose.predict] if purpose.predict else [])}
        likely_known = (
            n for n in names if default_roles[n].role is Role.QI and n not in kept_names
        )
        known = [*(likely_known if purpose.known is None else purpose.known)]
        columns, consent, notes = dict[str, str](), list[str](), list[Message]()
        for name in names:
            treatment = owner_treatments.get(name) or _treatment_for_purpose(
                name, _ROLE_TREATMENTS[default_roles[name].role], known, kept_names
            )
            profile = look[name]
            if name == person_column:
                treatment = DROP
            elif treatment != DROP and (is_identifying(profile) or profile.fate == "ask"):
                # Here `anonymize` would stop unless somebody named the column.
                if name in owner_treatments or (
                    name in purpose.named and not is_identifying(profile)
                ):
                    consent.append(name)
                else:
                    notes += [_left_out_message(profile)] if name in purpose.named else []
                    treatment = DROP
            columns[name] = treatment
        known_names = tuple(name for name in known if columns[name] != DROP)
        notes += _decision_messages(look, columns, purpose, known_names, person_column)
        if not any(fate == GENERALIZE for fate in columns.values()):
            raise UsageError(
                "no column is left that others may know of a person; name some with {known_field}",
                field="known",
                known_field=field_name("known"),
            )
        return cls(columns, known_names, person_column or "", tuple(consent), tuple(notes))

    def released(self) -> list[str]:
        """The columns that could be released: over them losses are taken."""
        return [name for name, fate in self.columns.items() if fate != DROP]

    def rest(self) -> list[str]:
        """Columns that are generalized though the purpose does not count them as known."""
        return [n for n, fate in self.columns.items() if fate == GENERALIZE and n not in self.known]


def is_identifying(profile: ColumnProfile) -> bool:
    """Whether the column tells by itself who somebody is, or holds personal data in texts."""
    return profile.identifies or bool(profile.pii)


def _treatment_for_purpose(
    name: str, default_treatment: str, known_to_attackers: list[str], kept_names: set[str]
) -> str:
    """Generalize what attackers know, keep what the purpose needs, else the column's default."""
    if name in known_to_attackers:
        return GENERALIZE
    if name in kept_names:
        return PROTECT if default_treatment == PROTECT else KEEP_UNCHANGED
    return default_treatment


def _left_out_message(profile: ColumnProfile) -> Message:
    return Message(
        "'{column}' is left out although the purpose names it: it may identify people. Decide "
        "otherwise in `tokumei look --save` or with fates",
        column=profile.name,
    )


def _decision_messages(
    look: TableProfile,
    columns: Mapping[str, str],
    purpose: Purpose,
    known: tuple[str, ...],
    person_column: str | None,
) -> list[Message]:
    """What was taken as answered, in words."""
    notes = []
    unjudged_names = [n for n in look.questions if look[n].fate == "ask" and columns[n] == DROP]
    if unjudged_names:
        notes.append(
            Message(
                "Left out because only you can judge them: {columns} (as --answers defaults)",
                columns=shorten_names(unjudged_names, 6),
            )
        )
    dropped_names = [
        n
        for n, fate in columns.items()
        if fate == DROP and n not in unjudged_names and n != person_column
    ]
    if dropped_names:
        notes.append(Message("Left out: {columns}", columns=shorten_names(dropped_names, 6)))
    if purpose.known is None and known:
        notes.append(Message("Taken as known: {columns}", columns=shorten_names(known, 9)))
    if person_column and person_column != NO_PERSON:
        notes.append(Message("People are told apart by {column}", column=person_column))
    return notes
