"""Where chance comes from: a seed (reproducible) or the operating system (unpredictable).

    rng = Randomness(seed=1)
    rng.child("noise", 0).generator.normal(size=3)

Children are derived from names, so what one step draws never depends on how many threads ran
or on what another step drew. Pseudonyms are random, unlike any identifier, telling nothing of the
people or their order.
"""

from __future__ import annotations

import os
import zlib

import numpy as np
import polars as pl

LETTERS = "bcdfghjkmnpqrstvwxz"
SIGNS = LETTERS + "23456789"
"""Neither vowels nor signs that look alike: no words, no slips."""
LENGTH = 12


class Randomness:
    """A source of chance that is either wholly seeded or wholly the operating system's."""

    def __init__(self, seed: int | None = None, _path: tuple[int, ...] = ()) -> None:
        self.seed = seed
        self._path = _path
        self._generator: np.random.Generator | None = None

    @property
    def seeded(self) -> bool:
        """Whether the same seed would give the same draws."""
        return self.seed is not None

    @property
    def generator(self) -> np.random.Generator:
        """A NumPy generator for noise and samples."""
        if self._generator is None:
            entropy = self.seed if self.seed is not None else int.from_bytes(os.urandom(32))
            self._generator = np.random.default_rng(
                np.random.SeedSequence(entropy, spawn_key=self._path)
            )
        return self._generator

    def child(self, *keys: str | int) -> Randomness:
        """An independent source named by `keys`."""
        steps = (zlib.crc32(key.encode()) if isinstance(key, str) else key for key in keys)
        return Randomness(self.seed, (*self._path, *steps))

    def permutation(self, n: int) -> np.ndarray:
        """A uniformly random order of n rows; unseeded, every key is the operating system's."""
        if self.seeded:
            return self.generator.permutation(n)
        keys = np.frombuffer(os.urandom(8 * n), dtype=np.uint64)
        return pl.Series(keys).arg_sort().to_numpy().astype(np.int64)

    def integers(self, below: int, n: int) -> np.ndarray:
        """n uniformly random whole numbers from 0 to below − 1, with repetition."""
        if self.seeded:
            return self.generator.integers(below, size=n)
        # 64 random bits modulo a number far below 2^64: the bias is below `below` / 2^64.
        bits = np.frombuffer(os.urandom(8 * n), dtype=np.uint64)
        return (bits % np.uint64(below)).astype(np.int64)

    def __repr__(self) -> str:
        return f"Randomness({'seeded' if self.seeded else 'os'})"


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
