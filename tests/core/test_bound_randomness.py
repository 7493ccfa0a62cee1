"""What hides a link depends on the source: the public file alone tells nothing of a seed."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.core.randomness import Randomness, content_digest

KEY = int.from_bytes(bytes(range(1, 33)))
SOURCE = pl.DataFrame({"age": [30, 41, 52], "name": ["a", None, "c"]})


@pytest.mark.parametrize("seed", [1, KEY])
def test_bound_chance_repeats_for_the_same_source_and_release(seed: int) -> None:
    one = Randomness(seed).bound_to(content_digest(SOURCE), {"k": 5})
    again = Randomness(seed).bound_to(content_digest(SOURCE.clone()), {"k": 5})
    assert one.permutation(50).tolist() == again.permutation(50).tolist()
    assert one.generator.random(3).tolist() == again.generator.random(3).tolist()
    assert one.permutation(50).tolist() != one.permutation(50).tolist(), "draws go on"


@pytest.mark.parametrize("seed", [1, KEY])
def test_another_source_order_or_release_gives_other_draws(seed: int) -> None:
    rng = Randomness(seed)
    found = [
        rng.bound_to(content_digest(SOURCE), {"k": 5}),
        rng.bound_to(content_digest(SOURCE), {"k": 6}),
        rng.bound_to(content_digest(SOURCE[[1, 0, 2]]), {"k": 5}),
        rng.bound_to(content_digest(SOURCE.rename({"age": "years"})), {"k": 5}),
        rng.bound_to(content_digest(SOURCE), {"k": 5}).child("shuffle"),
        rng.bound_to(content_digest(SOURCE), {"k": 5}).bound_to(b""),
        Randomness(2).bound_to(content_digest(SOURCE), {"k": 5}),
    ]
    drawn = {tuple(one.permutation(30)) for one in found}
    assert len(drawn) == len(found)


def test_the_container_does_not_matter() -> None:
    compact = SOURCE.with_columns(pl.col("name").cast(pl.Categorical))
    assert content_digest(SOURCE) == content_digest(compact)
    assert content_digest(SOURCE, SOURCE) != content_digest(SOURCE)


def test_bound_permutations_are_uniform() -> None:
    counts = np.zeros((4, 4), dtype=int)
    for trial in range(2000):
        order = Randomness(trial).bound_to(b"source").permutation(4)
        counts[np.arange(4), order] += 1
    assert abs(counts - 500).max() < 100


def test_bound_numbers_are_uniform() -> None:
    drawn = Randomness(3).bound_to(b"source").integers(10, 20_000)
    assert abs(np.bincount(drawn, minlength=10) - 2000).max() < 250


def test_without_a_seed_nothing_is_bound() -> None:
    rng = Randomness()
    assert rng.bound_to(b"source") is rng


def test_a_key_does_not_show() -> None:
    assert repr(Randomness(KEY)) == "Randomness(keyed)"
    assert len(Randomness(KEY).secret()) == 32
