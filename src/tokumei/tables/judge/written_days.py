"""Parses dates such as 05/31/2024 in X and in uploads in the same way.

    days = WrittenDays.of(original.frame, original.schema.qi)
    days.read_original(original.frame)      # columns of type Date
    days.read_cells(released)               # 05/31/2024, [05/01/2024;05/31/2024] as ISO days

A column counts if every cell is a day, no two spellings are the same day, and the cells decide
whether day or month comes first. Any other column stays text: then only equal texts fit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

import polars as pl

from tokumei.core.parsing.dates import DateStyle, detect_date_style

_PART = re.compile(r"[^\[\]{};]+")
"""What stands between the brackets and semicolons of a generalized cell."""


@dataclass(frozen=True)
class DayColumn:
    """How one column writes days, and the forms of its cells with 9 for numbers, a for words."""

    style: DateStyle
    forms: frozenset[str]

    @classmethod
    def of(cls, cells: pl.Series) -> DayColumn | None:
        """How a column of X writes days; None if it is none of days, or leaves their order open."""
        if cells.dtype != pl.String:
            return None
        texts = [_normal(cell) for cell in cells.drop_nulls().unique()]
        style = detect_date_style(texts)
        days = [style.day(text) for text in texts]
        if style.undecided or None in days or not texts or len(set(days)) < len(texts):
            return None
        return cls(style, frozenset(map(_form, texts)))

    def day(self, cell: str) -> date | None:
        """The day that a text says which is written as X writes days."""
        text = _normal(cell)
        return self.style.day(text) if _form(text) in self.forms else None

    def plain(self, cell: str) -> str:
        """A released cell with each of its days in ISO form."""

        def iso(part: re.Match[str]) -> str:
            day = self.day(part[0])
            return part[0] if day is None else day.isoformat()

        return _PART.sub(iso, cell)


@dataclass(frozen=True)
class WrittenDays:
    """The columns of X with days in a form of their own."""

    columns: Mapping[str, DayColumn] = field(default_factory=dict)

    @classmethod
    def of(cls, frame: pl.DataFrame, names: Iterable[str]) -> WrittenDays:
        """Those of the named columns."""
        day_columns = {name: DayColumn.of(frame[name]) for name in names}
        return cls({name: column for name, column in day_columns.items() if column is not None})

    def read_original(self, frame: pl.DataFrame) -> pl.DataFrame:
        """X with its days as days."""
        return frame.with_columns(
            _replaced(frame[name], column.day, pl.Date()) for name, column in self.columns.items()
        )

    def read_cells(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Released texts with their days in ISO form."""
        return frame.with_columns(
            _replaced(frame[name], column.plain, pl.String())
            for name, column in self.columns.items()
        )


def _replaced(
    cells: pl.Series, read: Callable[[str], date | str | None], dtype: pl.DataType
) -> pl.Series:
    distinct = cells.drop_nulls().unique()
    readings = pl.Series([read(cell) for cell in distinct], dtype=dtype)
    return cells.replace_strict(distinct, readings, default=None, return_dtype=dtype)


def _normal(cell: str) -> str:
    return unicodedata.normalize("NFKC", cell).strip()


def _form(text: str) -> str:
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", text))
