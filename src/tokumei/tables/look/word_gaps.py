"""Marks of missing values in columns of words: `?`, `-`, `N/A`; `NA` unless it may be a code.

    marks = marks_in(table.frame["town"])         # the texts that say that nothing is known
    without_marks(table.frame["town"], marks)     # the column with gaps in their place

A column whose other cells are codes of two to five capital letters keeps its `NA` (Namibia, North
America), and it is said.
"""

from __future__ import annotations

from collections.abc import Set

import polars as pl

from tokumei.core.fields import field_values
from tokumei.core.text import Text
from tokumei.files.compact import is_compact, words
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.missing import NOT_APPLICABLE, is_missing, normal
from tokumei.tables.look.rules import RULES

SHOWN = 5
_FEW = 0.5
LARGEST, DIGITS = 2.0**53, 15
"""Whole numbers below, and numbers of so many digits, are kept exactly by reals."""


def is_text(cells: pl.Series) -> bool:
    """Whether a column holds texts."""
    return cells.dtype == pl.String or is_compact(cells.dtype)


def marks_in(cells: pl.Series, off: Set[str] = frozenset()) -> pl.Series:
    """The texts of a column that say that nothing is known, as they are written."""
    none = pl.Series(cells.name, [], dtype=pl.String)
    if "missing" in off or not is_text(cells) or not _any_mark(cells):
        return none
    found = ColumnCells.of(cells.cast(pl.String), off)
    return found.raw.filter(found.missing).unique()


def without_marks(cells: pl.Series, marks: pl.Series) -> pl.Series:
    """The column with gaps in place of the marks."""
    if not len(marks):
        return cells
    gaps = cells.is_in(marks.cast(cells.dtype).implode()).fill_null(False)
    keep = pl.when(pl.lit(gaps)).then(None).otherwise(pl.lit(cells))
    return pl.select(keep.alias(cells.name)).to_series()


def mark_notes(cells: pl.Series, off: Set[str] = frozenset()) -> list[Text]:
    """How many cells are read as missing because of which marks; whether an `NA` is not."""
    marks = marks_in(cells, off)
    notes = [_read_note(cells, marks)] if len(marks) else []
    if "missing" in off or not is_text(cells) or not _any_mark(cells):
        return notes
    distinct = _distinct(cells)
    kept = distinct.filter(normal(distinct).is_in([NOT_APPLICABLE])).implode()
    count = int(cells.cast(pl.String).is_in(kept).sum()) if len(kept[0]) else 0
    read = normal(marks).is_in([NOT_APPLICABLE]).any()
    return [*notes, _kept_note(cells.name, count)] if count and not read else notes


def are_exact(cells: pl.Series) -> bool:
    """Whether no number of a column of texts has more digits than a real number keeps."""
    distinct = _distinct(cells).cast(pl.String)
    plain = distinct.filter(distinct.cast(pl.Float64, strict=False).is_not_null())
    digits = plain.str.replace_all(r"[eE].*|[^0-9]", "").str.strip_chars_start("0")
    return bool((digits.str.len_chars() <= DIGITS).all())


def odd_words(cells: pl.Series) -> pl.Series:
    """The texts of a column of plain numbers that are none; nothing if they are more than few."""
    distinct = _distinct(cells)
    odd = distinct.filter(distinct.cast(pl.Float64, strict=False).is_null())
    few = len(odd) and len(odd) <= _FEW * len(distinct)
    return odd if few and len(odd) < len(distinct) else odd.clear()


def value_notes(cells: pl.Series) -> list[Text]:
    """What is said where marks are not read as missing, but as the values that they are."""
    marks = marks_in(cells)
    count = int(cells.cast(pl.String).is_in(marks.implode()).sum()) if len(marks) else 0
    listed = _listed(marks)
    said = Text(
        f"{cells.name}: {count:,} cell(s) ({listed}) may say that nothing is known; "
        "here they count as a value",
        f"{cells.name}: {count:,} 個のセル ({listed}) は欠損を表す可能性があります。"
        "ここでは値として数えます",
    )
    return [said] if count else []


def _distinct(cells: pl.Series) -> pl.Series:
    return (words(cells) if is_compact(cells.dtype) else cells.unique()).drop_nulls()


def _any_mark(cells: pl.Series) -> bool:
    """Whether a text may be a mark; most columns have none, and cost no more than this."""
    return bool(is_missing(normal(_distinct(cells)), words=True).any())


def _listed(marks: pl.Series) -> str:
    """Some marks, each once however wide or spaced; blanks between quotation marks."""
    return ", ".join([*dict.fromkeys(mark.strip() or "' '" for mark in marks.sort())][:SHOWN])


def _read_note(cells: pl.Series, marks: pl.Series) -> Text:
    count = int(cells.cast(pl.String).is_in(marks.implode()).sum())
    listed, words_of = _listed(marks), RULES["missing"]
    return Text(
        f"Normalized: {cells.name}: {words_of.en} ({count:,}: {listed}; "
        f"{field_values('no_normalize', ['missing'])} keeps them)",
        f"正規化: {cells.name}: {words_of.ja} ({count:,}: {listed}。"
        f"{field_values('no_normalize', ['missing'])} で値のまま残ります)",
    )


def _kept_note(name: str, count: int) -> Text:
    return Text(
        f"{name}: NA ({count:,}) stays a value, for the other cells are short codes, too; "
        "where it means that nothing is known, empty these cells first",
        f"{name}: ほかのセルも短いコードのため、NA ({count:,}) は値として残します。"
        "欠損の意味であれば、先に空欄にしてください",
    )
