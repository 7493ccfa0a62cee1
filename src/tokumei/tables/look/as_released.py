"""An original read as its release was: texts as numbers, days or gaps where the release has such.

A release of `31歳` holds 31: compared as texts, nothing would be alike, and all would look safe.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from tokumei.core.cells import beside_gap
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.look.word_gaps import SHOWN, is_text, marks_in, odd_words, without_marks

_FEWEST = 0.05
"""More cells that are no numbers make a column of words."""


def as_released(source: Table, public: Table, answers: Any) -> tuple[Table, list[Text]]:
    """The original beside a release, and what is to be said; `answers`: those of its manifest."""
    names = [name for name in (*source.schema.qi, *source.schema.sa) if name in public.frame]
    foreign = [
        name
        for name in names
        if _is_foreign(source.frame[name], public.frame[name])
        or _lost_marks(source.frame[name], public.frame[name])
        or _lost_words(source.frame[name], public.frame[name])
    ]
    odd = [note for name in names for note in _odd_notes(source.frame[name], name in foreign)]
    if not foreign:
        return source, odd
    from tokumei.tables.look.days import answered
    from tokumei.tables.look.first_rows import looked_at
    from tokumei.tables.look.normalized import normalized, rule_notes

    found = looked_at(source.frame, days=answered(answers))
    read = normalized(source, found, foreign, line_of=None, bad_missing=True)
    return read, [*rule_notes(found, foreign, source), *odd]


def _odd_notes(cells: pl.Series, read: bool) -> list[Text]:
    """Which cells of a column of numbers are none, and what that means for a comparison."""
    if not is_text(cells):
        return []
    marks = marks_in(cells)
    words = odd_words(without_marks(cells, marks))
    rows = cells.cast(pl.String).is_in(words.implode()).fill_null(False).arg_true()
    filled = len(cells) - cells.null_count()
    if not len(rows) or len(rows) > _FEWEST * filled:
        return []
    listed = ", ".join(str(row + 1) for row in rows.head(SHOWN)) + " …" * (len(rows) > SHOWN)
    so = Text("they count as missing", "欠損とします")
    if not read:
        so = Text("the whole column is compared as text", "列全体を文字列として比べます")
    said = Text(
        f"{cells.name}: {len(rows):,} of {filled:,} cells are no numbers (row {listed} of the "
        f"original): {so.en}",
        f"{cells.name}: {filled:,} 個のセルのうち {len(rows):,} 個は数値ではないため "
        f"(元データの {listed} 行目)、{so.ja}",
    )
    return [said]


def _lost_marks(before: pl.Series, after: pl.Series) -> bool:
    """Whether marks of missing values among words (`?`) became gaps."""
    marks = marks_in(before)
    if not len(marks) or not is_text(after):
        return False
    texts = after.unique().drop_nulls().cast(pl.String)
    gaps = after.null_count() > before.null_count() or any(map(beside_gap, texts))
    return gaps and not texts.is_in(marks.implode()).any()


def _lost_words(before: pl.Series, after: pl.Series) -> bool:
    """Whether the few words of a column of numbers are not in the release."""
    words = odd_words(before) if is_text(before) else before.clear()
    if not len(words) or not is_text(after):
        return False
    return not after.unique().drop_nulls().cast(pl.String).is_in(words.implode()).any()


def _is_foreign(before: pl.Series, after: pl.Series) -> bool:
    if before.dtype.is_numeric() or before.dtype.is_temporal():
        return False
    if after.dtype.is_numeric() or after.dtype.is_temporal():
        return True
    texts = before.unique().drop_nulls().cast(pl.String)
    return not after.unique().drop_nulls().cast(pl.String).is_in(texts.implode()).any()
