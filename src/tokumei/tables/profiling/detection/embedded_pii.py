"""Finds personal data inside texts: telephone numbers, addresses, names before 様."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import polars as pl

from tokumei.core.check_digits import is_card_number, is_my_number
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.cell_patterns import EMBEDDED_PATTERNS, NON_NAME_HONORIFICS
from tokumei.tables.profiling.detection.name_detection import surname_pattern
from tokumei.tables.profiling.lexicon.person_names import WESTERN_GIVEN_NAMES, WESTERN_SURNAMES

_VALIDATORS: dict[str, Callable[[str], bool]] = {"card": is_card_number, "my_number": is_my_number}
_CAPITALIZED_PAIR = re.compile(r"\b([A-Z][a-z]+) ([A-Z][a-z]+)\b")


MAYBE_PII_PATTERN = (
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
class EmbeddedPii:
    """Personal data of a type, and in how many cells it stands."""

    type: str
    cells: int


def find_embedded_pii(cells: ColumnCells) -> list[EmbeddedPii]:
    """What personal data the cells of a text column hold, most frequent first."""
    text, weights = cells.filled, cells.weights
    all_pii = []
    for pii_type, pattern in EMBEDDED_PATTERNS.items():
        hits = (
            _find_names(text) if pii_type == "name" else text.str.contains(_fill_surnames(pattern))
        )
        if pii_type in _VALIDATORS and hits.any():
            hits = hits & _confirm_hits(text, hits, pii_type)
        if count := int(weights.filter(hits).sum()):
            all_pii.append(EmbeddedPii(pii_type, count))
    return sorted(all_pii, key=lambda pii: -pii.cells)


def _find_names(text: pl.Series) -> pl.Series:
    without_honorifics = text.str.replace_all(NON_NAME_HONORIFICS, "")
    hits = without_honorifics.str.contains(_fill_surnames(EMBEDDED_PATTERNS["name"]))
    pairs = text.str.contains(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
    if not pairs.any():
        return hits
    has_known_pair = [
        pair and _has_known_name_pair(cell) for cell, pair in zip(text, pairs, strict=True)
    ]
    return hits | pl.Series(has_known_pair, dtype=pl.Boolean)


def _has_known_name_pair(cell: str) -> bool:
    """A given name and a surname that are both common."""
    pairs = _CAPITALIZED_PAIR.findall(cell)
    return any(a.lower() in WESTERN_GIVEN_NAMES and b.lower() in WESTERN_SURNAMES for a, b in pairs)


def _confirm_hits(text: pl.Series, hits: pl.Series, pii_type: str) -> pl.Series:
    validator = _VALIDATORS[pii_type]
    digits = text.filter(hits).str.extract(EMBEDDED_PATTERNS[pii_type]).str.replace_all(r"[ -]", "")
    is_valid = {
        cell: validator(number) for cell, number in zip(text.filter(hits), digits, strict=True)
    }
    return pl.Series([is_valid.get(cell, False) for cell in text], dtype=pl.Boolean)


@cache
def _fill_surnames(pattern: str) -> str:
    return pattern.replace("SURNAMES", surname_pattern())
