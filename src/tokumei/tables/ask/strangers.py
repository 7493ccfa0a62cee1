"""Reading a stranger's file for `anonymize`: strictly if that works, else as `look` reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tokumei.core.cells import LineOf
from tokumei.core.errors import InputError, TokumeiError, TooWideError
from tokumei.core.text import Text
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.table import Table

if TYPE_CHECKING:
    from tokumei.tables.ask.anonymize import AnonymizeTable
    from tokumei.tables.look.source import Source

_TAIL = 40


class Read(NamedTuple):
    """A table, where its rows stand in the file, and what had to be left out of it."""

    table: Table
    line_of: LineOf
    notes: list[Text]


def read_strangers(asked: AnonymizeTable, *, text_sa: bool) -> Read:
    """The table of a file, without the title, total and blank lines that people put around one."""
    form: dict[str, Any] = {"kinds": asked.kind, "text_sa": text_sa}
    said = asked.sheet is not None or asked.header_row is not None
    try:
        if not said:
            dialect: dict[str, Any] = {"sep": asked.sep, "encoding": asked.encoding}
            table = read_table(asked.data, **asked.roles, **form, **dialect, compact=True)
            if not _ends_with_totals(table):
                return Read(table, lambda row: row + 2, [])
    except TooWideError:
        raise
    except InputError as err:
        return _as_looked_at(asked, err)
    return _as_looked_at(asked, None)


def _ends_with_totals(table: Table) -> bool:
    from tokumei.tables.look.records import are_totals

    last = table.frame.tail(_TAIL)
    first = last[last.columns[0]].cast(str)
    return bool(are_totals(first).any())


def _as_looked_at(asked: AnonymizeTable, strict: InputError | None) -> Read:
    from tokumei.files.column_types import typed
    from tokumei.tables.data.column_kinds import as_kinds, schema_for
    from tokumei.tables.look.source import Dialect, open_source

    try:
        dialect = Dialect(asked.encoding, asked.sep, asked.sheet, asked.header_row)
        source = open_source(asked.data, dialect)
    except TokumeiError:
        if strict is None:
            raise
        raise strict from None
    if strict is not None and not (source.above or source.below or source.empty):
        raise strict
    frame = as_kinds(typed(source.frame), asked.kind, where=asked.data, line_of=source.line_of)
    schema = schema_for(frame, **asked.roles, where=asked.data)
    spelled = {name: source.frame[name] for name in frame.columns if name not in asked.kind}
    spelled = {name: cells for name, cells in spelled.items() if frame[name].dtype != cells.dtype}
    return Read(Table(frame, schema, spelled), source.line_of, _left_out(source))


def _left_out(source: Source) -> list[Text]:
    left = {
        Text("title lines", "表題の行"): source.above,
        Text("total or remark lines", "合計・注記の行"): source.below,
        Text("blank lines", "空行"): source.empty,
    }
    told = [(words, count) for words, count in left.items() if count]
    en = ", ".join(f"{words.en} ({count})" for words, count in told)
    ja = "、".join(f"{words.ja} ({count})" for words, count in told)
    return [Text(f"Not read as rows: {en}", f"行として読まなかったもの: {ja}")] if told else []
