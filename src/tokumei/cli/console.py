"""What the user sees: tables and notes on stderr or stdout, JSON alone on stdout, progress bars."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from tokumei.core.ask import Answer, Listing
from tokumei.core.progress import Advance, hear, listen
from tokumei.core.text import Text, as_json_text


def print_json(data: Any) -> None:
    """The one JSON document of a command."""
    sys.stdout.write(as_json_text(data))


def print_answer(answer: Answer, *, as_json: bool) -> int:
    """What a command answers, for a program or for a person; its exit code."""
    for remark in answer.notes:
        note(remark)
    if as_json:
        print_json(answer.data)
        return answer.code
    for part in answer.shown:
        if isinstance(part, Listing):
            header = [name if isinstance(name, str) else name.show() for name in part.header]
            print_table(part.title, header, part.rows)
        else:
            print(part.show())
    return answer.code


def note(message: Text) -> None:
    """A remark beside the result."""
    print(message.show(), file=sys.stderr)


def print_table(title: Text, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on stdout."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as RichTable

    table = RichTable(title=escape(title.show()), title_justify="left")
    for number, name in enumerate(header):
        # No cell is cut off: an interval without its end would be another figure.
        side: Literal["left", "right"] = "left" if number == 0 else "right"
        table.add_column(escape(name), justify=side, overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    Console().print(table)


def show_progress() -> None:
    """Notices on stderr, and progress bars, if it is a terminal."""
    hear(note)
    if sys.stderr.isatty():
        listen(_Bars())


class _Bars:
    """One line per piece of work under way, pieces inside pieces; gone when all are done."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        self._screen = Progress(*columns, console=Console(stderr=True), transient=True)
        self._open = 0

    @contextmanager
    def __call__(self, what: Text, total: float | None) -> Iterator[Advance]:
        if self._open == 0:
            self._screen.start()
        self._open += 1
        task = self._screen.add_task(what.show(), total=total)
        try:
            yield lambda done: self._screen.advance(task, done)
        finally:
            self._screen.remove_task(task)
            self._open -= 1
            if self._open == 0:
                self._screen.stop()
