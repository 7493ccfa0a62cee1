"""Reads the table in a file: strictly if that works, else as the profiler reads it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, TokumeiError, TooWideError, UnknownNameError
from tokumei.core.generalized_cells import LineOfRow
from tokumei.core.messages import Message, join_messages
from tokumei.files.file_formats import AnyPath, ContentGetter, FileFormat, detect_format
from tokumei.tables.data.reading import read_table as read_strictly
from tokumei.tables.data.table import Table
from tokumei.tables.services.requests import TableRequest, column_names

if TYPE_CHECKING:
    from tokumei.tables.profiling.reading.source import Source

_TAIL_ROWS = 40
_SAMPLED_ROWS = 60
_STRICT_ENCODINGS = (None, "utf-8", "utf-8-sig", "utf-16", "cp932")
"""What the strict reader knows; Latin-1 and others are read as `look` reads them."""


class ReadTable(NamedTuple):
    """A table, where its rows stand in the file, and what had to be left out of it."""

    table: Table
    line_of: LineOfRow | None
    notes: list[Message]
    source: Source | None = None
    """How `look` read it; None: strictly, names in the first line."""


def read_table(
    path: AnyPath,
    *,
    qi: str | Sequence[str] | None = None,
    sa: str | Sequence[str] | None = None,
    ids: str | Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
    sheet: str | None = None,
    header_row: int | Literal["none"] | None = None,
    encoding_errors: Literal["strict", "replace"] = "strict",
) -> Table:
    """Read the table in a file with its roles, which are inferred where none is given.

    The file is read as the command line reads it: title, total and blank lines around the table
    are skipped, with a warning that says how many. `header_row` is the line of the column names,
    or "none"; `sheet` that of a workbook; `kinds` reads columns as another kind.
    """
    request = TableRequest(
        data=str(path),
        qi=column_names(qi),
        sa=column_names(sa),
        id=column_names(ids),
        kind=kinds or {},
        sep=sep,
        encoding=encoding,
        sheet=sheet,
        header_row=None if header_row is None else str(header_row),
        encoding_errors=encoding_errors,
    )
    table_file = read_table_file(request)
    for note in table_file.notes:
        warnings.warn(str(note), stacklevel=2)
    table = table_file.table.with_text()
    return Table.of(table, ids=request.id) if request.inferred else table


def read_with_notices(request: TableRequest) -> Table:
    """Read the table of a file, text as codes; what was skipped is told at once."""
    from tokumei.core.progress import send_notice

    read = read_table_file(request)
    for note in read.notes:
        send_notice(note)
    return read.table


class OpenTable(NamedTuple):
    """A table that was read, the request with the roles saved beside its file, and remarks."""

    request: TableRequest
    read: ReadTable
    notes: list[Message]


def open_table_file(request: TableRequest, *, settled: bool = True) -> OpenTable:
    """Apply the roles saved beside a file, and read its table.

    Columns in doubt are refused unless nothing will be released (`settled=False`).
    """
    from tokumei.tables.services.apply_saved_roles import apply_saved_roles

    request, notes = apply_saved_roles(request, settled=settled)
    return OpenTable(request, read_table_file(request), notes)


def read_table_file(request: TableRequest, content: ContentGetter | None = None) -> ReadTable:
    """Read the table of a file without title, total and blank lines around it.

    `content`: the bytes, if they were read ahead.
    """
    has_dialect_options = request.sheet is not None or request.header_row is not None
    has_dialect_options |= request.encoding_errors == "replace"
    try:
        if not has_dialect_options:
            table = read_strictly(
                request.data,
                **request.roles,
                kinds=request.kind,
                sep=request.sep,
                encoding=request.encoding,
                compact=True,
                content=content,
            )
            form = detect_format(request.data)
            if form.has_records or not _needs_profiler(table):
                first_line = 1 if form is FileFormat.JSON_LINES else 2
                strict = ReadTable(table, lambda row: row + first_line, [])
                return strict if form.has_records else _drop_blank_rows(request, strict)
    except TooWideError:
        raise
    except InputError as err:
        return _read_by_profiler(request, err)
    except UnknownNameError:
        # The names may be those of a file without names; none of its cells is to be told.
        if (
            profiled := _read_by_profiler(request, None)
        ).source is None or profiled.source.header_row:
            raise
        return profiled
    return _read_by_profiler(request, None)


def _needs_profiler(table: Table) -> bool:
    """Whether a table ends with totals, or its first line seems to hold cells rather than names."""
    from tokumei.tables.profiling.reading.table_boundaries import is_total_label, looks_like_data

    last = table.frame.tail(_TAIL_ROWS)
    if is_total_label(last[last.columns[0]].cast(str)).any():
        return True
    below = table.frame.head(_SAMPLED_ROWS).select(pl.all().cast(pl.String)).rows()
    return looks_like_data(table.schema.names, below)


def _drop_blank_rows(request: TableRequest, strict: ReadTable) -> ReadTable:
    """The larger of two tables, without its rows that have no cell: those are no rows."""
    frame = strict.table.frame
    if not all(series.null_count() for series in frame):
        return strict
    blank_rows = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    filled = np.flatnonzero(~blank_rows.to_numpy())
    if len(filled) == frame.height:
        return strict
    if not len(filled):
        raise InputError("{data}: no row has a cell", data=request.data)
    profiled = _read_by_profiler(request, None)
    if profiled.source is not None and profiled.source.second is not None:
        return profiled
    blank = strict.table.rows - len(filled)
    spelled = {name: cells[filled] for name, cells in strict.table.spelled.items()}
    table = replace(strict.table.take(filled), spelled=spelled)
    return ReadTable(table, lambda row: int(filled[row]) + 2, _skipped_lines_notes(blank=blank))


def _read_by_profiler(request: TableRequest, strict: InputError | None) -> ReadTable:
    from tokumei.files.column_types import infer_column_types
    from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
    from tokumei.tables.profiling.reading.dialect import Dialect
    from tokumei.tables.profiling.reading.source import read_source

    try:
        replaced = request.encoding_errors == "replace"
        dialect = Dialect(
            request.encoding, request.sep, request.sheet, request.header_row, replaced
        )
        source = read_source(request.data, dialect)
    except TokumeiError:
        if strict is None:
            raise
        raise strict from None
    is_explained = (
        replaced or source.above or source.below or source.empty or source.header_row is None
    )
    is_explained = is_explained or source.second is not None or _lacks_only_names(request, strict)
    if strict is not None and not is_explained and source.encoding in _STRICT_ENCODINGS:
        raise strict
    frame = cast_to_kinds(
        infer_column_types(source.frame), request.kind, where=request.data, line_of=source.line_of
    )
    schema = schema_for(frame, **request.roles, where=request.data)
    spelled = {name: source.frame[name] for name in frame.columns if name not in request.kind}
    spelled = {name: cells for name, cells in spelled.items() if frame[name].dtype != cells.dtype}
    second_table_notes = [] if source.second is None else [source.second.message]
    name_notes = [describe_made_up_names(source.renamed)] if source.renamed else []
    notes = [*_describe_skipped_lines(source), *second_table_notes, *name_notes]
    if source.replaced:
        notes.append(
            Message(
                "{count} unreadable character was replaced by a mark",
                plural="{count:,} unreadable characters were replaced by a mark",
                count=source.replaced,
            )
        )
    return ReadTable(Table(frame, schema, spelled), source.line_of, notes, source)


def _lacks_only_names(request: TableRequest, strict: InputError | None) -> bool:
    """Whether only column names are missing or repeated, and names may be made up."""
    faults = () if strict is None else strict.faults
    return (
        bool(faults)
        and not request.strict
        and all(violation.rule == "header" for violation in faults)
    )


def _describe_skipped_lines(source: Source) -> list[Message]:
    return _skipped_lines_notes(source.above, source.below, source.empty)


def _skipped_lines_notes(titles: int = 0, totals: int = 0, blank: int = 0) -> list[Message]:
    counts = (
        (Message("title lines ({number})"), titles),
        (Message("total or remark lines ({number})"), totals),
        (Message("blank lines ({number})"), blank),
    )
    skipped = join_messages(label.fill(number=number) for label, number in counts if number)
    return (
        [Message("Not read as rows: {lines}", lines=skipped)] if titles or totals or blank else []
    )


def describe_made_up_names(names: Sequence[str]) -> Message:
    """What is said of columns that the file gave no name of their own."""
    return Message(
        "Columns without a name of their own in the file are called: {columns}",
        columns=join_messages(names),
    )
