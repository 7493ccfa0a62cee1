"""Words of column names for people, things and events, in several languages.

Substrings for Japanese, whole words for the rest (English, romanized Japanese, and common words of
German, French, Spanish, Italian and Portuguese). What is not here is asked about; a word is put
here only if it means the same wherever it stands.
"""

from __future__ import annotations

from tokumei.core.lazy_patterns import LazyPattern
from tokumei.tables.profiling.lexicon.word_lists import read_header_patterns, read_lists

_NEVER_MATCHES = r"(?!)"
_SHORT_WORD_LENGTH = 3
_LISTS = read_lists("header_words.txt")


def _join_alternatives(name: str) -> str:
    return "|".join(_LISTS[name].split())


def compile_any_word(*names: str) -> LazyPattern:
    """Any of the words of these lists, whole."""
    words = [word for name in names for word in _LISTS[name].split()]
    return LazyPattern(rf"\b({'|'.join(sorted(words, key=len, reverse=True))})s?\b")


def _foreign_pattern(column_type: str, words: str) -> tuple[str, str, str]:
    """Words between blanks; an underscore is a blank within one.

    Words of up to three letters mean too much elsewhere: they count where they are the whole name.
    """
    sorted_words = sorted((word.replace("_", " ") for word in words.split()), key=len, reverse=True)
    short = "|".join(word for word in sorted_words if len(word) <= _SHORT_WORD_LENGTH)
    long = "|".join(word for word in sorted_words if len(word) > _SHORT_WORD_LENGTH)
    return (
        column_type,
        _NEVER_MATCHES,
        rf"\b({long})\b|^ ({short or _NEVER_MATCHES})( (no|nr|am))? $",
    )


HEADER_WORD_PARTS = frozenset(_LISTS["parts"].split())
"""What a run of letters without blanks may be made of."""
PERSON_WORDS_JA = _join_alternatives("person_ja")
EVENT_WORDS_JA = _join_alternatives("event_ja")
THING_WORDS_JA = _join_alternatives("thing_ja")
PERSON_ROLES_JA = _join_alternatives("role_ja")
PERSONAL_HEADERS = (
    *read_header_patterns("personal_headers.txt"),
    *(
        _foreign_pattern(column_type, words)
        for column_type, words in read_lists("foreign_headers.txt").items()
    ),
)
"""Names of personal data: numbers, contacts, places, birth, sex, illness.

Those in European languages beside English, Turkish, Indonesian and Vietnamese have no accents.
"""
NON_PERSONAL_HEADERS = read_header_patterns("non_personal_headers.txt")
"""Names of amounts, counts, dates, texts and categories."""
FOREIGN_HEADERS = {
    word: meaning
    for line in _LISTS["other_scripts"].splitlines()
    for meaning, _, words in [line.partition(": ")]
    for word in words.split()
}
"""Names in scripts that the vocabulary does not read, by what they mean in Japanese.

Korean, Chinese, Russian, Greek, Arabic, Thai: the commonest names of what identifies or describes
a person. A name of such a script that is not here says nothing, and its column is asked about.
"""
