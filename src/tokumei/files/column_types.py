"""Infers the type of a text column from all its cells, and encodes repetitive text as codes.

    integer   every cell is a whole number without leading zeros that fits 64 bits
    real      every cell is a finite decimal or scientific number without leading zeros
    date      every cell is a date written yyyy-mm-dd
    text      anything else: codes such as 007, numbers beside NaN, whole numbers beyond 64 bits

Empty cells do not take part; a column without any value is text.

Text that repeats itself may be read as codes of a dictionary, to save memory and time
(`encode_dictionary`; a category that came with the data is not so). The dictionary must not leave
with the rows: it may hold what was generalized or deleted. So whatever is published becomes text.
"""

from __future__ import annotations

import re

import polars as pl
import polars.selectors as cs

from tokumei.core.reader_equality import series_as_read

_NAMESPACE = "tokumei"
_SHORT_LIMIT = 2**16


def dictionary_type(*, short: bool = False) -> pl.Categorical:
    """The type of a new compact column; `short`: of two bytes a cell and at most 65,535 words."""
    physical = pl.UInt16 if short else pl.UInt32
    return pl.Categorical(pl.Categories.random(namespace=_NAMESPACE, physical=physical))


def encode_dictionary(text: pl.Series) -> pl.Series:
    """A text column with a dictionary of its own, short if that is enough."""
    return text.cast(dictionary_type(short=text.n_unique() < _SHORT_LIMIT))


def is_dictionary_encoded(dtype: pl.DataType) -> bool:
    """Whether a column of this type was made compact here."""
    return isinstance(dtype, pl.Categorical) and dtype.categories.namespace() == _NAMESPACE


def dictionary_words(series: pl.Series) -> pl.Series:
    """The dictionary of a categorical column, by its codes; cells need not use all of it."""
    assert isinstance(series.dtype, pl.Categorical)
    return series.dtype.categories.to_series().alias(series.name)


def decode_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells with categories and enumerations as plain text."""
    return frame.with_columns((cs.categorical() | cs.enum()).cast(pl.String))


def decode_foreign_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells with categories and enumerations as plain text, but for compact columns."""
    encoded_columns = [name for name, dtype in frame.schema.items() if is_dictionary_encoded(dtype)]
    return frame.with_columns(decode_categories(frame.drop(encoded_columns)))


_SAMPLE_ROWS = 256
_TYPE_PATTERNS: dict[pl.DataType, str] = {
    pl.Int64(): r"^-?(0|[1-9][0-9]*)$",
    pl.Float64(): r"^[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$",
    pl.Date(): r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$",
}
_NUMBER_OR_DATE_START = re.compile(r"[+-]?[.0-9]")
"""How a number or a date begins."""
_GLANCE_CELLS = 16
_LAST_COLUMN = "tokumei_last"
_MISSING_WORDS = ("na", "n/a", "#n/a", "<na>", "nan", "null")
"""Texts that statistics programs read as an empty cell, in lower case."""
_INTEGER_PATTERN = r"^[+-]?[0-9]+$"
_NUMBER_PATTERN = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"


def infer_column_types(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of text columns with each column in its own type; text may be compact."""
    frame = frame.with_columns(
        _infer_dictionary_type(s) for s in frame if is_dictionary_encoded(s.dtype)
    )
    text = frame.head(_SAMPLE_ROWS).select(pl.col(pl.String))
    # What the first cells allow spares most columns the full check.
    candidate_types = {
        sample.name: [
            dtype for dtype, form in _TYPE_PATTERNS.items() if sample.str.contains(form).all()
        ]
        for sample in text
    }
    while types_to_try := {name: types.pop(0) for name, types in candidate_types.items() if types}:
        converted_columns = _convert_columns(frame, types_to_try)
        frame = frame.with_columns(converted_columns)
        for series in converted_columns:
            del candidate_types[series.name]
    return frame


def to_csv_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The cells as they stand in a CSV file, byte for byte."""
    non_text_columns = [name for name, dtype in frame.schema.items() if dtype != pl.String]
    # A last column that is never empty, because an empty line would be no row.
    text = frame.select(*non_text_columns, pl.lit("x").alias(_LAST_COLUMN)).write_csv()
    csv_cells = pl.read_csv(
        text.encode(), infer_schema=False, new_columns=[*non_text_columns, _LAST_COLUMN]
    )
    return frame.with_columns(csv_cells.drop(_LAST_COLUMN))


def lossy_number_columns(text: pl.DataFrame, frame: pl.DataFrame) -> dict[str, pl.Series]:
    """The columns of `text` that `frame`, the same typed, would not give back letter by letter."""
    changed = (s for s in frame if s.dtype.is_numeric() and not text[s.name].dtype.is_numeric())
    return {s.name: text[s.name] for s in changed if not _keeps_spelling(text[s.name], s)}


def _keeps_spelling(text: pl.Series, numbers: pl.Series) -> bool:
    if is_dictionary_encoded(text.dtype):
        # By its dictionary, which holds every cell; a word that no cell uses does no harm.
        text = dictionary_words(text).replace("", None)
        numbers = text.cast(numbers.dtype, strict=False)
    if numbers.dtype.is_integer():  # no other spelling of a whole number gets that far
        return not (text.filter(numbers == 0) == "-0").any()
    return bool(text.eq_missing(numbers.cast(pl.String)).all())


def normalize_numbers(text: pl.Series) -> pl.Series | None:
    """The cells as whoever reads all numbers as numbers sees them; None if some are none.

    That is more than `typed` does: `007` is 7 to most programs. Long whole numbers stay text, but
    those that are equal are the same text.
    """
    cells = text.drop_nulls()
    cells = cells.filter(cells != "")
    if not len(cells) or not all(
        part.str.contains(_NUMBER_PATTERN).all() for part in _sample_then_all(cells)
    ):
        return None
    text = text.replace("", None)
    if not cells.str.contains(_INTEGER_PATTERN).all():
        # Adding nothing makes -0.0 what it is equal to.
        return text.cast(pl.Float64) + 0.0
    plain = text.str.replace(r"^\+?(-?)0*([0-9])", "$1$2")
    return plain.replace("-0", "0")


def normalize_words(text: pl.Series) -> pl.Series | None:
    """The cells as a person sees them; None if that tells the same values apart.

    `flu`, `Flu`, `flu `, full-width letters and letters with invisible signs between them look like
    one value (`core.reader_equality`), and so do 1, 01 and 1.0; `NA` looks like none.
    """
    cells = text.unique().drop_nulls()
    plain = series_as_read(cells).fill_null("").replace(list(_MISSING_WORDS), "")
    if plain.n_unique() == len(cells) and ((plain == "") == (cells == "")).all():
        return None
    return text.replace(cells, plain).fill_null("")


def _sample_then_all(cells: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The first cells and all of them: the first alone decide most columns."""
    return cells.head(_SAMPLE_ROWS), cells


def _infer_dictionary_type(series: pl.Series) -> pl.Series:
    """A compact column in the type of its dictionary, where an empty cell may be empty text."""
    # In one piece: taking rows out of many is several times slower.
    series, dictionary_cells = series.rechunk(), dictionary_words(series)
    if any(
        word and not _NUMBER_OR_DATE_START.match(word)
        for word in dictionary_cells.head(_GLANCE_CELLS)
    ):
        return series
    (values,) = infer_column_types(dictionary_cells.replace("", None).to_frame())
    return series if values.dtype == pl.String else values.gather(series.to_physical())


def _convert_columns(frame: pl.DataFrame, types: dict[str, pl.DataType]) -> list[pl.Series]:
    """Those columns of which every cell is of the type to try, in that type."""
    changed = frame.select(_cast_expression(pl.col(name), dtype) for name, dtype in types.items())
    convertible = [s for s in changed if _is_fully_converted(s, frame[s.name])]
    spelling_checks = frame.select(
        _matches_type_spelling(pl.col(s.name), s.dtype) for s in convertible
    )
    return [s for s in convertible if spelling_checks[s.name].item()]


def _cast_expression(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if dtype == pl.Date:
        return column.str.strptime(pl.Date, "%Y-%m-%d", strict=False, cache=False)
    return column.cast(dtype, strict=False)


def _is_fully_converted(series: pl.Series, text: pl.Series) -> bool:
    """Whether there are cells, and every one was converted to something finite."""
    if series.null_count() > text.null_count() or series.null_count() == len(series):
        return False
    if series.dtype != pl.Float64:
        return True
    # Whole numbers that are too long for 64 bits would lose digits as reals.
    all_integers = all(
        part.str.contains(_TYPE_PATTERNS[pl.Int64()]).all() for part in _sample_then_all(text)
    )
    return bool(series.is_finite().all()) and not all_integers


def _matches_type_spelling(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Whether the cells, all convertible, are written as the type's pattern wants."""
    if dtype == pl.Date:
        return column.str.contains(_TYPE_PATTERNS[dtype]).all()
    # A number that converts can only break it at its start; that is much quicker to look for.
    return ~column.str.contains(r"^(\+|-?0[0-9])" if dtype == pl.Int64 else r"^[+-]?0[0-9]").any()
