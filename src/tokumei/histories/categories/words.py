"""Descriptions as words to compare: lower case, without punctuation, plurals folded.

words_of("3 CHILDREN'S Mugs, BLUE/WHITE")      # ("3", "child", "mug", "blue", "white")

Folding need not give a real word ("cookies" and "cookie" both become "cooky"), only the same one
for singular and plural: keywords and descriptions pass through the same rules.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = re.compile("['’`]")
_IRREGULAR = {
    "children": "child",
    "knives": "knife",
    "leaves": "leaf",
    "loaves": "loaf",
    "men": "man",
    "mice": "mouse",
    "scarves": "scarf",
    "shelves": "shelf",
    "women": "woman",
}
_ES = ("ches", "shes", "sses", "xes", "zzes")
_NO_PLURAL = ("ss", "us", "is")
_SHORTEST = 4


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in order, each folded."""
    return tuple(map(folded, written_words(text)))


def written_words(text: str) -> tuple[str, ...]:
    """The words of a text in order, in lower case as they are written."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return tuple(_WORD.findall(_APOSTROPHES.sub("", plain)))


@lru_cache(maxsize=2**14)
def folded(word: str) -> str:
    """A lower-case word, the same for singular and plural."""
    singular = _IRREGULAR.get(word) or _without_s(word)
    singular = _IRREGULAR.get(singular, singular)
    if len(singular) > _SHORTEST and singular.endswith("ie"):
        return singular[:-2] + "y"
    return singular


def _without_s(word: str) -> str:
    if len(word) < _SHORTEST or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_ES) else word[:-1]
