"""Seeded or the operating system's, never in between."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness, _argsort_words


def draws(rng: Randomness) -> list[int]:
    return rng.generator.integers(0, 2**62, 4).tolist()


def test_a_seed_repeats_itself() -> None:
    assert draws(Randomness(1)) == draws(Randomness(1))
    assert draws(Randomness(1)) != draws(Randomness(2))
    assert draws(Randomness(0)) == draws(Randomness(0))


def test_without_a_seed_nothing_repeats() -> None:
    assert draws(Randomness()) != draws(Randomness())
    assert Randomness().permutation(50).tolist() != Randomness().permutation(50).tolist()
    assert draws(Randomness().child("a")) != draws(Randomness().child("a"))
    assert not Randomness().seeded
    assert Randomness(0).seeded


def test_children_are_independent_of_each_other_and_of_what_was_drawn() -> None:
    rng = Randomness(3)
    paths = [("a",), ("b",), ("a", 0), ("a", 1), ("a", "a"), ()]
    found = [draws(rng.child(*path)) for path in paths]
    assert len({tuple(one) for one in found}) == len(paths)
    rng.generator.random(100)
    assert draws(rng.child("a")) == found[0]
    assert draws(rng.child("a").child(0)) == found[2]


@pytest.mark.parametrize("seed", [5, None])
def test_permutations_are_uniform(seed: int | None) -> None:
    rng = Randomness(seed)
    seen = Counter(tuple(rng.child(i).permutation(3).tolist()) for i in range(1200))
    assert set(seen) == set(itertools.permutations(range(3)))
    assert max(abs(count - 200) for count in seen.values()) < 80


@pytest.mark.parametrize("seed", [5, None])
@pytest.mark.parametrize("n", [0, 1, 1000])
def test_permutations_hold_every_row_once(seed: int | None, n: int) -> None:
    assert np.sort(Randomness(seed).permutation(n)).tolist() == list(range(n))


def test_the_seed_does_not_show() -> None:
    assert "987654" not in repr(Randomness(987654))
    assert repr(Randomness()) == "Randomness(os)"


@pytest.mark.parametrize("below", [3, 2**12, 2**64 - 1])
def test_random_keys_give_the_order_of_the_keys(below: int) -> None:
    for n in (0, 1, 2, 64, 1000):
        words = np.random.default_rng(n).integers(below, size=n, dtype=np.uint64)
        order = _argsort_words(words)
        assert np.sort(order).tolist() == list(range(n))
        assert words[order].tolist() == sorted(words.tolist())


@pytest.mark.parametrize("seed", ["a", 1.5, -1])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(UsageError, match="seed"):
        Randomness(seed)  # type: ignore[arg-type]


def test_seeds_of_numpy_are_seeds() -> None:
    assert Randomness(np.int64(4)).permutation(9).tolist() == Randomness(4).permutation(9).tolist()  # type: ignore[arg-type]
