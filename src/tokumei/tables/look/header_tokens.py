"""A column's name taken apart: Japanese without blanks, Latin letters as words.

`CustomerID`, `customer_id`, `custid` and `kokyaku_cd` become words; `氏　名` becomes `氏名`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from tokumei.tables.look.header_words import FOREIGN, PARTS

_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])")
_NOT_LETTERS = re.compile(r"[^a-z0-9%#]+")
_JAPANESE = re.compile("[\u3005-\u9fff〒№]")
_LATIN = re.compile(r"[a-z]")
_SILENT = re.compile(
    r"^(c|col|column|columns|field|f|v|var|variable|x|y|z|q|a|b|d|k|p|s|t|w|attr|"
    r"attribute|item|data|"
    r"value|val|列|カラム|項目|フィールド|データ|値|unnamed|index|"
    r"no ?name)[ _:.\-#]*[0-9]*$|^[0-9]+$|^$"
)
_BRACKETS = re.compile(r"[(（\[【「<][^)）\]】」>]*[)）\]】」>]")
_PARTED = re.compile(r"[-/・,、()（）\s_]+")
_LONGEST = 24
_KNOWN = frozenset(PARTS.split())
_WHOLE = str.maketrans(
    {"ł": "l", "Ł": "L", "ı": "i", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae",
     "Æ": "Ae", "œ": "oe", "Œ": "Oe"}
)  # fmt: skip
"""Letters with a stroke, which have no accent to take off."""


@dataclass(frozen=True)
class Header:
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
def read_header(name: str) -> Header:
    """A column's name, taken apart."""
    plain = unicodedata.normalize("NFKC", name).strip()
    plain = _translated(plain)
    flat = re.sub(r"[\s_]+", "", plain).lower()
    bare = re.sub(r"[\s_]+", "", _BRACKETS.sub("", plain)).lower() or flat
    spaced = _CASE.sub(" ", _fold(plain))
    parts = [part for part in _NOT_LETTERS.split(spaced.lower()) if part]
    words = [word for part in parts for word in _split(part)]
    if not _JAPANESE.search(flat):
        flat = bare = ""
    unread = not flat and not words and any(letter.isalpha() for letter in plain)
    silent = unread or bool(_SILENT.match(plain.lower()))
    return Header(flat, f" {' '.join(words)} ", bare, silent)


def _translated(name: str) -> str:
    """A name of another script as the vocabulary calls it, if it is known whole or in parts."""
    whole = re.sub(r"[\s_]+", "", name).lower()
    if whole in FOREIGN:
        return FOREIGN[whole]
    parts = [part for part in _PARTED.split(name.lower()) if part]
    known = dict.fromkeys(FOREIGN[part] for part in parts if part in FOREIGN)
    return next(iter(known)) if known else name


def _fold(text: str) -> str:
    """Latin letters without their accents; other scripts as they are."""
    pieces = unicodedata.normalize("NFD", text.translate(_WHOLE))
    return "".join(c for c in pieces if not "\u0300" <= c <= "\u036f")


def _split(part: str) -> list[str]:
    """A run of letters as known words, if it is nothing but such; else as it is."""
    if part in _KNOWN or len(part) > _LONGEST or not _LATIN.search(part):
        return [part]
    return _segments(part) or [part]


def _segments(text: str) -> list[str] | None:
    """Known words that make up the text, longest first."""
    if not text:
        return []
    for end in range(len(text), 1, -1):
        if text[:end] in _KNOWN and (rest := _segments(text[end:])) is not None:
            return [text[:end], *rest]
    return None
