"""Identifies the people of a table by a column whose values may be spelled differently."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.person_spellings import merge_person_spellings
from tokumei.files.dictionary_encoding import decode_categories


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
