"""Splits column names into words, Japanese and Latin.

`CustomerID`, `customer_id`, `custid` and `kokyaku_cd` become words; `氏　名` becomes `氏名`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from tokumei.tables.profiling.lexicon.header_words import FOREIGN_HEADERS, HEADER_WORD_PARTS

_CASE_BOUNDARY = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])"
)
_NOT_LETTERS = re.compile(r"[^a-z0-9%#]+")
_JAPANESE_CHAR = re.compile("[\u3005-\u9fff〒№]")
_LATIN_LETTER = re.compile(r"[a-z]")
_MEANINGLESS_HEADER = re.compile(
    r"^(c|col|column|columns|field|f|v|var|variable|x|y|z|q|a|b|d|k|p|s|t|w|attr|"
    r"attribute|item|data|"
    r"value|val|列|カラム|項目|フィールド|データ|値|unnamed|index|"
    r"no ?name)[ _:.\-#]*[0-9]*$|^[0-9]+$|^$"
)
_BRACKETS = re.compile(r"[(（\[【「<][^)）\]】」>]*[)）\]】」>]")
_PART_SEPARATOR = re.compile(r"[-/・,、()（）\s_]+")
_MAX_SPLIT_LENGTH = 24
_STROKE_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ı": "i", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae",
     "Æ": "Ae", "œ": "oe", "Œ": "Oe"}
)  # fmt: skip
"""Letters with a stroke, which have no accent to take off."""


@dataclass(frozen=True)
class HeaderTokens:
    """A name as the vocabulary reads it."""

    flat: str
    """NFKC, lower case, no blanks: where Japanese words are looked for; empty if none is."""
    words: str
    """Latin words between single blanks, with one at either end."""
    bare: str
    """`flat` without what stands in brackets."""
    silent: bool
    """Whether the name says nothing: `column1`, `c1`, `列1`, or a script that is not read."""


@lru_cache(maxsize=4096)
def parse_header(name: str) -> HeaderTokens:
    """A column's name, taken apart."""
    plain = unicodedata.normalize("NFKC", name).strip()
    plain = _translate_header(plain)
    flat = re.sub(r"[\s_]+", "", plain).lower()
    bare = re.sub(r"[\s_]+", "", _BRACKETS.sub("", plain)).lower() or flat
    spaced = _CASE_BOUNDARY.sub(" ", _strip_accents(plain))
    parts = [part for part in _NOT_LETTERS.split(spaced.lower()) if part]
    words = [word for part in parts for word in _split_known_words(part)]
    if not _JAPANESE_CHAR.search(flat):
        flat = bare = ""
    is_unread_script = not flat and not words and any(letter.isalpha() for letter in plain)
    is_silent = is_unread_script or bool(_MEANINGLESS_HEADER.match(plain.lower()))
    return HeaderTokens(flat, f" {' '.join(words)} ", bare, is_silent)


def _translate_header(name: str) -> str:
    """A name of another script as the vocabulary calls it, if it is known whole or in parts."""
    whole = re.sub(r"[\s_]+", "", name).lower()
    if whole in FOREIGN_HEADERS:
        return FOREIGN_HEADERS[whole]
    parts = [part for part in _PART_SEPARATOR.split(name.lower()) if part]
    translations = dict.fromkeys(FOREIGN_HEADERS[part] for part in parts if part in FOREIGN_HEADERS)
    return next(iter(translations)) if translations else name


def _strip_accents(text: str) -> str:
    """Latin letters without their accents; other scripts as they are."""
    pieces = unicodedata.normalize("NFD", text.translate(_STROKE_LETTERS))
    return "".join(c for c in pieces if not "\u0300" <= c <= "\u036f")


def _split_known_words(part: str) -> list[str]:
    """A run of letters as known words, if it is nothing but such; else as it is."""
    if part in HEADER_WORD_PARTS or len(part) > _MAX_SPLIT_LENGTH or not _LATIN_LETTER.search(part):
        return [part]
    return _segment_text(part) or [part]


def _segment_text(text: str) -> list[str] | None:
    """Known words that make up the text, longest first."""
    if not text:
        return []
    for end in range(len(text), 1, -1):
        if text[:end] in HEADER_WORD_PARTS and (rest := _segment_text(text[end:])) is not None:
            return [text[:end], *rest]
    return None
