"""Report on every column of a release: treatment, decision, and what was found in it.

plan_columns(table, profile, method, consent).account   # refuses what nobody consented to
account = account.settled(source, public, link, claims) # what really became of every column
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.core.fields import field_values
from tokumei.core.message_lines import indent_message
from tokumei.core.messages import Message, join_messages
from tokumei.core.provenance import Claim
from tokumei.files.column_types import decode_categories
from tokumei.tables.data.schema import Role
from tokumei.tables.data.weighted_rows import COUNT_COLUMN

if TYPE_CHECKING:
    from tokumei.tables.data.table import Table


class ColumnTreatment(StrEnum):
    """What becomes of a column."""

    GENERALIZED = "generalized"
    PROTECTED = "protected"
    DROPPED = "dropped"
    PSEUDONYM = "pseudonym"
    EXPOSED = "exposed"
    SCRUBBED = "scrubbed"
    PASSED = "passed"


TREATMENT_LABELS = {
    ColumnTreatment.GENERALIZED: Message("generalized where needed"),
    ColumnTreatment.PROTECTED: Message("protected"),
    ColumnTreatment.DROPPED: Message("dropped"),
    ColumnTreatment.PSEUDONYM: Message("replaced by random pseudonyms, for this release only"),
    ColumnTreatment.EXPOSED: Message("exact values remain in"),
    ColumnTreatment.SCRUBBED: Message("text kept, found personal data replaced"),
    ColumnTreatment.PASSED: Message("passed unchanged"),
}


_TEXT_KEEPING_TREATMENTS = (
    ColumnTreatment.EXPOSED,
    ColumnTreatment.PASSED,
    ColumnTreatment.PROTECTED,
)
"""What leaves texts as they are, or moves them to other rows."""


@dataclass(frozen=True)
class ReleaseDecisions:
    """Decisions of the data custodian on columns that would otherwise stop a release.

    `passed`: released although they may identify. `rest`: columns without a role pass, too.
    `qi`: generalized although they may identify. Where roles are inferred, `dropped` go whatever
    they look like, and with `defaults` those in doubt do.
    `person`: the column that tells people apart, "none" if every row is another person.
    """

    passed: tuple[str, ...] = ()
    rest: bool = False
    qi: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    defaults: bool = False
    person: str = ""
    sets: tuple[str, ...] = ()
    """QI whose values may be listed in sets, "all" for every one."""
    scrubbed: tuple[str, ...] = ()
    """Texts that are released with the personal data found in them replaced."""
    identifiers: tuple[str, ...] = ()
    """Columns that somebody called identifiers: where one repeats, rows are not people."""


NO_DECISIONS = ReleaseDecisions()


@dataclass(frozen=True)
class ColumnEntry:
    """One column: its fate, its role, what its cells look like, and what was consented to."""

    fate: ColumnTreatment
    role: Role
    type: str
    reason: Message
    consent: str | None = None
    lifetime: str | None = None
    """How long a pseudonym is valid: `release`, for this one only; None: there is none."""
    is_loss: bool = False
    """Whether it was dropped although it says of nobody who that is: information is lost."""
    hidden_cells: int = 0
    """How many texts that too few people have became `*`."""
    unread_cells: int = 0
    """How many cells that are neither number nor day, in a column of them, became gaps."""

    def as_json(self) -> dict[str, object]:
        """Plain data for the manifest; no cell is in it."""
        return {
            "fate": self.fate.value,
            "role": self.role.value,
            "type": self.type,
            "consent": self.consent,
            "reason": self.reason.texts(),
            "reason_code": self.reason.stable_code,
            **({} if self.lifetime is None else {"lifetime": self.lifetime}),
            **({"is_loss": True} if self.is_loss else {}),
            **({"hidden_cells": self.hidden_cells} if self.hidden_cells else {}),
            **({"unread_cells": self.unread_cells} if self.unread_cells else {}),
        }


@dataclass(frozen=True)
class ColumnReport:
    """Every column of the source with its fate."""

    entries: Mapping[str, ColumnEntry] = field(default_factory=dict)
    looked_at: int = 0
    """How many rows were looked at to tell what the columns are."""
    person: str | None = None
    """The column by which people were counted; None: rows were."""
    answers: Mapping[str, object] = field(default_factory=dict)
    """The user's answers on how cells are written; a comparison reads cells by them, too."""

    def names(self, fate: ColumnTreatment) -> list[str]:
        """The columns with a fate."""
        return [name for name, entry in self.entries.items() if entry.fate is fate]

    def settled(self, claims: Iterable[Claim], changed: Iterable[str]) -> ColumnReport:
        """With the fates that came about: columns that no claim bounds and no method changed."""
        untouched = {*self.entries} - claimed_columns(claims) - {*changed}
        entries = {
            name: replace(entry, fate=ColumnTreatment.EXPOSED)
            if name in untouched
            and entry.fate in (ColumnTreatment.GENERALIZED, ColumnTreatment.PROTECTED)
            else entry
            for name, entry in self.entries.items()
        }
        return replace(self, entries=entries)

    def with_unread_cells(self, unread_cells: Mapping[str, int]) -> ColumnReport:
        """With how many cells of which columns became gaps because they could not be read."""
        entries = {
            name: replace(entry, unread_cells=unread_cells.get(name, 0))
            for name, entry in self.entries.items()
        }
        return replace(self, entries=entries)

    def with_hidden_cells(self, hidden_cells: Mapping[str, int]) -> ColumnReport:
        """With how many texts of which columns became `*`."""
        entries = {
            name: replace(entry, hidden_cells=hidden_cells.get(name, 0))
            for name, entry in self.entries.items()
        }
        return replace(self, entries=entries)

    def lines(self) -> list[Message]:
        """One line per fate; columns that somebody named in spite of an alarm are marked."""
        return [
            *(self._treatment_line(fate) for fate in ColumnTreatment if self.names(fate)),
            *self._free_text_lines(),
            *self._hidden_lines(),
        ]

    def as_json(self) -> dict[str, object]:
        """Plain data for the manifest."""
        return {
            "account": {name: entry.as_json() for name, entry in self.entries.items()},
            "looked_at": self.looked_at,
            "person": self.person,
            **({"answers": dict(self.answers)} if self.answers else {}),
        }

    def _hidden_lines(self) -> list[Message]:
        """Columns in which texts that too few people have became `*`."""
        return [
            indent_message(
                Message(
                    "'{column}': {cells} cell is * because too few people have its text; keep it "
                    "with {option}",
                    plural="'{column}': {cells:,} cells are * because too few people have their "
                    "texts; keep them with {option}",
                    count=entry.hidden_cells,
                    column=name,
                    cells=entry.hidden_cells,
                    option=field_values("passed", [name]),
                )
            )
            for name, entry in self.entries.items()
            if entry.hidden_cells
        ]

    def _free_text_lines(self) -> list[Message]:
        """Texts that stay: what stands in them was looked for, and may be there all the same."""
        kept_texts = [
            name
            for name, entry in self.entries.items()
            if entry.type == "free_text" and entry.fate in _TEXT_KEEPING_TREATMENTS
        ]
        if not kept_texts:
            return []
        line = Message(
            "text was kept in {columns}; names in it cannot be ruled out",
            columns=join_messages(kept_texts),
        )
        return [indent_message(line)]

    def _treatment_line(self, fate: ColumnTreatment) -> Message:
        columns = (
            Message.verbatim(name)
            if self.entries[name].consent is None
            else Message("{column} (by consent)", column=name)
            for name in self.names(fate)
        )
        line = Message(
            "{treatment}: {columns}",
            treatment=TREATMENT_LABELS[fate],
            columns=join_messages(columns),
        )
        return indent_message(line)


def claimed_columns(claims: Iterable[Claim]) -> set[str]:
    """The columns that a claim is about."""
    keys = ("columns", "sensitive")
    return {name for claim in claims for key in keys for name in claim.params.get(key, ())}


def changed_columns(
    before: pl.DataFrame, after: pl.DataFrame, link: np.ndarray, names: Sequence[str]
) -> list[str]:
    """Which of the columns have another cell in some row than in the row it comes from."""
    common = [name for name in names if name in before.columns and name in after.columns]
    return [n for n in common if not _columns_equal(before[n].gather(link), after[n])]


def _columns_equal(before: pl.Series, after: pl.Series) -> bool:
    if before.dtype != after.dtype:
        before, after = before.cast(pl.String), after.cast(pl.String)
    return before.equals(after, null_equal=True)


def has_same_rows(source: Table, public: Table) -> bool:
    """Whether the public table holds the source's rows (in its own columns) as they are."""
    names = public.schema.names
    before, after = source.frame.select(names), public.frame
    if before.height != after.height:
        return False
    # Rows that differ mostly differ in a QI alone, which is much quicker to see; above all if
    # its numbers have become text.
    numeric = [
        {name: frame.schema[name].is_numeric() for name in names} for frame in (before, after)
    ]
    qi = sorted(public.schema.qi, key=lambda name: numeric[0][name] == numeric[1][name])
    for name in qi:
        # Cells that the source does not have are seen without counting.
        new = after[name].unique().cast(pl.String)
        if not new.is_in(before[name].unique().cast(pl.String).implode(), nulls_equal=True).all():
            return False
    for name in [*qi, *names]:
        if not _count_distinct_rows(before.select(name)).equals(
            _count_distinct_rows(after.select(name))
        ):
            return False
    return _count_distinct_rows(before).equals(_count_distinct_rows(after))


def _count_distinct_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """Every distinct row with its number, sorted."""
    return decode_categories(frame.group_by(frame.columns).len(COUNT_COLUMN)).sort(frame.columns)
