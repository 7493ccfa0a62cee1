"""The profile of a table: columns, people, questions, next command."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DEFAULT_DATE_STYLE, DateStyle
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.profiling.column_types import DEFAULT_TREATMENTS
from tokumei.tables.profiling.detection.embedded_pii import EmbeddedPii
from tokumei.tables.profiling.detection.person_column import Exposure, PersonColumn
from tokumei.tables.profiling.reading.source import Source

_SCHEMA_ROLES = {
    "identifier": Role.ID,
    "person": Role.ID,
    "quasi": Role.QI,
    "sensitive": Role.SA,
    "other": Role.OTHER,
}
SURE_CONFIDENCE, LIKELY_CONFIDENCE = 0.9, 0.7
_NUMBERING_TYPES = ("member_id", "record_id", "device_id", "row_number", "code", "count")
"""What numbers people or things."""
_NEARLY_UNIQUE, _FEW_VALUES = 0.98, 0.05
"""Shares of different values: numbers that do not repeat; groups such as shops or regions, whose
values number nobody."""


@dataclass(frozen=True)
class OwnerQuestion:
    """Something that only the owner of the data knows, and the options that answer it."""

    id: str
    text: Message
    options: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """In the shape of the command line contract."""
        return {"id": self.id, **self.text.as_json("text"), "options": list(self.options)}


@dataclass(frozen=True)
class ColumnProfile:
    """One column: what it means, why, what is wrong with it, what would happen to it."""

    name: str
    role: str
    type: str
    kind: str
    confidence: float
    reason: Message
    distinct: int
    missing: int
    pii: tuple[EmbeddedPii, ...]
    normalizations: dict[str, int]
    fate: str
    question: OwnerQuestion | None = None
    whole: bool = False
    unique_share: float = 0.0
    style: DateStyle = DEFAULT_DATE_STYLE
    missing_as: dict[str, int] = field(default_factory=dict)
    """How missing cells are written. This and the following are only shown; nothing depends on it,
    and a profile that nobody looks at has none of it."""
    shapes: tuple[str, ...] = ()
    shape_shares: tuple[float, ...] = ()
    bins: tuple[int, ...] = ()

    def repeats_numbers(self, rows: int) -> bool:
        """Whether it, as an identifier, numbers people who have several of the table's rows.

        Names, addresses and remarks, which different people share, and categories of a few values
        do not count: they do not say how many people there are.
        """
        filled = rows - self.missing
        has_many_values = self.type == "category" and self.distinct >= _FEW_VALUES * filled
        numbers = self.type in _NUMBERING_TYPES or has_many_values
        return numbers and self.distinct < _NEARLY_UNIQUE * filled

    @property
    def certainty(self) -> Message:
        """The confidence as a word."""
        if self.confidence >= SURE_CONFIDENCE:
            return Message("sure")
        return Message("likely") if self.confidence >= LIKELY_CONFIDENCE else Message("unsure")

    @property
    def identifies(self) -> bool:
        """Whether the column tells by itself who somebody is."""
        return self.role in ("identifier", "person")

    @property
    def shows_values(self) -> bool:
        """Whether its values may be shown to whoever looks; of any other only shapes are."""
        is_private = self.identifies or self.pii or self.type == "free_text"
        return not is_private and self.fate != "ask"

    @property
    def values(self) -> ColumnKind:
        """What kind of values they are, as every other command calls it."""
        if self.kind == "date":
            return ColumnKind.DATE
        if self.kind == "numeric":
            return ColumnKind.INTEGER if self.whole else ColumnKind.REAL
        return ColumnKind.CATEGORY

    def as_json(self) -> dict[str, Any]:
        """In the shape of the command line contract."""
        return {
            "name": self.name,
            "role": self.role,
            "type": self.type,
            "kind": self.kind,
            "confidence": round(self.confidence, 2),
            **self.reason.as_json("reason"),
            "distinct": self.distinct,
            "missing": self.missing,
            "missing_as": self.missing_as,
            "shapes": list(self.shapes),
            "pii": [asdict(pii) for pii in self.pii],
            "normalizations": [
                {"rule": rule, "cells": cells} for rule, cells in self.normalizations.items()
            ],
            "fate": self.fate,
            "question": self.question.as_json() if self.question else None,
        }


@dataclass(frozen=True, eq=False)
class TableProfile:
    """A stranger's file, understood as far as one can without its owner."""

    source: Source
    people: bool | None
    person: PersonColumn | None
    columns: tuple[ColumnProfile, ...]
    warnings: tuple[Violation, ...] = ()
    exposure: Exposure | None = None
    """How many rows are unique. This and the following are only shown, as in `ColumnProfile`."""
    command: str = ""
    file_rules: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> ColumnProfile:
        return self._columns_by_name[name]

    @cached_property
    def _columns_by_name(self) -> dict[str, ColumnProfile]:
        return {column.name: column for column in self.columns}

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.source.frame.height

    @property
    def questions(self) -> dict[str, OwnerQuestion]:
        """What has to be asked, by column."""
        return {column.name: column.question for column in self.columns if column.question}

    def with_roles(self, schema: Schema) -> TableProfile:
        """The same with roles that somebody knows, and no question left about them."""
        role_names = {
            _SCHEMA_ROLES[name]: name for name in ("identifier", "quasi", "sensitive", "other")
        }

        def with_known_role(column: ColumnProfile) -> ColumnProfile:
            role = role_names[schema[column.name].role]
            return replace(column, role=role, fate=DEFAULT_TREATMENTS[role], question=None)

        return replace(self, columns=tuple(with_known_role(column) for column in self.columns))

    def schema(self) -> Schema:
        """Roles and kinds as every other command takes them."""
        columns = (Column(c.name, _SCHEMA_ROLES[c.role], c.values, c.reason) for c in self.columns)
        return Schema(tuple(columns))

    def as_json(self) -> dict[str, Any]:
        """The whole look in the shape of the command line contract; no cell is in it."""
        source = self.source
        return {
            "ok": True,
            "file": source.file,
            "format": source.format,
            "encoding": source.encoding,
            "separator": source.separator,
            "sheet": source.sheet,
            "sheets": list(source.sheets),
            "header_row": source.header_row,
            "skipped": source.skipped,
            "rows": self.rows,
            "people": self.people,
            "person": self.person.as_json() if self.person else None,
            "columns": [column.as_json() for column in self.columns],
            "exposure": self.exposure.as_json() if self.exposure else None,
            "warnings": [violation.as_json() for violation in self.warnings],
            "command": self.command,
        }

    def __repr__(self) -> str:
        """Every column with role, type and treatment; no cell of any column."""
        rows = [("column", "role", "type", "kind", "treatment")]
        rows += [
            (column.name, column.role, column.type, column.kind, column.fate)
            for column in self.columns
        ]
        widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([f"{self.rows:,} rows, {len(self.columns):,} columns", *lines])

    def _repr_html_(self) -> str:
        from tokumei.tables.profiling.report.html_page import render_profile_fragment

        return render_profile_fragment(self)
