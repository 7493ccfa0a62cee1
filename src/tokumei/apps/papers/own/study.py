"""Base class of studies: every table and figure of a paper, made of one's own data.

class OwnHistories(OwnStudy):
    defaults = {"k": "2-20"}
    absent = {"figure4": PICTURE}
    def table9(self) -> MadeTable: ...          # one method per block, of the block's name

run_own_study("000", Path("mine.csv"), {"k": "2-10"}).blocks
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, cast

from tokumei.apps.papers.block_text import describe_printed_block, format_cell
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.own.settings import StudySettings
from tokumei.apps.papers.published_values import (
    PublishedBlock,
    PublishedPaper,
    read_published_paper,
)
from tokumei.core.command import TextTable
from tokumei.core.errors import InputError, UnknownNameError
from tokumei.core.json_types import JsonObject, JsonValue
from tokumei.core.lazy_imports import load_object
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.pages.curve_page import ChartPanel


@dataclass(frozen=True, eq=False)
class MadeTable:
    """What was made for a block: columns by heading (none: the paper's), rows, notes, charts.

    `title` stands for the paper's where that names the paper's own sizes.
    """

    rows: Sequence[Sequence[object]] = ()
    columns: Sequence[str | Message] = ()
    note: Message | None = None
    panels: Sequence[ChartPanel] = ()
    title: Message | None = None


@dataclass(frozen=True, eq=False)
class StudyBlock:
    """A table or figure of the paper made of other data, or why there is none."""

    printed: PublishedBlock
    made: MadeTable = field(default_factory=MadeTable)
    absent: Message | None = None

    @property
    def title(self) -> Message:
        """Table 9: …"""
        title = self.made.title
        return describe_printed_block(
            self.printed if title is None else replace(self.printed, title=title)
        )

    @property
    def panels(self) -> Sequence[ChartPanel]:
        """Its charts."""
        return self.made.panels

    @property
    def headings(self) -> list[Message]:
        """What stands above the columns."""
        names = self.made.columns or self.printed.columns
        return [name if isinstance(name, Message) else describe_heading(name) for name in names]

    @property
    def remarks(self) -> list[Message]:
        """What stands below."""
        return [message for message in (self.made.note, self.absent) if message is not None]

    def as_json(self) -> JsonObject:
        """As plain data."""
        rows: list[JsonValue] = [[_to_json_value(cell) for cell in row] for row in self.made.rows]
        return {
            "table": self.printed.id,
            "columns": [heading.show() for heading in self.headings],
            "rows": rows,
            "why_not": None if self.absent is None else self.absent.show(),
        }

    def as_text(self) -> list[TextTable | Message]:
        """A table, then what stands below it."""
        rows = [[format_cell(cell) for cell in row] for row in self.made.rows]
        head = TextTable(self.title, self.headings, rows) if rows else self.title
        return [head, *self.remarks]


@dataclass(frozen=True, eq=False)
class OwnStudy:
    """A paper's study of a file; settings change roles, parameters and sizes."""

    book: PublishedPaper
    path: Path
    settings: StudySettings

    number: ClassVar[str]
    defaults: ClassVar[Mapping[str, object]] = {}
    absent: ClassVar[Mapping[str, Message]] = {}
    """Blocks that nothing can be made for, and why."""

    @classmethod
    def of(cls, data: Path, given: Mapping[str, object]) -> OwnStudy:
        """The study of a file."""
        return cls(read_published_paper(cls.number), data, StudySettings(given, cls.defaults))

    def make_blocks(self, names: Sequence[str] = ()) -> list[StudyBlock]:
        """The blocks of these names, or all, in the paper's order."""
        for name in names:
            if name not in self.book.blocks:
                raise UnknownNameError(Message("table"), name, list(self.book.blocks))
        selected = [block for block in self.book.blocks.values() if not names or block.id in names]
        label = Message("paper {number}", number=self.number)
        return [self._make_block(printed) for printed in track_progress(selected, label)]

    def _make_block(self, printed: PublishedBlock) -> StudyBlock:
        if printed.id in self.absent:
            return StudyBlock(printed, absent=self.absent[printed.id])
        return StudyBlock(printed, cast(MadeTable, getattr(self, printed.id)()))


OWN_STUDIES = {
    "000": "tokumei.apps.papers.own.own_histories:OwnHistories",
    "001": "tokumei.apps.papers.own.own_contest:OwnContest",
    "002": "tokumei.apps.papers.own.own_prices:OwnPrices",
    "003": "tokumei.apps.papers.own.own_table:OwnTable",
    "004": "tokumei.apps.papers.own.own_recommendations:OwnRecommendations",
}


@dataclass(frozen=True, eq=False)
class StudyRun:
    """A paper's tables and figures made of other data."""

    book: PublishedPaper
    blocks: Sequence[StudyBlock]
    command: str

    def as_json(self) -> list[JsonObject]:
        """As plain data."""
        return [block.as_json() for block in self.blocks]

    def as_text(self) -> list[TextTable | Message]:
        """All of it for a person."""
        return [part for block in self.blocks for part in block.as_text()]


def run_own_study(
    number: str, data: Path, given: Mapping[str, object], *, tables: Sequence[str] = ()
) -> StudyRun:
    """The tables and figures of a paper, made of a file."""
    if not data.is_file():
        raise InputError("{path}: there is no such file", path=data)
    study = cast("type[OwnStudy]", load_object(OWN_STUDIES[number])).of(data, given)
    command = " ".join(
        [
            f"tokumei paper {number} --data {data.name}",
            *(f"--set {k}={v}" for k, v in given.items()),
        ]
    )
    return StudyRun(study.book, study.make_blocks(tables), command)


def _to_json_value(cell: object) -> JsonValue:
    """As JSON can tell it."""
    if isinstance(cell, Message):
        return cell.show()
    if isinstance(cell, list | tuple):
        return [_to_json_value(part) for part in cell]
    return cell if cell is None or isinstance(cell, bool | int | float | str) else str(cell)
