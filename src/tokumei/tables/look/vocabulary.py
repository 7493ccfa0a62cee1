"""What column names announce: lines of a type and the words for it, Japanese and Latin.

What belongs to a person is looked for before numbers and names of people and things, everything
else after them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.patterns import Pattern
from tokumei.tables.look import words_abroad, words_of_people, words_of_values

Line = tuple[str, Pattern, Pattern]


def _patterns(lines: Sequence[tuple[str, str, str]]) -> list[Line]:
    return [(kind, Pattern(ja), Pattern(en)) for kind, ja, en in lines]


FIRST = _patterns((*words_of_people.LINES, *words_abroad.LINES))
LAST = _patterns(words_of_values.LINES)
