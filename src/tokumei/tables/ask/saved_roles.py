"""What `anonymize --save-roles` writes beside the data: what was decided of every column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.core.text import as_json_text
from tokumei.tables.data.account import Account, Entry, Fate
from tokumei.tables.data.schema import Role
from tokumei.tables.look.days import answers_of, said_of_days
from tokumei.tables.look.rules import RULES, switched_off
from tokumei.tables.look.side_file import REST, VERSION, header_sha256

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
    content = {
        "version": VERSION,
        "columns": {
            column.name: _column(account.entries[column.name], column.kind.value)
            for column in schema.columns
        },
        "person": account.person,
        "dialect": _dialect(asked, read),
        "normalizations": {rule: rule not in off for rule in RULES},
        "answers": {
            "answers": asked.answers,
            **answers_of(said_of_days(asked.date_order, asked.two_digit_years)),
        },
        "header_sha256": header_sha256(schema.names),
    }
    return as_json_text(content)


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


def _dialect(asked: AnonymizeTable, read: Read) -> dict[str, Any]:
    source = read.source
    skipped = {"above": 0, "below": 0, "empty": 0}
    if source is None:
        encoding = None if asked.encoding == "auto" else asked.encoding
        found = {"encoding": encoding, "separator": asked.sep, "sheet": None, "header_row": 1}
        return {**found, "skipped": skipped}
    skipped = {"above": source.above, "below": source.below, "empty": source.empty}
    return {
        "encoding": source.encoding,
        "separator": source.separator,
        "sheet": source.sheet,
        "header_row": source.header_row,
        "skipped": skipped,
    }
