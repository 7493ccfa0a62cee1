"""Reading a stranger's file for `anonymize`: strictly if that works, else as `look` reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.cells import LineOf
from tokumei.core.errors import InputError, TokumeiError, TooWideError, UnknownNameError
from tokumei.core.text import Text
from tokumei.files.containers import Content, Format, format_of
from tokumei.tables.ask.options import names_of_their_own
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.table import Table

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.ask.table_file import TableFile
    from tokumei.tables.look.source import Source
    from tokumei.tables.releasing.opening import Opened

_TAIL = 40
_BELOW = 60
_STRICTLY_READ = (None, "utf-8", "utf-8-sig", "utf-16", "cp932")
"""What the strict reader knows; Latin-1 and others are read as `look` reads them."""


class Read(NamedTuple):
    """A table, where its rows stand in the file, and what had to be left out of it."""

    table: Table
    line_of: LineOf
    notes: list[Text]
    source: Source | None = None
    """How `look` read it; None: strictly, names in the first line."""


def open_strangers(asked: TableFile, method: Callable[[], TableMethod]) -> Opened:
    """The table of a file with every column's fate, and all that is to be said of its reading."""
    return open_read(asked, read_strangers(asked), method())


def open_read(asked: TableFile, read: Read, method: TableMethod) -> Opened:
    """The same of a table that was read."""
    from tokumei.tables.ask.inputs import role_notes
    from tokumei.tables.look.days import said_of_days
    from tokumei.tables.releasing.cell_reading import Reading
    from tokumei.tables.releasing.opening import open_account

    opened = open_account(
        read.table,
        method,
        asked.consent,
        inferred=asked.inferred,
        reading=Reading(
            read.line_of,
            asked.no_normalize,
            asked.bad_cells == "missing",
            asked.plain,
            said_of_days(asked.date_order, asked.two_digit_years),
            tuple(asked.kind),
        ),
    )
    opened.method.require(opened.table, read.line_of)
    notes = [*read.notes, *(role_notes(opened.table.schema) if asked.inferred else [])]
    return opened._replace(notes=[*notes, *opened.notes])


def read_strangers(asked: TableFile, content: Content | None = None) -> Read:
    """The table of a file, without the title, total and blank lines that people put around one.

    `content`: what was read ahead of it.
    """
    form: dict[str, Any] = {"kinds": asked.kind}
    said = asked.sheet is not None or asked.header_row is not None
    said |= asked.encoding_errors == "replace"
    try:
        if not said:
            dialect: dict[str, Any] = {"sep": asked.sep, "encoding": asked.encoding}
            table = read_table(
                asked.data, **asked.roles, **form, **dialect, compact=True, content=content
            )
            told = format_of(asked.data) is Format.PARQUET
            if told or not (_ends_with_totals(table) or _is_data(table)):
                plain = Read(table, lambda row: row + 2, [])
                return plain if told else _largest(asked, plain)
    except TooWideError:
        raise
    except InputError as err:
        return _as_looked_at(asked, err)
    except UnknownNameError:
        # The names may be those of a file without names; none of its cells is to be told.
        if (looked := _as_looked_at(asked, None)).source is None or looked.source.header_row:
            raise
        return looked
    return _as_looked_at(asked, None)


def _is_data(table: Table) -> bool:
    """Whether the first line seems to hold cells rather than names, as `look` finds it."""
    from tokumei.tables.look.records import looks_like_data

    below = table.frame.head(_BELOW).select(pl.all().cast(pl.String)).rows()
    return looks_like_data(table.schema.names, below)


def _largest(asked: TableFile, plain: Read) -> Read:
    """The larger of two tables, without its rows that have no cell: those are no rows."""
    filled = _filled_rows(plain.table)
    if len(filled) == plain.table.rows:
        return plain
    if not len(filled):
        raise InputError(
            f"{asked.data}: no row has a cell", f"{asked.data}: セルのある行がありません"
        )
    looked = _as_looked_at(asked, None)
    if looked.source is not None and looked.source.second is not None:
        return looked
    blank = {BLANK: plain.table.rows - len(filled)}
    spelled = {name: cells[filled] for name, cells in plain.table.spelled.items()}
    table = replace(plain.table.take(filled), spelled=spelled)
    return Read(table, lambda row: int(filled[row]) + 2, _not_rows(blank))


def _filled_rows(table: Table) -> np.ndarray:
    """The rows that have a cell."""
    frame = table.frame
    if not all(series.null_count() for series in frame):
        return np.arange(table.rows)
    blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    return np.flatnonzero(~blank.to_numpy())


def _ends_with_totals(table: Table) -> bool:
    from tokumei.tables.look.records import are_totals

    last = table.frame.tail(_TAIL)
    first = last[last.columns[0]].cast(str)
    return bool(are_totals(first).any())


def _as_looked_at(asked: TableFile, strict: InputError | None) -> Read:
    from tokumei.files.column_types import typed
    from tokumei.tables.data.column_kinds import as_kinds, schema_for
    from tokumei.tables.look.dialect import Dialect
    from tokumei.tables.look.source import open_source

    try:
        replaced = asked.encoding_errors == "replace"
        dialect = Dialect(asked.encoding, asked.sep, asked.sheet, asked.header_row, replaced)
        source = open_source(asked.data, dialect)
    except TokumeiError:
        if strict is None:
            raise
        raise strict from None
    found = replaced or source.above or source.below or source.empty or source.header_row is None
    found = found or source.second is not None or _may_name(asked, strict)
    if strict is not None and not found and source.encoding in _STRICTLY_READ:
        raise strict
    frame = as_kinds(typed(source.frame), asked.kind, where=asked.data, line_of=source.line_of)
    schema = schema_for(frame, **asked.roles, where=asked.data)
    spelled = {name: source.frame[name] for name in frame.columns if name not in asked.kind}
    spelled = {name: cells for name, cells in spelled.items() if frame[name].dtype != cells.dtype}
    second = [] if source.second is None else [source.second.message]
    named = [names_of_their_own(source.renamed)] if source.renamed else []
    notes = [*_left_out(source), *second, *named]
    if source.replaced:
        told = f"{source.replaced:,} unreadable characters were replaced by a mark"
        notes.append(Text(told, f"読めない {source.replaced:,} 文字を置換文字にしました"))
    return Read(Table(frame, schema, spelled), source.line_of, notes, source)


def _may_name(asked: TableFile, strict: InputError | None) -> bool:
    """Whether nothing but names of columns was wrong, and these may be made."""
    faults = () if strict is None else strict.faults
    return bool(faults) and not asked.strict and all(one.rule == "header" for one in faults)


BLANK = Text("blank lines", "空行")


def _left_out(source: Source) -> list[Text]:
    left = {
        Text("title lines", "表題の行"): source.above,
        Text("total or remark lines", "合計・注記の行"): source.below,
        BLANK: source.empty,
    }
    return _not_rows(left)


def _not_rows(left: dict[Text, int]) -> list[Text]:
    told = [(words, count) for words, count in left.items() if count]
    en = ", ".join(f"{words.en} ({count})" for words, count in told)
    ja = "、".join(f"{words.ja} ({count})" for words, count in told)
    return [Text(f"Not read as rows: {en}", f"行として読まなかったもの: {ja}")] if told else []
