"""Saves beside the data what was decided about every column, for later commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.core.text import Text
from tokumei.files.writing import write_text
from tokumei.tables.data.account import Account, Entry, Fate
from tokumei.tables.data.schema import Role
from tokumei.tables.look.days import answers_of, said_of_days
from tokumei.tables.look.side_file import REST, side_path, written
from tokumei.tables.look.types import FATES

if TYPE_CHECKING:
    from tokumei.tables.services.read_table import ReadTable
    from tokumei.tables.services.requests import TableRequest

_ROLES = {Role.ID: "identifier", Role.QI: "quasi", Role.SA: "sensitive", Role.OTHER: "other"}
_KINDS = {"integer": "numeric", "real": "numeric", "date": "date", "category": "category"}


def save_roles(request: TableRequest, read: ReadTable, account: Account) -> Text:
    """Write the side file, which holds no cell; return where it is."""
    schema = read.table.schema
    columns = {
        column.name: _column(account.entries[column.name], column.kind.value)
        for column in schema.columns
    }
    answers = answers_of(said_of_days(request.date_order, request.two_digit_years))
    answers = {"answers": request.answers, **answers}
    dialect = _strict_dialect(request) if read.source is None else read.source.dialect
    place = side_path(request.data)
    write_text(written(columns, account.person, dialect, request.no_normalize, answers), place)
    return Text(f"Roles written to {place}", f"役割の書き込み先: {place}")


def _column(entry: Entry, kind: str) -> dict[str, Any]:
    return {
        "role": _ROLES[entry.role],
        "type": entry.type,
        "kind": _KINDS.get(kind, "category"),
        "fate": _fate(entry),
        "consent": REST if entry.consent is None and entry.fate is Fate.PASSED else entry.consent,
    }


def _fate(entry: Entry) -> str:
    """As side files call it; what was scrubbed has to be scrubbed, and so asked about, again."""
    if entry.fate is Fate.SCRUBBED:
        return "ask"
    if entry.fate in (Fate.DROPPED, Fate.PSEUDONYM):
        return "drop"
    return FATES[_ROLES[entry.role]]


def _strict_dialect(request: TableRequest) -> dict[str, Any]:
    encoding = None if request.encoding == "auto" else request.encoding
    found = {"encoding": encoding, "separator": request.sep, "sheet": None, "header_row": 1}
    return {**found, "skipped": {"above": 0, "below": 0, "empty": 0}}
