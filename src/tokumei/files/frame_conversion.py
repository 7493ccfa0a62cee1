"""Converts pandas, Polars and Arrow frames, and checks their column names.

Whatever gives its rows as an Arrow stream is taken, too: relations of DuckDB, for example.
A named index of pandas is a column like any other; an unnamed one is no part of the data.
"""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.messages import Message
from tokumei.files.file_formats import input_error

if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd
    from pyspark.sql import SparkSession

    NarwhalsColumn: TypeAlias = nw.Series[Any]

RESERVED_PREFIX = "tokumei_"
COUNT_COLUMN = "tokumei_rows"
"""For how many rows a row stands, where it stands for many."""
UNREADABLE = (ValueError, TypeError, OverflowError, NotImplementedError)
"""Errors of libraries about columns that they cannot convert; Arrow's are subclasses."""


def to_polars(frame: Any) -> pl.DataFrame:
    """A supported frame as Polars; named levels of a pandas index come first, as columns."""
    if isinstance(frame, pl.DataFrame | pl.LazyFrame):
        polars_frame = frame.lazy().collect()
        return polars_frame.rename(
            dict(zip(polars_frame.columns, _name_blanks(polars_frame.columns), strict=True))
        )
    import narwhals as nw

    if is_pandas(frame):
        frame = _without_sparse_columns(_with_plain_columns(frame))
    elif hasattr(frame, "rename_columns"):  # of Arrow
        frame = frame.rename_columns(_name_blanks(frame.column_names))
        _require_different_names(frame.column_names)
    try:
        native_frame = nw.from_native(frame, eager_only=True)
    except TypeError:
        return _from_stream(frame)
    try:
        polars: pl.DataFrame = native_frame.to_polars()
    except UNREADABLE:
        return pl.DataFrame([_convert_column(column) for column in native_frame.iter_columns()])
    return polars.with_columns(
        _column_as_text(native_frame[name])
        for name in polars.columns
        if _has_mixed_types(native_frame[name], polars[name]) or is_foreign(polars[name].dtype)
    )


def is_pandas(frame: object) -> bool:
    """Whether something is a DataFrame of pandas, or of a class made from it."""
    return any(
        base_class.__name__ == "DataFrame" and base_class.__module__.split(".")[0] == "pandas"
        for base_class in type(frame).__mro__
    )


def is_foreign(dtype: pl.DataType) -> bool:
    """Whether a type is of another library (a Period, an Interval): its cells are read as text."""
    return isinstance(dtype, getattr(pl, "BaseExtension", ()))


def _from_stream(frame: object) -> pl.DataFrame:
    """The rows of a relation of DuckDB, among others, which gives them as a stream of Arrow."""
    if hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "dtype"):
        return pl.DataFrame(frame)
    name = type(frame).__name__
    raise InputError("a {type} is not a table: give a pandas, Polars or Arrow frame", type=name)


def _with_plain_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """A pandas frame whose columns are named by texts, with the named levels of its index."""
    if frame.columns.nlevels > 1:
        raise InputError(
            "the frame's column names have several levels: join them first, for example by "
            'frame.columns = ["_".join(map(str, name)) for name in frame.columns]'
        )
    levels = [str(name) for name in frame.index.names if name is not None]
    names = _name_blanks([*levels, *(str(name) for name in frame.columns)])
    levels, columns = names[: len(levels)], names[len(levels) :]
    _require_different_names(names)
    if not levels and columns == [*frame.columns]:
        return frame
    named = [number for number, name in enumerate(frame.index.names) if name is not None]
    cells = {
        name: frame.index.get_level_values(number)
        for name, number in zip(levels, named, strict=True)
    }
    plain = frame.set_axis(columns, axis=1).reset_index(drop=True)
    for place, (name, values) in enumerate(cells.items()):
        plain.insert(place, name, values.to_series(index=plain.index))
    return plain


def _without_sparse_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """The same cells, all of them stored; Arrow knows no other columns."""
    sparse = [name for name, dtype in frame.dtypes.items() if hasattr(dtype, "fill_value")]
    if not sparse:
        return frame
    return frame.assign(**{str(name): frame[name].sparse.to_dense() for name in sparse})


def _name_blanks(names: Sequence[str]) -> list[str]:
    """The names of columns; a column without one is called as in a file."""
    return [name if name.strip() else f"Unnamed: {place}" for place, name in enumerate(names)]


def _require_different_names(names: Iterable[str]) -> None:
    """Fail on a name that two columns, or a column and a level of the index, have."""
    several = [name for name, count in Counter(names).items() if count > 1]
    if several:
        raise InputError(
            "the frame has more than one column '{name}' (a named index is a column, "
            "too): rename one of them",
            name=several[0],
        )


def _convert_column(column: NarwhalsColumn) -> pl.Series:
    """A column by itself; as text if its cells are of several types, which no column can hold."""
    try:
        series: pl.Series = column.to_polars()
    except UNREADABLE:
        return _column_as_text(column)
    return (
        _column_as_text(column)
        if _has_mixed_types(column, series) or is_foreign(series.dtype)
        else series
    )


def _column_as_text(column: NarwhalsColumn) -> pl.Series:
    return pl.Series(
        column.name, [_cell_as_text(cell) for cell in column.to_list()], dtype=pl.String
    )


def _has_mixed_types(column: NarwhalsColumn, series: pl.Series) -> bool:
    """Whether other things stand among days or numbers, which Arrow takes for some of them.

    1 would become the second day of 1970, and True the number 1.
    """
    if str(column.dtype) != "Object":
        return False
    present_cells = (cell for cell in column.to_list() if cell is not None and cell == cell)
    if series.dtype.is_temporal():
        return not all(isinstance(cell, dt.date | dt.time | dt.timedelta) for cell in present_cells)
    return series.dtype.is_numeric() and any(isinstance(cell, bool) for cell in present_cells)


def _cell_as_text(value: object) -> str | None:
    """A cell as a CSV file has it."""
    if value is None or value != value:  # NaN alone differs from itself
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


class ArrowFrame(Protocol):
    """A frame in memory: pandas, Polars, Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows for other libraries."""


def source_name(source: ArrowFrame | str | os.PathLike[str]) -> str:
    """The name of a source in errors: a file's path; a frame has none."""
    return str(source) if isinstance(source, str | os.PathLike) else ""


class SparkFrame(Protocol):
    """A DataFrame of Spark, whose rows are on a cluster."""

    @property
    def sparkSession(self) -> SparkSession:  # Spark's name
        """The connection to the cluster."""


def require_plain_names(names: Iterable[str], *, where: str = "") -> None:
    """Fail on names such as `*` and `^a$`, which would select other columns, and reserved ones."""
    for name in names:
        pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
        if pattern or name.startswith(RESERVED_PREFIX):
            problem = Message("the column name '{name}' cannot be used; rename it", name=name)
            raise input_error(where, problem) if where else InputError(problem)
