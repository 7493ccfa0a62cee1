"""What a column of a stranger's table really is, in the conventions of the labelled corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_ANY = ("quasi", "other", "sensitive")
_CATEGORY = [
    "flag",
    "code",
    "score",
    "item",
    "store",
    "occupation",
    "education",
    "race",
    "country",
    "marital",
    "diagnosis",
]
_NUMBERS = ("measure", "count", "score", "amount", "quantity", "price")
_IDS = ("member_id", "record_id", "username", "device_id")

CONVENTIONS: dict[str, tuple[str, Sequence[str], Sequence[str], str]] = {
    # type: role, other roles that are right, other types that are right, kind
    "name": ("identifier", (), (), "text"),
    "kana": ("identifier", (), ("name",), "text"),
    "email": ("identifier", (), (), "text"),
    "phone": ("identifier", (), (), "text"),
    "address": ("identifier", (), (), "text"),
    "postal": ("quasi", (), (), "category"),
    "prefecture": ("quasi", (), ("category", "city"), "category"),
    "city": ("quasi", (), ("category", "address"), "category"),
    "country": ("quasi", (), ("category",), "category"),
    "lat": ("quasi", ("identifier",), (), "numeric"),
    "lon": ("quasi", ("identifier",), (), "numeric"),
    "birth_date": ("quasi", (), (), "date"),
    "birth_year": ("quasi", (), ("year",), "numeric"),
    "age": ("quasi", (), (), "numeric"),
    "sex": ("quasi", (), (), "category"),
    "marital": ("quasi", (), ("category", "flag"), "category"),
    "education": ("quasi", (), ("category",), "category"),
    "occupation": ("quasi", ("other",), ("category",), "category"),
    "organization": ("quasi", ("other",), ("category", "store"), "category"),
    "race": ("quasi", ("sensitive",), ("category",), "category"),
    "member_id": ("person", ("identifier",), _IDS, "text"),
    "device_id": ("person", ("identifier",), _IDS, "text"),
    "username": ("identifier", ("person",), _IDS, "text"),
    "record_id": ("identifier", ("person",), (*_IDS, "row_number"), "text"),
    "row_number": ("identifier", ("person", "other"), _IDS, "numeric"),
    "my_number": ("identifier", ("person",), (), "text"),
    "insurance_no": ("identifier", ("person",), _IDS, "text"),
    "passport": ("identifier", ("person",), _IDS, "text"),
    "ssn": ("identifier", ("person",), _IDS, "text"),
    "card": ("identifier", (), (), "text"),
    "bank_account": ("identifier", (), _IDS, "text"),
    "ip": ("identifier", ("person",), (), "text"),
    "url": ("identifier", ("other", "quasi"), (), "text"),
    "user_agent": ("quasi", ("identifier", *_ANY), ("free_text", "category"), "text"),
    "amount": ("sensitive", (), _NUMBERS, "numeric"),
    "price": ("other", ("sensitive", "quasi"), _NUMBERS, "numeric"),
    "quantity": ("other", ("sensitive", "quasi"), _NUMBERS, "numeric"),
    "count": ("sensitive", ("quasi", "other"), _NUMBERS, "numeric"),
    "score": ("sensitive", ("quasi", "other"), (*_NUMBERS, "category"), "numeric"),
    "measure": ("sensitive", ("quasi", "other"), _NUMBERS, "numeric"),
    "weight": ("other", ("sensitive", "quasi"), _NUMBERS, "numeric"),
    "date": ("quasi", ("sensitive",), ("datetime",), "date"),
    "datetime": ("quasi", ("sensitive",), ("date",), "date"),
    "year": ("quasi", ("sensitive", "other"), ("count", "date"), "numeric"),
    "time": ("quasi", ("sensitive", "other"), ("category", "datetime"), "text"),
    "diagnosis": ("sensitive", ("quasi",), ("category", "code", "free_text"), "category"),
    "flag": ("other", ("quasi", "sensitive"), ("category",), "category"),
    "category": ("quasi", ("other", "sensitive"), _CATEGORY, "category"),
    "code": ("other", ("quasi", "sensitive"), ("category",), "category"),
    "jan": ("other", ("quasi", "sensitive"), ("code", "item"), "category"),
    "item": ("other", ("quasi", "sensitive"), ("category", "free_text", "code"), "category"),
    "store": ("other", ("quasi", "sensitive"), ("category", "code", "organization"), "category"),
    "free_text": ("sensitive", ("identifier",), (), "text"),
}


@dataclass(frozen=True)
class Col:
    """A column: its name, what it is, its cells; the rest follows from the conventions."""

    name: str
    type: str
    cells: Sequence[Any]
    role: str = ""
    accept: Sequence[str] | None = None
    types: Sequence[str] = ()
    kind: str = ""
    pii: Sequence[str] = ()

    def label(self, people: bool) -> dict[str, Any]:
        """The label in the shape of the corpus."""
        role, accept, types, kind = CONVENTIONS[self.type]
        if not people:
            accept = {*accept, role, *_ANY} if role in ("identifier", "person") else _ANY
            role = "other"
        return {
            "name": self.name,
            "role": self.role or role,
            "accept": list(accept if self.accept is None else self.accept),
            "type": self.type,
            "accept_types": [*types, *self.types],
            "kind": self.kind or kind,
            "pii": list(self.pii),
        }


@dataclass(frozen=True)
class Stranger:
    """A table and how it lies in its file."""

    file: str
    columns: Sequence[Col]
    people: bool = True
    person: str | None = None
    several: bool = False
    encoding: str = "utf-8"
    separator: str = ","
    header: bool = True
    titles: Sequence[Sequence[str]] = ()
    totals: Sequence[Sequence[str]] = ()
    quote_all: bool = False
    sheet: str | None = None
    others: Sequence[str] = field(default=())

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return len(self.columns[0].cells)

    def label(self) -> dict[str, Any]:
        """Everything a judge of the detector needs."""
        return {
            "file": self.file,
            "people": self.people,
            "person": self.person,
            "several_rows_per_person": self.several,
            "rows": self.rows,
            "encoding": None if self.sheet else self.encoding,
            "separator": None if self.sheet else self.separator,
            "sheet": self.sheet,
            "header_row": len(self.titles) + 1 if self.header else None,
            "footer_rows": len(self.totals),
            "columns": [column.label(self.people) for column in self.columns],
        }
