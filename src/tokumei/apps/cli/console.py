"""Prints results: tables and notes, JSON on stdout, progress bars on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from tokumei.core.command import CommandResult, TextTable
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import Message
from tokumei.core.progress import AdvanceProgress, set_notice_listener, set_progress_listener


def print_json(data: object) -> None:
    """Print the JSON document of a command."""
    sys.stdout.write(as_json_text(data))


def print_command_result(answer: CommandResult, *, as_json: bool) -> int:
    """Print a command's result as JSON or as text; return its exit code."""
    for remark in answer.notes:
        print_note(remark)
    if as_json:
        print_json(answer.data)
        return answer.code
    for part in answer.shown:
        if isinstance(part, TextTable):
            header = [name if isinstance(name, str) else name.show() for name in part.header]
            print_table(part.title, header, part.rows)
        else:
            print(part.show())
    return answer.code


def print_note(message: Message) -> None:
    """Print a remark to stderr."""
    print(message.show(), file=sys.stderr)


def print_table(title: Message, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
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
    set_notice_listener(print_note)
    if sys.stderr.isatty():
        set_progress_listener(_ProgressBars())


class _ProgressBars:
    """One line per piece of work under way, pieces inside pieces; gone when all are done."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._open_count = 0

    @contextmanager
    def __call__(self, what: Message, total: float | None) -> Iterator[AdvanceProgress]:
        if self._open_count == 0:
            self._progress.start()
        self._open_count += 1
        task = self._progress.add_task(what.show(), total=total)
        try:
            yield lambda done: self._progress.advance(task, done)
        finally:
            self._progress.remove_task(task)
            self._open_count -= 1
            if self._open_count == 0:
                self._progress.stop()
