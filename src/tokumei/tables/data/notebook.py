"""How tables and releases look in a notebook: roles and fates, a few public rows, no secret."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from tokumei.core.text import Text
from tokumei.tables.data.account import WORDS

if TYPE_CHECKING:
    from tokumei.tables.data.table import Release, Table

MOST_ROWS, MOST_COLUMNS = 10, 20


def table_html(table: Table) -> str:
    """Columns with role, kind and reason; no cell, because nobody has decided what may be seen."""
    shown = table.schema.columns[:MOST_COLUMNS]
    rows = [(one.name, one.role.value, one.kind.value, one.reason.show()) for one in shown]
    head = [
        Text("column", "列"),
        Text("role", "役割"),
        Text("kind", "種類"),
        Text("reason", "理由"),
    ]
    return _caption(table.rows, len(table.schema.columns)) + _grid([t.show() for t in head], rows)


def release_html(release: Release) -> str:
    """What became of every column, and the first public rows."""
    public = release.public
    names = public.schema.names[:MOST_COLUMNS]
    cells = public.frame.select(names).head(MOST_ROWS)
    parts = [_caption(public.rows, len(public.schema.names))]
    if release.account is not None:
        rows = [
            (name, WORDS[one.fate].show(), one.type)
            for name, one in [*release.account.entries.items()][:MOST_COLUMNS]
        ]
        head = [Text("column", "列"), Text("fate", "扱い"), Text("looks like", "種類")]
        parts.append(_grid([t.show() for t in head], rows))
    parts += [f"<p>{escape(note.show())}</p>" for note in release.notes]
    parts.append(_grid(names, (["" if c is None else str(c) for c in row] for row in cells.rows())))
    return "".join(parts)


def _caption(rows: int, columns: int) -> str:
    said = Text(f"{rows:,} rows, {columns:,} columns", f"{rows:,} 行、{columns:,} 列")
    return f"<p>{escape(said.show())}</p>"


def _grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(one)}</th>" for one in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
