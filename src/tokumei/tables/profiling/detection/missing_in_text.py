"""Finds marks of missing values in text columns: `?`, `-`, `N/A`, and `NA` if it is no code.

    marks = find_marks(table.frame["town"])         # the texts that say that nothing is known
    replace_marks(table.frame["town"], marks)     # the column with gaps in their place

A column whose other cells are codes of two to five capital letters keeps its `NA` (Namibia, North
America), and it is said.
"""

from __future__ import annotations

from collections.abc import Set

import polars as pl

from tokumei.core.fields import field_values
from tokumei.core.messages import Message
from tokumei.files.column_types import dictionary_words, is_dictionary_encoded
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.distinct_cells import NA_MARKER, is_missing, normalize_markers
from tokumei.tables.profiling.normalization_rules import NORMALIZATION_RULES

MAX_LISTED_MARKS = 5
_MAX_ODD_SHARE = 0.5
LARGEST_EXACT_INTEGER, MAX_EXACT_DIGITS = 2.0**53, 15
"""Whole numbers below, and numbers of so many digits, are kept exactly by reals."""


def is_text_column(cells: pl.Series) -> bool:
    """Whether a column holds texts."""
    return cells.dtype == pl.String or is_dictionary_encoded(cells.dtype)


def find_marks(cells: pl.Series, off: Set[str] = frozenset()) -> pl.Series:
    """The texts of a column that say that nothing is known, as they are written."""
    no_marks = pl.Series(cells.name, [], dtype=pl.String)
    if "missing" in off or not is_text_column(cells) or not _has_mark(cells):
        return no_marks
    column_cells = ColumnCells.of(cells.cast(pl.String), off)
    return column_cells.raw.filter(column_cells.missing).unique()


def replace_marks(cells: pl.Series, marks: pl.Series) -> pl.Series:
    """The column with gaps in place of the marks."""
    if not len(marks):
        return cells
    is_mark = cells.is_in(marks.cast(cells.dtype).implode()).fill_null(False)
    kept_cells = pl.when(pl.lit(is_mark)).then(None).otherwise(pl.lit(cells))
    return pl.select(kept_cells.alias(cells.name)).to_series()


def missing_mark_messages(cells: pl.Series, off: Set[str] = frozenset()) -> list[Message]:
    """How many cells are read as missing because of which marks; whether an `NA` is not."""
    marks = find_marks(cells, off)
    notes = [_marks_as_missing_message(cells, marks)] if len(marks) else []
    if "missing" in off or not is_text_column(cells) or not _has_mark(cells):
        return notes
    distinct = _distinct_texts(cells)
    na_texts = distinct.filter(normalize_markers(distinct).is_in([NA_MARKER])).implode()
    count = int(cells.cast(pl.String).is_in(na_texts).sum()) if len(na_texts[0]) else 0
    is_na_missing = normalize_markers(marks).is_in([NA_MARKER]).any()
    return [*notes, _kept_na_message(cells.name, count)] if count and not is_na_missing else notes


def is_exact_as_float(cells: pl.Series) -> bool:
    """Whether no number of a column of texts has more digits than a real number keeps."""
    distinct = _distinct_texts(cells).cast(pl.String)
    numeric_texts = distinct.filter(distinct.cast(pl.Float64, strict=False).is_not_null())
    digits = numeric_texts.str.replace_all(r"[eE].*|[^0-9]", "").str.strip_chars_start("0")
    return bool((digits.str.len_chars() <= MAX_EXACT_DIGITS).all())


def find_non_numbers(cells: pl.Series) -> pl.Series:
    """The texts of a column of plain numbers that are none; nothing if they are more than few."""
    distinct = _distinct_texts(cells)
    non_numbers = distinct.filter(distinct.cast(pl.Float64, strict=False).is_null())
    is_few = len(non_numbers) and len(non_numbers) <= _MAX_ODD_SHARE * len(distinct)
    return non_numbers if is_few and len(non_numbers) < len(distinct) else non_numbers.clear()


def kept_mark_messages(cells: pl.Series) -> list[Message]:
    """What is said where marks are not read as missing, but as the values that they are."""
    marks = find_marks(cells)
    count = int(cells.cast(pl.String).is_in(marks.implode()).sum()) if len(marks) else 0
    message = Message(
        "{column}: {count} cell ({marks}) may stand for a missing value; here it counts as a value",
        plural="{column}: {count:,} cells ({marks}) may stand for missing values; here they count "
        "as values",
        count=count,
        column=cells.name,
        marks=_format_marks(marks),
    )
    return [message] if count else []


def _distinct_texts(cells: pl.Series) -> pl.Series:
    return (
        dictionary_words(cells) if is_dictionary_encoded(cells.dtype) else cells.unique()
    ).drop_nulls()


def _has_mark(cells: pl.Series) -> bool:
    """Whether a text may be a mark; most columns have none, and cost no more than this."""
    return bool(is_missing(normalize_markers(_distinct_texts(cells)), words=True).any())


def _format_marks(marks: pl.Series) -> str:
    """Some marks, each once however wide or spaced; blanks between quotation marks."""
    return ", ".join(
        [*dict.fromkeys(mark.strip() or "' '" for mark in marks.sort())][:MAX_LISTED_MARKS]
    )


def _marks_as_missing_message(cells: pl.Series, marks: pl.Series) -> Message:
    count = int(cells.cast(pl.String).is_in(marks.implode()).sum())
    return Message(
        "Normalized: {column}: {description} ({cells:,}: {marks}; {option} keeps them)",
        column=cells.name,
        description=NORMALIZATION_RULES["missing"],
        cells=count,
        marks=_format_marks(marks),
        option=field_values("no_normalize", ["missing"]),
    )


def _kept_na_message(name: str, count: int) -> Message:
    return Message(
        "{column}: NA ({cells:,}) stays a value, because the other cells are short codes, too; if "
        "it stands for a missing value, empty these cells first",
        column=name,
        cells=count,
    )
