"""Shows tables and releases in a notebook: roles, treatments, a few public rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from tokumei.core.messages import Message
from tokumei.tables.data.column_report import TREATMENT_LABELS

if TYPE_CHECKING:
    from tokumei.tables.data.table import Release, Table

MAX_SHOWN_ROWS, MAX_SHOWN_COLUMNS = 10, 20


def table_html(table: Table) -> str:
    """Columns with role, kind and reason; no cell, because nobody has decided what may be seen."""
    shown_columns = table.schema.columns[:MAX_SHOWN_COLUMNS]
    rows = [
        (column.name, column.role.value, column.kind.value, column.reason.show())
        for column in shown_columns
    ]
    head = [Message("column"), Message("role"), Message("kind"), Message("reason")]
    return _size_caption(table.rows, len(table.schema.columns)) + _html_table(
        [t.show() for t in head], rows
    )


def release_html(release: Release) -> str:
    """What became of every column, and the first public rows."""
    public = release.public
    names = public.schema.names[:MAX_SHOWN_COLUMNS]
    cells = public.frame.select(names).head(MAX_SHOWN_ROWS)
    parts = [_size_caption(public.rows, len(public.schema.names))]
    if release.account is not None:
        rows = [
            (name, TREATMENT_LABELS[entry.fate].show(), entry.type)
            for name, entry in [*release.account.entries.items()][:MAX_SHOWN_COLUMNS]
        ]
        head = [Message("column"), Message("treatment"), Message("type", context="of a column")]
        parts.append(_html_table([t.show() for t in head], rows))
    parts += [f"<p>{escape(note.show())}</p>" for note in release.notes]
    parts.append(
        _html_table(names, (["" if c is None else str(c) for c in row] for row in cells.rows()))
    )
    return "".join(parts)


def _size_caption(rows: int, columns: int) -> str:
    caption = Message("{rows:,} rows, {columns:,} columns", rows=rows, columns=columns)
    return f"<p>{escape(caption.show())}</p>"


def _html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(heading)}</th>" for heading in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
