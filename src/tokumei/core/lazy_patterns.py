"""Regular expressions that are compiled when they are first used.

_YEAR = Pattern(r"[12][0-9]{3}")
_YEAR.fullmatch("1999")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

Match = re.Match[str]


class LazyPattern:
    """A regular expression that is compiled when it is first used."""

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = text
        self._flags = flags

    @cached_property
    def _compiled_regex(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def match(self, text: str) -> Match | None:
        """The match at the beginning of a text."""
        return self._compiled_regex.match(text)

    def fullmatch(self, text: str) -> Match | None:
        """The match of a whole text."""
        return self._compiled_regex.fullmatch(text)

    def search(self, text: str) -> Match | None:
        """The first match in a text."""
        return self._compiled_regex.search(text)

    def finditer(self, text: str) -> Iterator[Match]:
        """All matches in a text."""
        return self._compiled_regex.finditer(text)

    def findall(self, text: str) -> list[str]:
        """The text of every match, or of its group."""
        return self._compiled_regex.findall(text)

    def sub(self, new: str, text: str) -> str:
        """The text with every match replaced."""
        return self._compiled_regex.sub(new, text)
