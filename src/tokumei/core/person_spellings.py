"""Normalizes identifiers, so that two spellings of one person count once.

Where it is unsure whether two spellings mean one person, they are merged: a class may then be
called too small, but never large enough when it is not.
"""

from __future__ import annotations

import polars as pl

_WHOLE_NUMBER = r"^[+]?0*(\d+)(\.0*)?$"


def merge_person_spellings(values: pl.Series) -> pl.Series:
    """Spell every identifier in one way: NFKC, lower case, no blanks, 01 and 1.0 as 1.

    Empty texts become gaps. Values of other types than text, integers and reals stay as they are.
    """
    if not (values.dtype == pl.String or values.dtype.is_numeric()):
        return values
    text = values.cast(pl.String).str.normalize("NFKC").str.to_lowercase()
    text = text.str.replace_all(r"\s+", "").str.replace(_WHOLE_NUMBER, "$1")
    return text.replace("", None).alias(values.name)
