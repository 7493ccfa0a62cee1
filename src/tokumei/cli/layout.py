"""Wraps text and two-column lists to the width of the terminal, wide characters included."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator

from tokumei.core.text import Text

MOST_COLUMNS = 100
FIRST_COLUMN = 26
"""The widest first column of a list; what is wider has its line alone."""
Row = tuple[str, Text]
_NEVER_FIRST = "、。，．）」』】)]},.:;?!…"
"""Signs that do not begin a line."""


def wrap_rows(rows: Iterable[Row]) -> str:
    """Lines of names and what they mean, the meanings below each other."""
    listed = [(name, text.show()) for name, text in rows]
    fitting = [count_columns(name) for name, _ in listed if count_columns(name) <= FIRST_COLUMN]
    start = max(fitting, default=0) + 4
    lines = []
    for name, meaning in listed:
        first = f"  {name}"
        wrapped = wrap_text(meaning, indent=start)
        if count_columns(first) + 2 > start:
            lines.append(f"{first}\n{wrapped}")
        else:
            lines.append(f"{first}{' ' * (start - count_columns(first))}{wrapped.lstrip()}")
    return "\n".join(line.rstrip() for line in lines)


def wrap_text(text: str, *, indent: int = 0, hanging: int | None = None) -> str:
    """Paragraphs wrapped to the width; `hanging`: the indent of all lines but the first."""
    after = indent if hanging is None else hanging
    paragraphs = (_wrap_paragraph(one, indent, after) for one in text.split("\n\n"))
    return "\n\n".join(paragraphs)


def _wrap_paragraph(text: str, indent: int, hanging: int) -> str:
    width = min(shutil.get_terminal_size().columns, MOST_COLUMNS)
    lines, line = [], " " * indent
    empty = True
    for piece in _pieces(text):
        if not empty and count_columns(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line, empty = " " * hanging, True
        line += piece.lstrip() if empty else piece
        empty = empty and not piece.strip()
    return "\n".join([*lines, line.rstrip()])


def _pieces(text: str) -> Iterator[str]:
    """Parts between which a line may end: words with their blanks, single wide characters."""
    wide = r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3000-\u303f]"
    yield from re.findall(rf"{wide}[{re.escape(_NEVER_FIRST)}]* ?|(?:(?!{wide})\S)+ ?| +", text)


def count_columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
