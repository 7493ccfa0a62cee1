"""Encodes QI vectors and people as integers, the same for equal vectors in both tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_column, equivalence_class_codes
from tokumei.core.person_spellings import merge_person_spellings
from tokumei.files.column_types import decode_categories, dictionary_type, dictionary_words

_MIN_TABLE_SIZE = 2**16
_INTEGER_TYPES = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.Date)


def joint_codes(
    left: pl.DataFrame, right: pl.DataFrame, columns: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Class numbers over both frames, comparable between them whatever the column types."""
    if not columns:
        return np.zeros(left.height, np.int64), np.zeros(right.height, np.int64)
    stacked = pl.DataFrame([_concat_columns(left[name], right[name]) for name in columns])
    codes = equivalence_class_codes(stacked, columns)
    return codes[: left.height], codes[left.height :]


def dense_codes(series: pl.Series, values: pl.Series) -> np.ndarray:
    """The place of every cell in `values`, its sorted distinct values (null first)."""
    if not len(values):
        return np.zeros(0, dtype=np.int32)
    ranks = series.rank("dense").cast(pl.Int64) - (0 if values[0] is None else 1)
    return ranks.fill_null(0).to_numpy().astype(np.int32)


def encode_column(series: pl.Series) -> tuple[pl.Series, np.ndarray]:
    """Distinct values that hold all of a column's, and each cell's place in them.

    Text is told apart by its dictionary and narrow whole numbers by their distance from the least,
    so that rows need not be sorted; such values need not all occur. Text stands in no order, other
    values in ascending order (null first).
    """
    if series.dtype == pl.String:
        series = series.cast(dictionary_type())
    if isinstance(series.dtype, pl.Categorical):
        return _encode_text(series)
    if series.dtype in _INTEGER_TYPES and series.null_count() < len(series):
        whole = series.to_physical().cast(pl.Int64)
        low, high = int(whole.min()), int(whole.max())  # type: ignore[arg-type]
        if high - low < _max_table_size(len(series)):
            return _encode_integers(series, whole, low, high)
    values = series.unique().sort(nulls_last=False)
    return values, dense_codes(series, values)


def keep_occurring_values(values: pl.Series, codes: np.ndarray) -> tuple[pl.Series, np.ndarray]:
    """The values that have a code, in ascending order (null first), and the codes among those."""
    present, positions = densify_keys(codes, len(values))
    present_values = values.gather(present)
    if present_values.dtype != pl.String:
        return present_values, positions.astype(np.int32, copy=False)
    order = present_values.arg_sort(nulls_last=False)
    ranks = np.empty(len(present_values), dtype=np.int32)
    ranks[order.to_numpy()] = np.arange(len(present_values))
    return present_values.gather(order), ranks[positions]


def number_tuples(codes: Sequence[np.ndarray], sizes: Sequence[int]) -> tuple[np.ndarray, int]:
    """The number of every row's tuple of codes, in ascending order of the tuples; how many.

    `codes[j]` are whole numbers from 0 to `sizes[j]` − 1.
    """
    numbers, count = np.zeros(len(codes[0]), dtype=np.int64), 1
    max_size = _max_table_size(len(numbers))
    pending: list[tuple[np.ndarray, int]] = []
    for column, size in zip(codes, sizes, strict=True):
        if pending and count * size > max_size:
            count, pending = _number_rows_by_columns(numbers, pending, count), []
        pending.append((column, size))
        count *= size
    return numbers, _number_rows_by_columns(numbers, pending, count)


def _number_rows_by_columns(
    numbers: np.ndarray, pending: Sequence[tuple[np.ndarray, int]], count: int
) -> int:
    """Number the rows by their numbers so far and by some columns, in place; how many there are.

    `count` is above all such numbers before they are dense.
    """
    for column, size in pending:
        numbers *= size
        numbers += column
    present, positions = densify_keys(numbers, count)
    numbers[:] = positions
    return len(present)


def _max_table_size(rows: int) -> int:
    """The longest table that is worth its memory."""
    return max(_MIN_TABLE_SIZE, 2 * rows)


def densify_keys(keys: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The keys (below `size`) that occur, ascending, and the place of every row's key in them."""
    if size > _max_table_size(len(keys)):
        present, positions = np.unique(keys, return_inverse=True)
        return present, positions
    occurs = np.zeros(size, dtype=bool)
    occurs[keys] = True
    present = np.flatnonzero(occurs)
    table = np.empty(size, dtype=np.int32)
    table[present] = np.arange(len(present), dtype=np.int32)
    return present, table[keys]


def _encode_text(series: pl.Series) -> tuple[pl.Series, np.ndarray]:
    texts, keys = dictionary_words(series), series.to_physical()
    if series.null_count():
        keys = keys.cast(pl.UInt32).fill_null(len(texts))
        texts = pl.concat([texts, texts.clear(1)])
    return texts, keys.to_numpy()


def _encode_integers(
    series: pl.Series, whole: pl.Series, low: int, high: int
) -> tuple[pl.Series, np.ndarray]:
    missing = series.null_count() > 0
    # From 0, because the number behind the largest does not fit 64 bits.
    values = pl.Series(series.name, low + np.arange(high - low + 1)).cast(series.dtype)
    codes = (whole - low).cast(pl.Int32)
    codes = (codes + 1).fill_null(0) if missing else codes
    return pl.concat([values.clear(int(missing)), values]), codes.to_numpy()


def _concat_columns(left: pl.Series, right: pl.Series) -> pl.Series:
    if left.dtype == right.dtype and left.dtype.is_integer():
        return pl.concat([left, right])
    return pl.concat([canonicalize_column(left), canonicalize_column(right).alias(left.name)])


def canonicalize_persons(values: pl.Series) -> pl.Series:
    """Spell every identifier in one way; empty texts become gaps."""
    return merge_person_spellings(decode_categories(values.to_frame()).to_series())


def count_persons(values: pl.Series) -> int:
    """How many people a column names."""
    return int(canonicalize_persons(values).drop_nulls().n_unique())


def number_persons(values: pl.Series) -> np.ndarray:
    """A number for the person of every row; rows without one are people of their own."""
    # Equal numbers are spelled alike; as numbers they keep their order.
    persons = values if values.dtype.is_numeric() else canonicalize_persons(values)
    named = persons.rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
    own = len(persons) + 1 + np.arange(len(persons))
    return np.asarray(np.where(persons.is_null().to_numpy(), own, named), dtype=np.int64)
