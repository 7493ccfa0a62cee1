"""Common names of people.

Japanese names stand as kanji:katakana, so that the same list serves kanji, kana and Latin letters.
"""

from __future__ import annotations

from tokumei.tables.profiling.detection.cell_patterns import parse_words
from tokumei.tables.profiling.lexicon.word_lists import read_lists

_LISTS = read_lists("person_names.txt")


def _parse_kana_pairs(pairs: str) -> dict[str, str]:
    return {kanji: kana for kanji, _, kana in (pair.partition(":") for pair in pairs.split())}


SURNAMES = _parse_kana_pairs(_LISTS["surnames"])
GIVEN_NAMES = _parse_kana_pairs(_LISTS["given_names"])
GIVEN_NAME_ENDINGS = _LISTS["given_name_endings"].strip()
"""Characters that end many given names."""
WESTERN_GIVEN_NAMES = parse_words(_LISTS["western_given_names"])
WESTERN_SURNAMES = parse_words(_LISTS["western_surnames"])
