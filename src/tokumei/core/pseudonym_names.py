"""Pseudonyms: random, unlike any identifier, telling nothing of the people or their order."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness

LETTERS = "bcdfghjkmnpqrstvwxz"
SIGNS = LETTERS + "23456789"
"""Neither vowels nor signs that look alike: no words, no slips."""
LENGTH = 12


def digit_pseudonyms(people: pl.Series, *, rng: Randomness) -> pl.Series:
    """A random number for each person, all with as many digits, none of them an identifier.

    They are drawn from a range far larger than the people, so that neither their order nor the
    gaps between them tell anything. From the operating system unless seeded.
    """
    number = len(people)
    taken = people.cast(pl.Int64, strict=False).drop_nulls()
    first = 10 ** max(6, len(str(10 * number)))
    source = rng.child("pseudonyms")
    drawn = pl.Series("pseudonym", [], dtype=pl.Int64)
    while len(drawn) < number:
        more = pl.Series("pseudonym", source.integers(9 * first, 2 * number) + first)
        free = more.filter(~more.is_in(taken.implode()))
        drawn = pl.concat([drawn, free]).unique(maintain_order=True)
    return drawn.head(number).cast(pl.String)


def text_pseudonyms(number: int, *, taken: pl.Series, rng: Randomness) -> pl.Series:
    """That many different random words of letters and digits, none of them among the `taken`.

    So many words are possible that two releases never share one. The first sign is a letter, so
    that no program takes a pseudonym for a number. From the operating system unless seeded.
    """
    source = rng.child("pseudonyms")
    drawn = pl.Series("pseudonym", [], dtype=pl.String)
    while len(drawn) < number:
        first = np.array(list(LETTERS))[source.integers(len(LETTERS), number)]
        others = np.array(list(SIGNS))[source.integers(len(SIGNS), number * (LENGTH - 1))]
        signs = np.column_stack([first, others.reshape(number, LENGTH - 1)])
        words = np.ascontiguousarray(signs).view(f"<U{LENGTH}").ravel()
        more = pl.Series("pseudonym", words.tolist(), dtype=pl.String)
        free = more.filter(~more.is_in(taken.implode()))
        drawn = pl.concat([drawn, free]).unique(maintain_order=True)
    return drawn.head(number)
