"""Infers the kind of values and the role of each column, with reasons.

schema = schema_for(frame, qi=["age"])              # all is guessed if no role is given
frame = cast_to_kinds(frame, {"industry": "category"})   # codes as categories, say
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, UnknownNameError
from tokumei.core.generalized_cells import LineOfRow, canonicalize_column, cell_violation
from tokumei.core.message_lines import locate_problem
from tokumei.core.messages import Message
from tokumei.tables.data.schema import COLUMN_NOUN, Column, ColumnKind, Role, Schema

QI_MAX_VALUES = 100
ID_NAME = re.compile(
    r"(^|[_\s-])(id|uuid|name|e?mail|phone|tel|ssn|address)($|[_\s-])|氏名|名前|電話|番号|住所",
    re.I,
)


def infer_schema(frame: pl.DataFrame) -> Schema:
    """Guess the role and kind of every column from its name, type and values."""
    return Schema(tuple(_infer_column(frame[name]) for name in frame.columns))


def schema_for(
    frame: pl.DataFrame,
    *,
    qi: str | Sequence[str] | None = None,
    sa: str | Sequence[str] | None = None,
    ids: str | Sequence[str] | None = None,
    where: str = "",
) -> Schema:
    """The roles given; all are guessed if none is."""
    if qi is None and sa is None and ids is None:
        return infer_schema(frame)
    kinds = Schema(tuple(Column(s.name, Role.OTHER, kind_from_dtype(s)) for s in frame))
    return kinds.with_roles(qi=qi, sa=sa, ids=ids, where=where)


def kind_from_dtype(series: pl.Series) -> ColumnKind:
    """The kind that a column's type says."""
    if series.dtype.is_integer():
        return ColumnKind.INTEGER
    if series.dtype.is_float() or series.dtype.is_decimal():
        return ColumnKind.REAL
    if series.dtype in (pl.Date, pl.Datetime):
        return ColumnKind.DATE
    return ColumnKind.CATEGORY


def _infer_column(series: pl.Series) -> Column:
    kind = kind_from_dtype(series)
    role, reason = _infer_role(series.name, kind, series.n_unique(), len(series))
    return Column(series.name, role, kind, reason)


def _infer_role(name: str, kind: ColumnKind, distinct: int, rows: int) -> tuple[Role, Message]:
    share = distinct / max(rows, 1)
    if rows > 1 and share > 0.95 and ID_NAME.search(name):
        return Role.ID, Message(
            "its name, and {distinct} values in {rows} rows",
            distinct=distinct,
            rows=rows,
            stable_code="header-and-pattern",
        )
    if kind is ColumnKind.CATEGORY and rows > QI_MAX_VALUES and share > 0.95:
        return Role.ID, Message("nearly every value is unique", stable_code="unique-values")
    if kind.is_number and distinct > QI_MAX_VALUES:
        return Role.SA, Message(
            "a number with {distinct} values", distinct=distinct, stable_code="number"
        )
    if kind is ColumnKind.REAL:
        return Role.SA, Message("a continuous number", stable_code="number")
    return Role.QI, Message("{distinct} distinct values", distinct=distinct, stable_code="category")


def cast_to_kinds(
    frame: pl.DataFrame,
    kinds: Mapping[str, str],
    *,
    where: str = "",
    line_of: LineOfRow | None = None,
) -> pl.DataFrame:
    """The frame with the named columns read as the given kinds; every cell must allow it."""
    for name in kinds:
        if name not in frame.columns:
            raise UnknownNameError(COLUMN_NOUN, name, frame.columns, where=where)
    cast_columns = []
    for name, kind in kinds.items():
        if kind not in list(ColumnKind):
            raise UnknownNameError(Message("kind"), kind, list(ColumnKind), where=where)
        cast_columns.append(_cast_column(frame[name], ColumnKind(kind), where, line_of))
    return frame.with_columns(cast_columns)


def _cast_column(
    series: pl.Series, kind: ColumnKind, where: str, line_of: LineOfRow | None
) -> pl.Series:
    text = canonicalize_column(series)
    if kind is ColumnKind.CATEGORY:
        return text
    if kind is ColumnKind.DATE:
        cast = text.str.to_date("%Y-%m-%d", strict=False)
    else:
        cast = text.cast(pl.Int64 if kind is ColumnKind.INTEGER else pl.Float64, strict=False)
    invalid_rows = np.flatnonzero((cast.is_null() & text.is_not_null()).to_numpy())
    if len(invalid_rows):
        problem = Message("'{cell}' is not a valid {kind}").fill(kind=kind.words)
        faults = [
            cell_violation(text, int(row), line_of, rule="kind", wrong=problem)
            for row in invalid_rows[:MAX_SHOWN_VIOLATIONS]
        ]
        message = Message(
            "column '{column}' cannot be read as {kind}", column=series.name, kind=kind.words
        )
        raise InputError(locate_problem(message, where), faults=faults, total=len(invalid_rows))
    return cast
