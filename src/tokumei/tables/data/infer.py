"""A first guess at roles and kinds, each with its reason, to be overridden by the user."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from tokumei.core.text import Text
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema

QI_MAX_VALUES = 100
ID_NAME = re.compile(
    r"(^|[_\s-])(id|uuid|name|e?mail|phone|tel|ssn|address)($|[_\s-])|氏名|名前|電話|番号|住所",
    re.I,
)


def infer_schema(frame: pl.DataFrame) -> Schema:
    """Guess the role and kind of every column from its name, type and values."""
    return Schema(tuple(_infer(frame[name]) for name in frame.columns))


def schema_for(
    frame: pl.DataFrame,
    *,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    where: str = "",
) -> Schema:
    """The roles given; all are guessed if none is."""
    if qi is None and sa is None and ids is None:
        return infer_schema(frame)
    kinds = Schema(tuple(Column(s.name, Role.OTHER, kind_of(s)) for s in frame))
    return kinds.with_roles(qi=qi, sa=sa, ids=ids, where=where)


def kind_of(series: pl.Series) -> ColumnKind:
    """The kind that a column's type says."""
    if series.dtype.is_integer():
        return ColumnKind.INTEGER
    if series.dtype.is_float() or series.dtype.is_decimal():
        return ColumnKind.REAL
    if series.dtype in (pl.Date, pl.Datetime):
        return ColumnKind.DATE
    return ColumnKind.CATEGORY


def _infer(series: pl.Series) -> Column:
    kind = kind_of(series)
    distinct, rows = series.n_unique(), len(series)
    role, reason = _role(series.name, kind, distinct, rows)
    return Column(series.name, role, kind, reason)


def _role(name: str, kind: ColumnKind, distinct: int, rows: int) -> tuple[Role, Text]:
    share = distinct / max(rows, 1)
    if rows > 1 and share > 0.95 and ID_NAME.search(name):
        return Role.ID, Text(
            f"its name, and {distinct} values in {rows} rows",
            f"列名と {rows} 行中 {distinct} 種の値",
        )
    if kind is ColumnKind.CATEGORY and rows > QI_MAX_VALUES and share > 0.95:
        return Role.ID, Text("nearly every value is unique", "ほぼすべての値が異なる")
    if kind.is_number and distinct > QI_MAX_VALUES:
        return Role.SA, Text(f"a number with {distinct} values", f"{distinct} 種の値を取る数値")
    if kind is ColumnKind.REAL:
        return Role.SA, Text("a continuous number", "連続値")
    return Role.QI, Text(f"{distinct} distinct values", f"{distinct} 種の値")
