"""One spelling per person, so that two spellings of an identifier are not counted as two people.

Where it is unsure whether two spellings mean one person, they are merged: a class may then be
called too small, but never large enough when it is not.
"""

from __future__ import annotations

import polars as pl

from tokumei.files.compact import as_text

_WHOLE_NUMBER = r"^[+]?0*(\d+)(\.0*)?$"


def canonicalize_persons(values: pl.Series) -> pl.Series:
    """Spell every identifier in one way: NFKC, lower case, no blanks, 01 and 1.0 as 1.

    Empty texts become gaps. Values of other types than text, integers and reals stay as they are.
    """
    plain = as_text(values.to_frame()).to_series()
    if not (plain.dtype == pl.String or plain.dtype.is_numeric()):
        return plain
    text = plain.cast(pl.String).str.normalize("NFKC").str.to_lowercase()
    text = text.str.replace_all(r"\s+", "").str.replace(_WHOLE_NUMBER, "$1")
    return text.replace("", None).alias(values.name)
