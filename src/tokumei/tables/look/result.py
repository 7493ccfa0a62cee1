"""What a look finds: columns, people, questions, and the next command."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.core.written.dates import PLAIN, Style
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.look.embedded import Inside
from tokumei.tables.look.people import Exposure, Person
from tokumei.tables.look.source import Source
from tokumei.tables.look.types import FATES

_ROLES = {
    "identifier": Role.ID,
    "person": Role.ID,
    "quasi": Role.QI,
    "sensitive": Role.SA,
    "other": Role.OTHER,
}
SURE, LIKELY = 0.9, 0.7


@dataclass(frozen=True)
class Question:
    """Something that only the owner of the data knows, and the options that answer it."""

    id: str
    text: Text
    options: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """In the shape of the command line contract."""
        return {
            "id": self.id,
            "text_en": self.text.en,
            "text_ja": self.text.ja,
            "options": list(self.options),
        }


@dataclass(frozen=True)
class LookColumn:
    """One column: what it means, why, what is wrong with it, what would happen to it."""

    name: str
    role: str
    type: str
    kind: str
    confidence: float
    reason: Text
    distinct: int
    missing: int
    missing_as: dict[str, int]
    shapes: tuple[str, ...]
    shape_shares: tuple[float, ...]
    pii: tuple[Inside, ...]
    normalizations: dict[str, int]
    fate: str
    question: Question | None = None
    whole: bool = False
    unique_share: float = 0.0
    bins: tuple[int, ...] = ()
    style: Style = PLAIN

    @property
    def certainty(self) -> Text:
        """The confidence as a word."""
        if self.confidence >= SURE:
            return Text("sure", "確実")
        return Text("likely", "おそらく") if self.confidence >= LIKELY else Text("unsure", "不確か")

    @property
    def identifies(self) -> bool:
        """Whether the column tells by itself who somebody is."""
        return self.role in ("identifier", "person")

    @property
    def shows_values(self) -> bool:
        """Whether its values may be shown to whoever looks; of any other only shapes are."""
        private = self.identifies or self.pii or self.type == "free_text"
        return not private and self.fate != "ask"

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
            "reason_en": self.reason.en,
            "reason_ja": self.reason.ja,
            "distinct": self.distinct,
            "missing": self.missing,
            "missing_as": self.missing_as,
            "shapes": list(self.shapes),
            "pii": [asdict(one) for one in self.pii],
            "normalizations": [
                {"rule": rule, "cells": cells} for rule, cells in self.normalizations.items()
            ],
            "fate": self.fate,
            "question": self.question.as_json() if self.question else None,
        }


@dataclass(frozen=True, eq=False)
class Look:
    """A stranger's file, understood as far as one can without its owner."""

    source: Source
    people: bool | None
    person: Person | None
    columns: tuple[LookColumn, ...]
    exposure: Exposure | None
    warnings: tuple[Fault, ...]
    command: str
    file_rules: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> LookColumn:
        return self._named[name]

    @cached_property
    def _named(self) -> dict[str, LookColumn]:
        return {column.name: column for column in self.columns}

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.source.frame.height

    @property
    def questions(self) -> dict[str, Question]:
        """What has to be asked, by column."""
        return {column.name: column.question for column in self.columns if column.question}

    def with_roles(self, schema: Schema) -> Look:
        """The same with roles that somebody knows, and no question left about them."""
        known = {_ROLES[name]: name for name in ("identifier", "quasi", "sensitive", "other")}

        def settled(column: LookColumn) -> LookColumn:
            role = known[schema[column.name].role]
            return replace(column, role=role, fate=FATES[role], question=None)

        return replace(self, columns=tuple(settled(column) for column in self.columns))

    def schema(self) -> Schema:
        """Roles and kinds as every other command takes them."""
        columns = (Column(c.name, _ROLES[c.role], c.values, c.reason) for c in self.columns)
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
            "warnings": [fault.as_json() for fault in self.warnings],
            "command": self.command,
        }

    def __repr__(self) -> str:
        """Every column with role, type and treatment; no cell of any column."""
        rows = [("column", "role", "type", "kind", "treatment")]
        rows += [(one.name, one.role, one.type, one.kind, one.fate) for one in self.columns]
        widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([f"{self.rows:,} rows, {len(self.columns):,} columns", *lines])

    def _repr_html_(self) -> str:
        from tokumei.tables.look.page import look_fragment

        return look_fragment(self)
