"""Looks through the distinct cells of a column for what nobody consented to.

    scan_column("note", cells, terms)        # cells: distinct texts with counts

Every distinct cell is taken apart (`pieces.py`) and every piece is given to the recognizers. A
declared column may hold what it usually holds, such as days; not an identity number among words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import polars as pl

from tokumei.core.release_terms import ReleaseTerms
from tokumei.release_gate.cell_shapes import CALENDAR, PLAIN_NUMBER, QUANTITY
from tokumei.release_gate.date_forms import BIRTH_WORDS, are_births
from tokumei.release_gate.findings import Finding
from tokumei.release_gate.number_scan import scan_plain_numbers
from tokumei.release_gate.pieces import normalize_text, split_cell
from tokumei.release_gate.recognizers import find_forms

_USUAL_SHARE, _RARE_SHARE = 0.5, 0.3
_USUAL_IN_DECLARED = frozenset({"date"})
_SUPPRESSED = frozenset({"*", "**", "***", "∅", "NULL", ""})
_MANY_DIGITS = 5
_MANY_CODES, _OWN_SHARE = 20, 0.15
_DIGITS_IN_PARTS = re.compile(r"\d+(?:[ -]\d+)*")
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
ALIKE = 2_000
"""After so many codes written alike, digit for digit, the rest is taken to be like them."""


def scan_column(name: str, pieces: Mapping[str, int], terms: ReleaseTerms) -> Iterator[Finding]:
    """What the pieces of a column's cells are that nobody consented to."""
    forms: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    search = _AlikeSearch()
    for piece, count in pieces.items():
        for form in search.find_forms(piece):
            kinds[form] += 1
            forms[form] += count
    usual = _usual_forms(kinds, forms, pieces)
    for form, count in forms.items():
        if (described := _judge_form(form, name, form in usual, terms, pieces)) is not None:
            yield Finding(described, count, name)
    codes = {p: n for p, n in pieces.items() if p not in search.recognized and _is_code(p)}
    if _are_unlike(codes, pieces):
        yield Finding("unlike", sum(codes.values()), name)
    elif name not in terms.codes and (
        cells := _count_own_codes(codes, pieces, name in terms.declared)
    ):
        yield Finding("own-code", cells, name)
    yield from (Finding(form, count, name) for form, count in scan_plain_numbers(pieces))


def count_pieces(cells: pl.DataFrame) -> dict[str, int]:
    """The pieces of all cells, with how many cells have each."""
    pieces: dict[str, int] = {}
    for text, count in cells.iter_rows():
        for piece in split_cell(normalize_text(text)):
            if piece not in _SUPPRESSED:
                pieces[piece] = pieces.get(piece, 0) + count
    return pieces


class _AlikeSearch:
    """Finds the forms of pieces; codes that are written alike are judged by the first of them."""

    def __init__(self) -> None:
        self._judged: Counter[str] = Counter()
        self._forms: dict[str, Counter[str]] = {}
        self.recognized: set[str] = set()

    def find_forms(self, piece: str) -> Collection[str]:
        """The forms of a piece; plain numbers are judged elsewhere."""
        forms = self._find(piece)
        if forms:
            self.recognized.add(piece)
        return forms

    def _find(self, piece: str) -> Collection[str]:
        if PLAIN_NUMBER.fullmatch(piece) and ("." in piece or not piece.startswith("0")):
            return ()
        if sum(char.isdigit() for char in piece) < _MANY_DIGITS:
            return find_forms(piece)
        shape = _LETTER.sub("a", _DIGIT.sub("9", piece))
        judged, forms = self._judged[shape], self._forms.setdefault(shape, Counter())
        if judged >= ALIKE:
            return [form for form, count in forms.items() if count >= _USUAL_SHARE * judged]
        result = find_forms(piece)
        self._judged[shape] += 1
        forms.update(result)
        return result


def _usual_forms(
    kinds: Mapping[str, int], forms: Mapping[str, int], pieces: Mapping[str, int]
) -> set[str]:
    """The forms that most pieces of a column have, and most cells."""
    others = [piece for piece in pieces if not CALENDAR.fullmatch(piece)]
    distinct = min(len(pieces), len(others) + kinds.get("date", 0))
    cells = min(sum(pieces.values()), sum(pieces[piece] for piece in others) + forms.get("date", 0))
    return {
        form
        for form in forms
        if kinds[form] >= _USUAL_SHARE * distinct and forms[form] >= _USUAL_SHARE * cells
    }


def _judge_form(
    form: str, name: str, usual: bool, terms: ReleaseTerms, pieces: Collection[str]
) -> str | None:
    """The form as it is to be reported; None: it is what the column is known to hold."""
    if form == "date" and usual:
        is_birth = BIRTH_WORDS.search(name) is not None or are_births(pieces)
        return "birth-date" if is_birth and name not in terms.declared else None
    if usual and form in _USUAL_IN_DECLARED and name in terms.declared:
        return None
    return form


def _are_unlike(codes: Mapping[str, int], pieces: Mapping[str, int]) -> bool:
    """Whether codes of no known form are rare in a column of words."""
    if not codes or all(_has_digit(piece) for piece in pieces):
        return False
    are_few_cells = sum(codes.values()) <= _RARE_SHARE * sum(pieces.values())
    return are_few_cells or len(codes) <= _RARE_SHARE * len(pieces)


def _count_own_codes(codes: Mapping[str, int], pieces: Mapping[str, int], is_declared: bool) -> int:
    """How many cells have codes that hardly any two rows share; 0: they are shared.

    Numbers may be anything. In a declared column, so may parts of digits: postal codes.
    """
    shape = _DIGITS_IN_PARTS if is_declared else PLAIN_NUMBER
    own = {code: count for code, count in codes.items() if not shape.fullmatch(code)}
    return (
        sum(own.values()) if len(own) >= max(_MANY_CODES, _OWN_SHARE * sum(pieces.values())) else 0
    )


def _has_digit(piece: str) -> bool:
    return any(char.isdigit() for char in piece)


def _is_code(piece: str) -> bool:
    """Whether a piece has many digits and is neither a quantity nor a day or year."""
    # In a sentence one word must be a code by itself: `k1500 tahoe 4wd` is none.
    parts = piece.split() if _WORD.search(piece) else [piece]
    digits = max((sum(char.isdigit() for char in part) for part in parts), default=0)
    if digits < _MANY_DIGITS or CALENDAR.fullmatch(piece):
        return False
    if PLAIN_NUMBER.fullmatch(piece):
        return "." not in piece and len(piece) >= 7
    return QUANTITY.fullmatch(piece) is None or "-" in piece or piece.startswith("0")
