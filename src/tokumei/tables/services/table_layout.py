"""The layout `table`: a header and rows, read as every front end reads a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tokumei.core.messages import Message
from tokumei.core.registry import Layout
from tokumei.files.atomic_write import Output
from tokumei.files.file_formats import AnyPath
from tokumei.files.writing import frame_output
from tokumei.tables.data.table import Table
from tokumei.tables.services.read_table import read_table


@dataclass(frozen=True, kw_only=True)
class TableFile(Layout[Table]):
    """Roles are inferred where none is given; `kinds` says how columns are read."""

    name: ClassVar[str] = "table"
    title: ClassVar[Message] = Message("a table with a header")

    qi: tuple[str, ...] | None = None
    sa: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    sep: str | None = None
    encoding: str = "auto"

    def read(self, path: AnyPath) -> Table:
        """The table in a file with its roles."""
        return read_table(path, **vars(self))

    def output(self, table: Table, path: AnyPath) -> Output:
        """A table itself, for `write_all`."""
        return frame_output(table.frame, path, sep=self.sep or ",")
