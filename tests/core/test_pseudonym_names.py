"""Pseudonyms tell nothing."""

import polars as pl
import pytest

from tokumei.core.randomness import Randomness, digit_pseudonyms


@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("number", [1, 2, 1000, 50_000])
def test_distinct_digits_of_one_length_and_no_ids(seed, number):
    people = pl.Series([str(1_000_000 + n) for n in range(number)])
    found = digit_pseudonyms(people, rng=Randomness(seed))
    assert found.n_unique() == number
    assert found.str.contains(r"^\d+$").all()
    assert found.str.len_chars().n_unique() == 1
    assert not set(found) & set(people)


def test_gaps_do_not_show_the_ids():
    """The numbers that are missing are nearly all numbers, not just those of people."""
    people = pl.Series([str(1_000_000 + 3 * n) for n in range(500)])
    found = digit_pseudonyms(people, rng=Randomness(1)).cast(pl.Int64)
    assert found.max() - found.min() > 100 * len(people)


def test_seeded_is_repeatable_and_unseeded_is_not():
    people = pl.Series(["a", "b", "c"])
    one, two = (digit_pseudonyms(people, rng=Randomness(1)).to_list() for _ in range(2))
    assert one == two
    draws = {tuple(digit_pseudonyms(people, rng=Randomness())) for _ in range(5)}
    assert len(draws) == 5
