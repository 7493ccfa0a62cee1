"""Plans what becomes of every column of a table before a method runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import LineOfRow
from tokumei.core.message_lines import indent_message
from tokumei.core.messages import Message, join_messages
from tokumei.core.parsing.dates import NO_PREFERENCES
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.services.read_table import ReadTable, open_table_file
from tokumei.tables.services.requests import RoleNames, TableRequest

if TYPE_CHECKING:
    from tokumei.tables.anonymization.column_plan import ColumnPlan, ParsingOptions
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.profiling.profile import TableProfile


def plan_table_file(
    request: TableRequest, build: Callable[[TableRequest], TableMethod]
) -> tuple[TableRequest, ColumnPlan]:
    """Open the table of a file and plan what becomes of every column, for the method built."""
    opened = open_table_file(request)
    planned = plan_table(opened.request, opened.read, build(opened.request))
    return opened.request, planned._replace(notes=[*opened.notes, *planned.notes])


def plan_table(
    request: TableRequest,
    source: object,
    method: TableMethod,
    *,
    profile: TableProfile | None = None,
) -> ColumnPlan:
    """Plan what becomes of every column of a table that was read, a frame or a Table.

    Texts of a file or frame that stand for numbers, days or gaps are read as such; of a Table only
    if the request says how. `profile` is that of the table, if it was taken before.
    """
    from tokumei.tables.anonymization.column_plan import ParsingOptions, plan_columns
    from tokumei.tables.profiling.first_rows import profile_sample
    from tokumei.tables.profiling.redaction import redact_columns

    read = source if isinstance(source, ReadTable) else None
    table, notes = _table_of(request, source), list[Message]()
    consent, inferred = request.consent, request.inferred
    reading: ParsingOptions | None = _parsing_options(request, read and read.line_of)
    if isinstance(source, Table):
        inferred = False
        if request.identifiers is None and not request.id:
            consent = replace(consent, identifiers=tuple(table.schema.ids))
        if reading == ParsingOptions(None, said=tuple(request.kind)):
            reading = None
    if consent.scrubbed:
        table, notes = redact_columns(table, consent.scrubbed)
    if profile is None or consent.scrubbed:
        off, days = ((), NO_PREFERENCES) if reading is None else (reading.off, reading.days)
        # A column with a role leaves by its role; only of the others there is something to ask.
        roleless = [column.name for column in table.schema.columns if column.role is Role.OTHER]
        profile = profile_sample(
            table.frame, off, days, question_columns=None if inferred else roleless
        )
    planned = plan_columns(table, profile, method, consent, inferred=inferred, reading=reading)
    if read is not None:
        planned.method.require(planned.table, read.line_of)
        notes = [*read.notes, *(role_notes(planned.table.schema) if inferred else []), *notes]
    return planned._replace(notes=[] if reading is None else [*notes, *planned.notes])


def role_notes(schema: Schema, fields: Sequence[str] = ("qi", "sa", "id")) -> list[Message]:
    """How every column was understood, and why; the fields change it."""
    options = join_messages(map(field_name, fields))
    notes = [Message("Roles inferred (override with {options}):", options=options)]
    for column in schema.columns:
        line = Message(
            "{column}: {role}, {kind} ({reason})",
            column=column.name,
            role=column.role.words,
            kind=column.kind.words,
            reason=column.reason,
        )
        notes.append(indent_message(line))
    return notes


def _table_of(request: TableRequest, source: object) -> Table:
    """The table with the roles of the request; the same object if it was read with them."""
    if not isinstance(source, ReadTable):
        roles = _added_roles(request, source) if isinstance(source, Table) else request.roles
        return Table.of(source, **roles, kinds=request.kind or None)
    if request.inferred:
        return source.table
    schema = source.table.schema.with_roles(**request.roles)
    return source.table if schema == source.table.schema else replace(source.table, schema=schema)


def _added_roles(request: TableRequest, table: Table) -> RoleNames:
    """The roles of the request; identifiers alone are added to the roles that a Table has."""
    if not (request.inferred and request.dropped):
        return {**request.roles, "ids": request.dropped or None}
    schema = table.schema
    qi, sa = (
        tuple(n for n in names if n not in request.dropped) for names in (schema.qi, schema.sa)
    )
    return {"qi": qi, "sa": sa, "ids": tuple(dict.fromkeys((*schema.ids, *request.dropped)))}


def _parsing_options(request: TableRequest, line_of: LineOfRow | None) -> ParsingOptions:
    """How the cells of quasi-identifiers and sensitive columns are understood."""
    from tokumei.tables.anonymization.column_plan import ParsingOptions
    from tokumei.tables.profiling.normalization_rules import parse_date_decisions

    return ParsingOptions(
        line_of,
        request.no_normalize,
        request.bad_cells == "missing",
        request.plain,
        parse_date_decisions(request.date_order, request.two_digit_years),
        tuple(request.kind),
    )
