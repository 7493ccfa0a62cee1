"""What the user sees: tables and notes on stderr or stdout, JSON alone on stdout, progress bars."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from tokumei.data.schema import Schema
from tokumei.progress import listen
from tokumei.text import Text

T = TypeVar("T")


def print_json(data: Any) -> None:
    """The one JSON document of a command."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def note(message: Text) -> None:
    """A remark beside the result."""
    print(message.show(), file=sys.stderr)


def print_table(title: Text, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on stdout."""
    from rich.console import Console
    from rich.table import Table as RichTable

    table = RichTable(title=title.show(), title_justify="left")
    for number, name in enumerate(header):
        table.add_column(name, justify="left" if number == 0 else "right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def print_schema(schema: Schema) -> None:
    """Say how every column was understood, and why."""
    for column in schema.columns:
        line = f"  {column.name}: {column.role.value}, {column.kind.value}"
        note(Text(f"{line} ({column.reason.en})", f"{line} ({column.reason.ja})"))


def show_progress() -> None:
    """Progress bars on stderr, if it is a terminal."""
    if sys.stderr.isatty():
        listen(_bar)


def _bar(items: Iterable[Any], what: Text, total: int | None) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import track

    yield from track(
        items, description=what.show(), total=total, console=Console(stderr=True), transient=True
    )
