"""Reads the word lists of the profiler, which are text files beside this module.

read_lists("places.txt")["countries"]            # "japan united_states usa …"
read_header_patterns("personal_headers.txt")     # [("flag", "(メール|…", r"\b(opt|…"), …]
"""

from __future__ import annotations

import re
from importlib.resources import files

_SECTION_HEAD = re.compile(r"^\[(\w+)\]\n", re.MULTILINE)


def read_lists(file_name: str) -> dict[str, str]:
    """The text of every list of a file; a line with a name in brackets begins one."""
    _, *parts = _SECTION_HEAD.split(_read_text(file_name))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def read_header_patterns(file_name: str) -> list[tuple[str, str, str]]:
    """Types with what Japanese names contain and what names in Latin letters contain as words.

    A blank line separates the types. Lines of one language are parts of one regular expression.
    """
    blocks = (block.splitlines() for block in _read_text(file_name).split("\n\n"))
    return [
        (column_type, _join_lines("ja ", lines), _join_lines("en ", lines))
        for column_type, *lines in blocks
    ]


def _join_lines(language: str, lines: list[str]) -> str:
    return "".join(line.removeprefix(language) for line in lines if line.startswith(language))


def _read_text(file_name: str) -> str:
    return files(__package__).joinpath(file_name).read_text(encoding="utf-8")
