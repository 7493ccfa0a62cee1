"""Personal data inside texts: telephone numbers, addresses, names before 様; all cells are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import polars as pl

from tokumei.core.check_digits import is_card, is_my_number
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.forms import INSIDE, NOT_NAMES
from tokumei.tables.look.name_lists import WESTERN_GIVEN, WESTERN_SURNAMES
from tokumei.tables.look.names import surname_pattern

_CONFIRM: dict[str, Callable[[str], bool]] = {"card": is_card, "my_number": is_my_number}
_TWO_CAPITALS = re.compile(r"\b([A-Z][a-z]+) ([A-Z][a-z]+)\b")


PERHAPS = (
    r"@|[0-9][0-9\s().\-/]{5,}[0-9]|https?://|〒|[都道府県].{1,6}[市区町村郡]"
    r"|[市区町村].*[0-9]|丁目|番地|様|さま|さん|氏|殿|先生|くん|君|ちゃん|旧姓|担当"
    r"|(?:Mr|Mrs|Ms|Miss|Dra?|Frau|Herrn?|Mme|Mlle|Mevr|Dhr|Sra|Srta|Sig|Dott|Fr|Hr|Prof)"
    r"(?:\.ra|\.ssa)?\.? ?[A-Z]|[A-Z][a-z]+ [A-Z][a-z]|[0-9][A-Za-z]? [A-Z][a-z]+ "
    r"|[ぁ-ゖァ-ヺ々㐀-鿿] [ぁ-ゖァ-ヺ々㐀-鿿]|[^\x00-\x7f、-ヿ㐀-鿿]"
)
"""What a cell needs, as it stands in the file, so that personal data can be found in it.

Cheap to ask of many rows, in the languages of Rust, Java and Python. Its last part is any character
beyond ASCII, kana and ideographs: digits and letters of other widths and scripts.
"""


@dataclass(frozen=True)
class Inside:
    """Personal data of a type, and in how many cells it stands."""

    type: str
    cells: int


def find_inside(cells: ColumnCells) -> list[Inside]:
    """What personal data the cells of a text column hold, most frequent first."""
    text, weights = cells.filled, cells.weights
    found = []
    for kind, pattern in INSIDE.items():
        hits = _names(text) if kind == "name" else text.str.contains(_filled(pattern))
        if kind in _CONFIRM and hits.any():
            hits = hits & _confirmed(text, hits, kind)
        if count := int(weights.filter(hits).sum()):
            found.append(Inside(kind, count))
    return sorted(found, key=lambda one: -one.cells)


def _names(text: pl.Series) -> pl.Series:
    rest = text.str.replace_all(NOT_NAMES, "")
    hits = rest.str.contains(_filled(INSIDE["name"]))
    pairs = text.str.contains(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
    if not pairs.any():
        return hits
    known = [pair and _is_pair(cell) for cell, pair in zip(text, pairs, strict=True)]
    return hits | pl.Series(known, dtype=pl.Boolean)


def _is_pair(cell: str) -> bool:
    """A given name and a surname that are both common."""
    pairs = _TWO_CAPITALS.findall(cell)
    return any(a.lower() in WESTERN_GIVEN and b.lower() in WESTERN_SURNAMES for a, b in pairs)


def _confirmed(text: pl.Series, hits: pl.Series, kind: str) -> pl.Series:
    check = _CONFIRM[kind]
    digits = text.filter(hits).str.extract(INSIDE[kind]).str.replace_all(r"[ -]", "")
    good = {cell: check(number) for cell, number in zip(text.filter(hits), digits, strict=True)}
    return pl.Series([good.get(cell, False) for cell in text], dtype=pl.Boolean)


@cache
def _filled(pattern: str) -> str:
    return pattern.replace("SURNAMES", surname_pattern())
