"""Converts an original's columns to the types of its release.

A release of `31歳` holds 31: compared as texts, nothing would be alike, and all would look safe.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.generalized_cells import strip_missing_mark
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.detection.missing_in_text import (
    MAX_LISTED_MARKS,
    find_marks,
    find_non_numbers,
    is_text_column,
    replace_marks,
)

_MAX_TEXT_SHARE = 0.05
"""More cells that are no numbers make a column of words."""


def retype_original(source: Table, public: Table, answers: object) -> tuple[Table, list[Message]]:
    """The original beside a release, and what is to be said; `answers`: those of its manifest."""
    names = [name for name in (*source.schema.qi, *source.schema.sa) if name in public.frame]
    changed_columns = [
        name
        for name in names
        if _is_differently_typed(source.frame[name], public.frame[name])
        or _marks_became_gaps(source.frame[name], public.frame[name])
        or _words_were_dropped(source.frame[name], public.frame[name])
    ]
    non_number_notes = [
        note
        for name in names
        for note in _non_number_messages(source.frame[name], name in changed_columns)
    ]
    if not changed_columns:
        return source, non_number_notes
    from tokumei.tables.profiling.first_rows import profile_sample
    from tokumei.tables.profiling.normalization import normalization_messages, normalize_columns
    from tokumei.tables.profiling.normalization_rules import read_date_answers

    profile = profile_sample(source.frame, days=read_date_answers(answers))
    normalized_table = normalize_columns(
        source, profile, changed_columns, line_of=None, bad_missing=True
    )
    return normalized_table, [
        *normalization_messages(profile, changed_columns, source),
        *non_number_notes,
    ]


def _non_number_messages(cells: pl.Series, is_normalized: bool) -> list[Message]:
    """Which cells of a column of numbers are none, and what that means for a comparison."""
    if not is_text_column(cells):
        return []
    marks = find_marks(cells)
    non_numbers = find_non_numbers(replace_marks(cells, marks))
    rows = cells.cast(pl.String).is_in(non_numbers.implode()).fill_null(False).arg_true()
    filled = len(cells) - cells.null_count()
    if not len(rows) or len(rows) > _MAX_TEXT_SHARE * filled:
        return []
    listed = ", ".join(str(row + 1) for row in rows.head(MAX_LISTED_MARKS)) + " …" * (
        len(rows) > MAX_LISTED_MARKS
    )
    message = Message(
        "{column}: {cells:,} of {filled:,} cells are not numbers (row {rows} of the original): the "
        "whole column is compared as text"
    )
    if is_normalized:
        message = Message(
            "{column}: {cells:,} of {filled:,} cells are not numbers (row {rows} of the original): "
            "they count as missing"
        )
    return [message.fill(column=cells.name, cells=len(rows), filled=filled, rows=listed)]


def _marks_became_gaps(before: pl.Series, after: pl.Series) -> bool:
    """Whether marks of missing values among words (`?`) became gaps."""
    marks = find_marks(before)
    if not len(marks) or not is_text_column(after):
        return False
    texts = after.unique().drop_nulls().cast(pl.String)
    has_new_gaps = after.null_count() > before.null_count() or any(map(strip_missing_mark, texts))
    return has_new_gaps and not texts.is_in(marks.implode()).any()


def _words_were_dropped(before: pl.Series, after: pl.Series) -> bool:
    """Whether the few words of a column of numbers are not in the release."""
    words = find_non_numbers(before) if is_text_column(before) else before.clear()
    if not len(words) or not is_text_column(after):
        return False
    return not after.unique().drop_nulls().cast(pl.String).is_in(words.implode()).any()


def _is_differently_typed(before: pl.Series, after: pl.Series) -> bool:
    if before.dtype.is_numeric() or before.dtype.is_temporal():
        return False
    if after.dtype.is_numeric() or after.dtype.is_temporal():
        return True
    texts = before.unique().drop_nulls().cast(pl.String)
    return not after.unique().drop_nulls().cast(pl.String).is_in(texts.implode()).any()
