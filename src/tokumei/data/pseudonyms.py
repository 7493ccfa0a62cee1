"""Pseudonyms: random, unlike any identifier, telling nothing of the order of the people."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.data.randomness import Randomness


def digit_pseudonyms(people: pl.Series, *, rng: Randomness) -> pl.Series:
    """One number of digits for each person, all of the same length, none of them an identifier.

    Which person gets which is a uniformly random permutation, drawn from the operating system
    unless seeded.
    """
    number = len(people)
    taken = people.cast(pl.Int64, strict=False).drop_nulls()
    first = 10 ** max(5, len(str(2 * number + len(taken))))
    free = pl.Series("pseudonym", np.arange(first, first + number + len(taken), dtype=np.int64))
    free = free.filter(~free.is_in(taken.implode())).head(number)
    return free.gather(rng.child("pseudonyms").permutation(number)).cast(pl.String)
