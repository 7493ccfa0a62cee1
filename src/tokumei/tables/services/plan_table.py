"""Plans what becomes of every column of a table before a method runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tokumei.core.generalized_cells import LineOfRow
from tokumei.tables.data.table import Table
from tokumei.tables.services.read_table import ReadTable, open_table_file
from tokumei.tables.services.requests import RoleNames, TableRequest

if TYPE_CHECKING:
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.tables.anonymization.column_plan import ColumnPlan, ParsingOptions
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.profiling.profile import TableProfile

    TableData = ReadTable | Table | ArrowFrame


def plan_table_file(
    request: TableRequest, build: Callable[[TableRequest], TableMethod]
) -> tuple[TableRequest, ColumnPlan]:
    """Open the table of a file and plan what becomes of every column, for the method built."""
    opened = open_table_file(request)
    planned = plan_table(opened.request, opened.read, build(opened.request))
    return opened.request, planned._replace(notes=[*opened.notes, *planned.notes])


def plan_table(
    request: TableRequest,
    source: TableData,
    method: TableMethod,
    *,
    profile: TableProfile | None = None,
) -> ColumnPlan:
    """Plan what becomes of every column of a table that was read, a frame or a Table.

    Texts of a file or frame that stand for numbers, days or gaps are read as such; of a Table only
    if the request says how. `profile` is that of the table, if it was taken before.
    """
    from tokumei.tables.anonymization.column_plan import ParsingOptions, plan_columns

    if isinstance(source, ReadTable):
        return _plan_read_table(request, source, method, profile)
    is_table = isinstance(source, Table)
    inferred = request.inferred and not is_table
    roles = _added_roles(request, source) if isinstance(source, Table) else request.roles
    table = Table.of(source, **roles, kinds=request.kind or None)
    consent = request.consent
    if is_table and request.identifiers is None and not request.id:
        consent = replace(consent, identifiers=tuple(table.schema.ids))
    reading = _cell_reading(request, None)
    stated = not is_table or reading != ParsingOptions(None, said=reading.said)
    planned = plan_columns(
        table,
        method,
        consent,
        inferred=inferred,
        reading=reading if stated else None,
        profile=profile,
    )
    return planned if stated else planned._replace(notes=[])


def _plan_read_table(
    request: TableRequest, read: ReadTable, method: TableMethod, profile: TableProfile | None
) -> ColumnPlan:
    """Plan what becomes of every column of a table that was read from a file."""
    from tokumei.tables.anonymization.column_plan import plan_columns

    table = read.table
    if not request.inferred:
        schema = table.schema.with_roles(**request.roles)
        # Whoever began to work on the table itself can tell that its roles were right.
        table = table if schema == table.schema else replace(table, schema=schema)
    planned = plan_columns(
        table,
        method,
        request.consent,
        inferred=request.inferred,
        reading=_cell_reading(request, read.line_of),
        profile=profile,
    )
    planned.method.require(planned.table, read.line_of)
    role_remarks = []
    if request.inferred:
        from tokumei.tables.services.read_comparison import role_notes

        role_remarks = role_notes(planned.table.schema)
    return planned._replace(notes=[*read.notes, *role_remarks, *planned.notes])


def _added_roles(request: TableRequest, table: Table) -> RoleNames:
    """The roles of the request; identifiers alone are added to the roles that a Table has."""
    if not (request.inferred and request.dropped):
        return {**request.roles, "ids": request.dropped or None}
    schema = table.schema
    qi, sa = (
        tuple(n for n in names if n not in request.dropped) for names in (schema.qi, schema.sa)
    )
    return {"qi": qi, "sa": sa, "ids": tuple(dict.fromkeys((*schema.ids, *request.dropped)))}


def _cell_reading(request: TableRequest, line_of: LineOfRow | None) -> ParsingOptions:
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
