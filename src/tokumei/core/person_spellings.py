"""Normalizes identifiers, so that two spellings of one person count once.

Where it is unsure whether two spellings mean one person, they are merged: a class may then be
called too small, but never large enough when it is not.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.reader_equality import series_as_read


def merge_person_spellings(values: pl.Series) -> pl.Series:
    """Spell every identifier in one way, as it is read; empty texts become gaps.

    Values of other types than text, integers and reals stay as they are.
    """
    is_spelled = values.dtype == pl.String or values.dtype.is_numeric()
    return series_as_read(values) if is_spelled else values
