"""Frames that users hand over: pandas, Polars, Arrow; and names that their columns cannot have.

Whatever gives its rows as an Arrow stream is taken, too: relations of DuckDB, for example.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterable
from typing import Any, Protocol

import polars as pl

from tokumei.core.errors import InputError

RESERVED = "tokumei_"
COUNT = "tokumei_rows"
"""For how many rows a row stands, where it stands for many."""


def to_polars(frame: Any) -> pl.DataFrame:
    """Any supported frame as Polars, without its pandas index."""
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    import narwhals as nw

    try:
        known = nw.from_native(frame, eager_only=True)
    except TypeError:
        if hasattr(frame, "__arrow_c_stream__"):  # a relation of DuckDB, among others
            return pl.DataFrame(frame)
        raise InputError(
            f"a {type(frame).__name__} is not a table: give a pandas, Polars or Arrow frame",
            f"{type(frame).__name__} は表ではありません。"
            "pandas・Polars・Arrow の表を渡してください",
        ) from None
    try:
        polars: pl.DataFrame = known.to_polars()
    except (ValueError, TypeError, OverflowError):  # Arrow's own errors are of these
        return pl.DataFrame([_column(one) for one in known.iter_columns()])
    return polars.with_columns(
        _text(known[name]) for name in polars.columns if _is_mixed(known[name], polars[name])
    )


def _column(column: Any) -> pl.Series:
    """A column by itself; as text if its cells are of several types, which no column can hold."""
    try:
        found: pl.Series = column.to_polars()
    except (ValueError, TypeError, OverflowError):
        return _text(column)
    return _text(column) if _is_mixed(column, found) else found


def _text(column: Any) -> pl.Series:
    return pl.Series(column.name, [_cell(one) for one in column.to_list()], dtype=pl.String)


def _is_mixed(column: Any, found: pl.Series) -> bool:
    """Whether other things stand among days or numbers, which Arrow takes for some of them.

    1 would become the second day of 1970, and True the number 1.
    """
    if str(column.dtype) != "Object":
        return False
    filled = (one for one in column.to_list() if one is not None and one == one)
    if found.dtype.is_temporal():
        return not all(isinstance(one, dt.date | dt.time | dt.timedelta) for one in filled)
    return found.dtype.is_numeric() and any(isinstance(one, bool) for one in filled)


def _cell(value: Any) -> str | None:
    """A cell as a CSV file has it."""
    if value is None or value != value:  # NaN alone differs from itself
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


class Frame(Protocol):
    """A frame in memory: pandas, Polars, Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows for other libraries."""


def source_name(source: Frame | str | os.PathLike[str]) -> str:
    """What errors call a source: a file's path; a frame has no name."""
    return str(source) if isinstance(source, str | os.PathLike) else ""


class SparkFrame(Protocol):
    """A DataFrame of Spark, whose rows are on a cluster."""

    @property
    def sparkSession(self) -> Any:  # Spark's name
        """The connection to the cluster."""


def require_plain_names(names: Iterable[str], *, where: str = "") -> None:
    """Fail on names such as `*` and `^a$`, which would select other columns, and reserved ones."""
    for name in names:
        pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
        if pattern or name.startswith(RESERVED):
            place = f"{where}: " if where else ""
            raise InputError(
                f"{place}the column name '{name}' cannot be used; rename it",
                f"{place}列名 '{name}' は使えません。名前を変えてください",
            )
