"""Saves beside the data what was decided about every column, for later commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.messages import Message
from tokumei.files.writing import write_text
from tokumei.tables.data.column_report import ColumnEntry, ColumnReport, ColumnTreatment
from tokumei.tables.data.schema import Role
from tokumei.tables.profiling.column_types import DEFAULT_TREATMENTS
from tokumei.tables.profiling.normalization_rules import date_answers, parse_date_decisions
from tokumei.tables.profiling.profile_file import (
    UNNAMED_CONSENT,
    format_profile_content,
    profile_path,
    with_scenario,
)

if TYPE_CHECKING:
    from tokumei.tables.services.read_table import ReadTable
    from tokumei.tables.services.requests import TableRequest

_ROLE_NAMES = {Role.ID: "identifier", Role.QI: "quasi", Role.SA: "sensitive", Role.OTHER: "other"}
_KIND_NAMES = {"integer": "numeric", "real": "numeric", "date": "date", "category": "category"}


def save_roles(request: TableRequest, table_file: ReadTable, account: ColumnReport) -> Message:
    """Write the side file, which holds no cell; return where it is."""
    schema = table_file.table.schema
    columns = {
        column.name: _column_json(account.entries[column.name], column.kind.value)
        for column in schema.columns
    }
    answers = date_answers(parse_date_decisions(request.date_order, request.two_digit_years))
    answers = {"answers": request.answers, **answers}
    dialect = (
        _dialect_of_strict_reading(request)
        if table_file.source is None
        else table_file.source.dialect
    )
    roles_path = profile_path(request.data)
    roles_text = format_profile_content(
        columns, account.person, dialect, request.no_normalize, answers
    )
    write_text(with_scenario(roles_text, request.scenario), roles_path)
    return Message("Roles written to {path}", path=roles_path)


def _column_json(entry: ColumnEntry, kind: str) -> dict[str, object]:
    return {
        "role": _ROLE_NAMES[entry.role],
        "type": entry.type,
        "kind": _KIND_NAMES.get(kind, "category"),
        "fate": _saved_fate(entry),
        "consent": UNNAMED_CONSENT
        if entry.consent is None and entry.fate is ColumnTreatment.PASSED
        else entry.consent,
    }


def _saved_fate(entry: ColumnEntry) -> str:
    """As side files call it; what was scrubbed has to be scrubbed, and so asked about, again."""
    if entry.fate is ColumnTreatment.SCRUBBED:
        return "ask"
    if entry.fate in (ColumnTreatment.DROPPED, ColumnTreatment.PSEUDONYM):
        return "drop"
    return DEFAULT_TREATMENTS[_ROLE_NAMES[entry.role]]


def _dialect_of_strict_reading(request: TableRequest) -> dict[str, object]:
    encoding = None if request.encoding == "auto" else request.encoding
    dialect = {"encoding": encoding, "separator": request.sep, "sheet": None, "header_row": 1}
    return {**dialect, "skipped": {"above": 0, "below": 0, "empty": 0}}
