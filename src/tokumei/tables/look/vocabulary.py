"""What column names announce: lines of a type and the words for it, compiled.

What belongs to a person is looked for before numbers and names of people and things, everything
else after them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tokumei.tables.look import words_abroad, words_of_people, words_of_values

Line = tuple[str, re.Pattern[str], re.Pattern[str]]


def _compiled(lines: Sequence[tuple[str, str, str]]) -> list[Line]:
    return [(kind, re.compile(ja), re.compile(en)) for kind, ja, en in lines]


FIRST = _compiled((*words_of_people.LINES, *words_abroad.LINES))
LAST = _compiled(words_of_values.LINES)
