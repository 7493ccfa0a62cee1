"""An original read as its release was: texts as numbers, days or gaps where the release has such.

A release of `31歳` holds 31: compared as texts, nothing would be alike, and all would look safe.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from tokumei.core.cells import beside_gap
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.look.word_gaps import is_text, marks_in


def as_released(source: Table, public: Table, answers: Any) -> tuple[Table, list[Text]]:
    """The original beside a release, and what is to be said; `answers`: those of its manifest."""
    names = [name for name in (*source.schema.qi, *source.schema.sa) if name in public.frame]
    foreign = [
        name
        for name in names
        if _is_foreign(source.frame[name], public.frame[name])
        or _lost_marks(source.frame[name], public.frame[name])
    ]
    if not foreign:
        return source, []
    from tokumei.tables.look.days import answered
    from tokumei.tables.look.first_rows import looked_at
    from tokumei.tables.look.normalized import normalized, rule_notes

    found = looked_at(source.frame, days=answered(answers))
    read = normalized(source, found, foreign, line_of=None, bad_missing=True)
    return read, rule_notes(found, foreign, source)


def _lost_marks(before: pl.Series, after: pl.Series) -> bool:
    """Whether marks of missing values among words (`?`) became gaps."""
    marks = marks_in(before)
    if not len(marks) or not is_text(after):
        return False
    texts = after.unique().drop_nulls().cast(pl.String)
    gaps = after.null_count() > before.null_count() or any(map(beside_gap, texts))
    return gaps and not texts.is_in(marks.implode()).any()


def _is_foreign(before: pl.Series, after: pl.Series) -> bool:
    if before.dtype.is_numeric() or before.dtype.is_temporal():
        return False
    if after.dtype.is_numeric() or after.dtype.is_temporal():
        return True
    texts = before.unique().drop_nulls().cast(pl.String)
    return not after.unique().drop_nulls().cast(pl.String).is_in(texts.implode()).any()
