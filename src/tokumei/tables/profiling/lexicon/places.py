"""Names of places: Japanese prefectures, American states, Canadian provinces, countries."""

from __future__ import annotations

from tokumei.tables.profiling.detection.cell_patterns import parse_words
from tokumei.tables.profiling.lexicon.word_lists import read_lists

_LISTS = read_lists("places.txt")
_FULL_PREFECTURES = _LISTS["prefectures"].split()
PREFECTURES = {
    *_FULL_PREFECTURES,
    *(name.rstrip("県府都") for name in _FULL_PREFECTURES if name != "京都府"),
    "京都",
}
"""With and without 県, 府, 都."""
STATES = parse_words(_LISTS["states"])
"""States and provinces by name, lower case."""
COUNTRIES = parse_words(_LISTS["countries"])
"""By name, lower case, in several languages."""
