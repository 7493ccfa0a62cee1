"""Reading a column as another kind than its values suggest: codes as categories, say."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from tokumei.core.cells import LineOf, canonical, cell_fault
from tokumei.core.errors import FAULTS_SHOWN, InputError, UnknownNameError
from tokumei.core.text import Text
from tokumei.tables.data.schema import ColumnKind


def as_kinds(
    frame: pl.DataFrame,
    kinds: Mapping[str, str],
    *,
    where: str = "",
    line_of: LineOf | None = None,
) -> pl.DataFrame:
    """The frame with the named columns read as the given kinds; every cell must allow it."""
    for name in kinds:
        if name not in frame.columns:
            raise UnknownNameError(Text("column", "列"), name, frame.columns, where=where)
    new = [
        _as_kind(frame[name], parse_kind(kind, where), where, line_of)
        for name, kind in kinds.items()
    ]
    return frame.with_columns(new)


def parse_kind(kind: str, where: str = "") -> ColumnKind:
    """A kind by its name."""
    if kind not in list(ColumnKind):
        raise UnknownNameError(Text("kind", "種類"), kind, list(ColumnKind), where=where)
    return ColumnKind(kind)


def _as_kind(series: pl.Series, kind: ColumnKind, where: str, line_of: LineOf | None) -> pl.Series:
    text = canonical(series)
    if kind is ColumnKind.CATEGORY:
        return text
    cast = _cast(text, kind)
    lost = np.flatnonzero((cast.is_null() & text.is_not_null()).to_numpy())
    if len(lost):
        wrong = Text(f"is not a valid {kind.value}", f"は {kind.value} ではありません")
        faults = [
            cell_fault(text, int(row), line_of, rule="kind", wrong=wrong)
            for row in lost[:FAULTS_SHOWN]
        ]
        place = f"{where}: " if where else ""
        raise InputError(
            f"{place}column '{series.name}' cannot be read as {kind.value}",
            f"{place}列 '{series.name}' を {kind.value} として読めません",
            faults=faults,
            total=len(lost),
        )
    return cast


def _cast(text: pl.Series, kind: ColumnKind) -> pl.Series:
    """The cells as the kind, null where they do not allow it."""
    if kind is ColumnKind.DATE:
        return text.str.to_date("%Y-%m-%d", strict=False)
    return text.cast(pl.Int64 if kind is ColumnKind.INTEGER else pl.Float64, strict=False)
