"""What `anonymize --save-roles` writes beside the data: what was decided of every column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.tables.data.account import Account, Entry, Fate
from tokumei.tables.data.schema import Role
from tokumei.tables.look.days import answers_of, said_of_days
from tokumei.tables.look.rules import switched_off
from tokumei.tables.look.side_file import REST, written

if TYPE_CHECKING:
    from tokumei.tables.ask.anonymize import AnonymizeTable
    from tokumei.tables.ask.strangers import Read

_ROLES = {Role.ID: "identifier", Role.QI: "quasi", Role.SA: "sensitive", Role.OTHER: "other"}
_KINDS = {"integer": "numeric", "real": "numeric", "date": "date", "category": "category"}
_BY_ROLE = {Role.QI: "generalize", Role.SA: "protect", Role.ID: "drop", Role.OTHER: "pass"}


def roles_text(asked: AnonymizeTable, read: Read, account: Account) -> str:
    """The side file's text; no cell is in it."""
    schema = read.table.schema
    off = switched_off(asked.no_normalize)
    columns = {
        column.name: _column(account.entries[column.name], column.kind.value)
        for column in schema.columns
    }
    answers = answers_of(said_of_days(asked.date_order, asked.two_digit_years))
    answers = {"answers": asked.answers, **answers}
    dialect = _strict_dialect(asked) if read.source is None else read.source.dialect
    return written(columns, account.person, dialect, off, answers)


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
    return _BY_ROLE[entry.role]


def _strict_dialect(asked: AnonymizeTable) -> dict[str, Any]:
    encoding = None if asked.encoding == "auto" else asked.encoding
    found = {"encoding": encoding, "separator": asked.sep, "sheet": None, "header_row": 1}
    return {**found, "skipped": {"above": 0, "below": 0, "empty": 0}}
