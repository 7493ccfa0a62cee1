"""Wraps text and two-column lists to the width of the terminal, wide characters included."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator

from tokumei.core.messages import Message

MAX_LINE_WIDTH = 100
MAX_FIRST_COLUMN_WIDTH = 26
"""The widest first column of a list; what is wider has its line alone."""
HelpRow = tuple[str, Message]
_NO_LINE_START = "、。，．）」』】)]},.:;?!…"
"""Signs that do not begin a line."""


def wrap_rows(rows: Iterable[HelpRow]) -> str:
    """Lines of names and what they mean, the meanings below each other."""
    name_meanings = [(name, text.show()) for name, text in rows]
    name_widths = [
        display_width(name)
        for name, _ in name_meanings
        if display_width(name) <= MAX_FIRST_COLUMN_WIDTH
    ]
    meaning_column = max(name_widths, default=0) + 4
    lines = []
    for name, meaning in name_meanings:
        first = f"  {name}"
        wrapped = wrap_text(meaning, indent=meaning_column)
        if display_width(first) + 2 > meaning_column:
            lines.append(f"{first}\n{wrapped}")
        else:
            lines.append(
                f"{first}{' ' * (meaning_column - display_width(first))}{wrapped.lstrip()}"
            )
    return "\n".join(line.rstrip() for line in lines)


def wrap_text(text: str, *, indent: int = 0, hanging: int | None = None) -> str:
    """Paragraphs wrapped to the width; `hanging`: the indent of all lines but the first."""
    hanging_indent = indent if hanging is None else hanging
    paragraphs = (
        _wrap_paragraph(paragraph, indent, hanging_indent) for paragraph in text.split("\n\n")
    )
    return "\n\n".join(paragraphs)


def _wrap_paragraph(text: str, indent: int, hanging: int) -> str:
    width = min(shutil.get_terminal_size().columns, MAX_LINE_WIDTH)
    lines, line = [], " " * indent
    empty = True
    for piece in _split_at_breaks(text):
        if not empty and display_width(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line, empty = " " * hanging, True
        line += piece.lstrip() if empty else piece
        empty = empty and not piece.strip()
    return "\n".join([*lines, line.rstrip()])


def _split_at_breaks(text: str) -> Iterator[str]:
    """Parts between which a line may end: words with their blanks, single wide characters."""
    wide = r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3000-\u303f]"
    yield from re.findall(rf"{wide}[{re.escape(_NO_LINE_START)}]* ?|(?:(?!{wide})\S)+ ?| +", text)


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
