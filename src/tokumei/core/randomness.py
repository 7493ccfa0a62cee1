"""Random streams from a seed or key (reproducible) or the operating system (unpredictable).

    rng = Randomness(seed=1)
    rng.child("noise", 0).generator.normal(size=3)
    secret = rng.bound_to(content_digest(frame), method.describe())

Children are derived from names, so what one step draws never depends on how many threads ran
or on what another step drew.

What hides a link is bound to the source (`bound_to`): a seed can be searched, and whoever has only
the public file must not be able to tell the right one. Who has the source can still search small
seeds, so a release for publication takes a key of 256 bits, or neither.
Pseudonyms are random, unlike any identifier, telling nothing of the people or their order.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.provenance import describe_randomness_source

PSEUDONYM_LETTERS = "bcdfghjkmnpqrstvwxz"
PSEUDONYM_CHARACTERS = PSEUDONYM_LETTERS + "23456789"
"""Neither vowels nor signs that look alike: no words, no slips."""
PSEUDONYM_LENGTH = 12


def _require_seed(seed: object) -> int:
    """The seed as an int of Python; fails on everything but a whole number from 0 on."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise UsageError(
            "the seed must be a whole number of at least 0, not {seed!r}",
            field="seed",
            value=seed,
            seed=seed,
        )
    return int(seed)


class Randomness:
    """A source of chance that is wholly a seed's or key's, or wholly the operating system's."""

    def __init__(
        self, seed: int | None = None, _path: tuple[int, ...] = (), _bound: bytes | None = None
    ) -> None:
        self.seed = None if seed is None else _require_seed(seed)
        self._spawn_path = _path
        self._bound_digest = _bound
        self._generator: np.random.Generator | None = None
        self._draw_count = 0

    @property
    def seeded(self) -> bool:
        """Whether the same seed or key would give the same draws."""
        return self.seed is not None

    @property
    def generator(self) -> np.random.Generator:
        """A NumPy generator for noise and samples."""
        if self._generator is None:
            self._generator = np.random.default_rng(
                np.random.SeedSequence(self._entropy(), spawn_key=self._spawn_path)
            )
        return self._generator

    def child(self, *keys: str | int) -> Randomness:
        """An independent source named by `keys`."""
        steps = (zlib.crc32(key.encode()) if isinstance(key, str) else key for key in keys)
        return Randomness(self.seed, (*self._spawn_path, *steps), self._bound_digest)

    def bound_to(self, source: bytes, *release: object) -> Randomness:
        """Chance that also depends on the source's content and on what is made of it (plain data).

        The public file alone then tells nothing about the draws, and two releases of one source
        share none, even with the same seed or key.
        """
        if self.seed is None:
            return self
        text = json.dumps([self._spawn_path, *release], sort_keys=True, default=str).encode()
        secret = hashlib.sha256(b"%d" % self.seed).digest()
        keyed = hashlib.blake2b(key=secret, digest_size=32)
        for part in (self._bound_digest or b"", source, text):
            keyed.update(len(part).to_bytes(8) + part)
        return Randomness(self.seed, self._spawn_path, keyed.digest())

    def permutation(self, n: int) -> np.ndarray:
        """A uniformly random order of n rows, by random keys unless it is a plain seed's."""
        if self._is_plain_seed:
            return self.generator.permutation(n)
        return _argsort_words(self._random_words(n))

    def integers(self, below: int, n: int) -> np.ndarray:
        """n uniformly random whole numbers from 0 to below − 1, with repetition."""
        if self._is_plain_seed:
            return self.generator.integers(below, size=n)
        # 64 random bits modulo a number far below 2^64: the bias is below `below` / 2^64.
        return (self._random_words(n) % np.uint64(below)).astype(np.int64)

    def secret(self) -> bytes:
        """32 bytes that nobody can guess who does not know the seed or key."""
        return self._random_words(4).tobytes()

    @property
    def _is_plain_seed(self) -> bool:
        return self.seed is not None and self._bound_digest is None

    def _entropy(self) -> int:
        if self._bound_digest is not None:
            return int.from_bytes(self._bound_digest)
        return self.seed if self.seed is not None else int.from_bytes(os.urandom(32))

    def _random_words(self, n: int) -> np.ndarray:
        """n words of 64 bits, the operating system's or a stream that cannot be foretold."""
        if self.seed is None:
            return np.frombuffer(os.urandom(8 * n), dtype=np.uint64)
        start = json.dumps([self._entropy(), self._spawn_path, self._draw_count]).encode()
        self._draw_count += 1
        return np.frombuffer(hashlib.shake_256(start).digest(8 * n), dtype="<u8")

    def __repr__(self) -> str:
        return f"Randomness({describe_randomness_source(self.seed)})"


def _argsort_words(words: np.ndarray) -> np.ndarray:
    """The places of the words in ascending order.

    Words that carry their places in their last bits are sorted much quicker than places by words.
    It is the same order, unless two words differ in those bits alone.
    """
    bits = np.uint64(len(words).bit_length())
    last = (np.uint64(1) << bits) - np.uint64(1)
    packed_words = (words & ~last) | np.arange(len(words), dtype=np.uint64)
    packed_words.sort()
    first = packed_words >> bits
    if (first[1:] == first[:-1]).any():
        return pl.Series(words).arg_sort().to_numpy().astype(np.int64)
    return (packed_words & last).astype(np.int64)


class _HashingWriter:
    """A file that keeps nothing but the hash of what was written to it."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=32)

    def write(self, data: bytes) -> int:
        self.hash.update(data)
        return len(data)

    def flush(self) -> None:
        """Nothing is kept, so there is nothing to write out."""


def content_digest(*frames: pl.DataFrame) -> bytes:
    """A digest of all cells in their order, whatever file or container they came from."""
    writer = _HashingWriter()
    for frame in frames:
        writer.hash.update(json.dumps([frame.height, frame.columns]).encode())
        frame.write_csv(writer)  # type: ignore[call-overload]
    return writer.hash.digest()


def digit_pseudonyms(people: pl.Series, *, rng: Randomness) -> pl.Series:
    """A random number for each person, all with as many digits, none of them an identifier.

    They are drawn from a range far larger than the people, so that neither their order nor the
    gaps between them tell anything. From the operating system unless seeded.
    """
    count = len(people)
    taken = people.cast(pl.Int64, strict=False).drop_nulls()
    first = 10 ** max(6, len(str(10 * count)))
    source = rng.child("pseudonyms")
    drawn = pl.Series("pseudonym", [], dtype=pl.Int64)
    while len(drawn) < count:
        candidates = pl.Series("pseudonym", source.integers(9 * first, 2 * count) + first)
        untaken = candidates.filter(~candidates.is_in(taken.implode()))
        drawn = pl.concat([drawn, untaken]).unique(maintain_order=True)
    return drawn.head(count).cast(pl.String)


def text_pseudonyms(number: int, *, taken: pl.Series, rng: Randomness) -> pl.Series:
    """That many different random words of letters and digits, none of them among the `taken`.

    So many words are possible that two releases never share one. The first sign is a letter, so
    that no program takes a pseudonym for a number. From the operating system unless seeded.
    """
    source = rng.child("pseudonyms")
    drawn = pl.Series("pseudonym", [], dtype=pl.String)
    while len(drawn) < number:
        first = np.array(list(PSEUDONYM_LETTERS))[source.integers(len(PSEUDONYM_LETTERS), number)]
        others = np.array(list(PSEUDONYM_CHARACTERS))[
            source.integers(len(PSEUDONYM_CHARACTERS), number * (PSEUDONYM_LENGTH - 1))
        ]
        signs = np.column_stack([first, others.reshape(number, PSEUDONYM_LENGTH - 1)])
        words = np.ascontiguousarray(signs).view(f"<U{PSEUDONYM_LENGTH}").ravel()
        candidates = pl.Series("pseudonym", words.tolist(), dtype=pl.String)
        untaken = candidates.filter(~candidates.is_in(taken.implode()))
        drawn = pl.concat([drawn, untaken]).unique(maintain_order=True)
    return drawn.head(number)
