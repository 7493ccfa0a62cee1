"""Replaces the person column by random pseudonyms that keep a person's rows together.

    release = pseudonymize_person(release, table, "patient", rng=Randomness(seed))

Each person gets one word, drawn from the operating system unless there is a seed or key; it is
drawn for this release, and another release of the same source shares none. Who is behind it is
what the secret link tells, and nothing else does.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_value
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.message_lines import indent_message
from tokumei.core.messages import Message, join_messages
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness, content_digest, text_pseudonyms
from tokumei.tables.anonymization.in_memory import NO_IDENTIFIERS
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.column_report import ColumnTreatment
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Release, Table

_PSEUDONYM_REASON = Message("a random word for each person")


def require_person_column(method: TableMethod, name: str, person: str | None) -> None:
    """Fail unless the column is the one by which people are counted."""
    parts = method.methods if isinstance(method, Pipeline) else (method,)
    person_columns = {person, *(getattr(part, "person", None) for part in parts)} - {None, ""}
    if person_columns - {name}:
        raise UsageError(
            "{option}: people are told apart by '{columns}'; only that column can become "
            "pseudonyms",
            field="pseudonym",
            value=name,
            option=field_value("pseudonym", name),
            columns=join_messages(sorted(map(str, person_columns))),
        )


def pseudonymize_person(release: Release, table: Table, name: str, *, rng: Randomness) -> Release:
    """The release with a word for the person of each row, where the person stood in the table."""
    if name in release.public.schema.names:
        raise UsageError(
            "'{name}' is released as it is; a pseudonym would have to replace it", name=name
        )
    pseudonyms = _draw_pseudonyms(table, name, rng)[release.link].alias(name)
    public, account = _insert_column(release.public, table.schema, pseudonyms), release.account
    if account is not None:
        entry = replace(account.entries[name], fate=ColumnTreatment.PSEUDONYM, lifetime="release")
        account = replace(account, entries={**account.entries, name: entry}, person=name)
    claims = tuple(
        kept_claim
        for claim in release.claims
        if (kept_claim := _drop_from_claim(claim, name)) is not None
    )
    return replace(release, public=public, claims=claims, account=account)


def _draw_pseudonyms(table: Table, name: str, rng: Randomness) -> pl.Series:
    """A word per row of the source; who is not named is a person of his own."""
    cells = table.frame[name]
    codes = equivalence_class_codes(table.frame, [name])
    gaps = cells.is_null().to_numpy()
    people = np.where(gaps, len(codes) + np.arange(len(codes)), codes)
    _, number = np.unique(people, return_inverse=True)
    person_rng = rng.child("people").bound_to(content_digest(table.frame), name)
    taken = cells.cast(pl.String).drop_nulls().unique()
    drawn = text_pseudonyms(int(number.max(initial=-1)) + 1, taken=taken, rng=person_rng)
    return drawn[number]


def _insert_column(public: Table, order: Schema, pseudonyms: pl.Series) -> Table:
    """The column at its old place among those that are left."""
    names = [*public.schema.names, pseudonyms.name]
    names.sort(
        key=lambda name: order.names.index(name) if name in order.names else len(order.names)
    )
    column = Column(pseudonyms.name, Role.OTHER, ColumnKind.CATEGORY, _PSEUDONYM_REASON)
    columns_by_name = {
        public_column.name: public_column for public_column in public.schema.columns
    } | {pseudonyms.name: column}
    frame = public.frame.with_columns(pseudonyms).select(names)
    return Table(frame, Schema(tuple(columns_by_name[name] for name in names)))


def _drop_from_claim(claim: Claim, name: str) -> Claim | None:
    """A claim that identifiers are gone, without the column that stands there in other words."""
    if claim.rule != NO_IDENTIFIERS or name not in claim.params["columns"]:
        return claim
    rest = [column for column in claim.params["columns"] if column != name]
    return Claim(NO_IDENTIFIERS, {**claim.params, "columns": rest}) if rest else None


def describe_linkage(public: Table, name: str) -> Message:
    """A sentence: how many people have rows that, taken together, nobody else has."""
    others = [column for column in public.schema.names if column != name]
    rows = pl.DataFrame(
        {"person": public.frame[name], "row": equivalence_class_codes(public.frame, others)}
    )
    lists = rows.group_by("person").agg(pl.col("row").sort().cast(pl.String)).select(
        pl.col("row").list.join(",")
    )  # fmt: skip
    counts = lists.group_by("row").len()
    unique_people, people = int((counts["len"] == 1).sum()), lists.height
    line = Message(
        "rows of one person are linked by {column}, for this release only: {unique_people:,} of "
        "{people:,} people have rows that, taken together, nobody else has",
        column=name,
        unique_people=unique_people,
        people=people,
    )
    return indent_message(line)
