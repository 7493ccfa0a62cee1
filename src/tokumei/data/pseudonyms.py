"""Pseudonyms: random, unlike any identifier, telling nothing of the people or their order."""

from __future__ import annotations

import polars as pl

from tokumei.data.randomness import Randomness


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
