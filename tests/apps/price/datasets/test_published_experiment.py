"""The twin of the published experiment, counted by plain loops."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from tokumei.apps.price.datasets.published_experiment import (
    ATTRIBUTE_VALUES,
    JOBS,
    LIFE_STAGES,
    build_paper_twin,
    solve_prices,
)


@pytest.mark.parametrize("seed", [1, 2])
def test_values_counts_and_the_smallest_group(seed):
    twin = build_paper_twin(seed=seed)
    assert twin.people.height == 10_933
    for (attribute, pattern), value in ATTRIBUTE_VALUES.items():
        lines = twin.prices.filter(attribute=attribute, pattern=pattern)
        price = dict(lines.select("value", "price").iter_rows())
        assert sum(price[str(cell)] for cell in twin.people[attribute]) == value
        assert all(one >= 0 for one in price.values())
    words = Counter(twin.people["年齢"])
    assert (len(words), words[88], max(words.values())) == (73, 1, 317)
    groups = Counter(
        (JOBS[job][1], LIFE_STAGES.get(int(decade[:-1]), "シニア"), sex, marriage)
        for job, decade, sex, marriage in twin.people.select(
            "職業", "年代", "性別", "婚姻"
        ).iter_rows()
    )
    assert min(groups.values()) == 2


def test_seeds_repeat_and_differ():
    one, again, other = (build_paper_twin(seed=seed).people for seed in (3, 3, 4))
    assert one.equals(again)
    assert not one.equals(other)
    for name in one.columns:
        assert one[name].value_counts().sort(name).equals(other[name].value_counts().sort(name))


def test_ages_have_an_open_band():
    ages = build_paper_twin(seed=1).ages
    five = ages.filter(pattern="five-years")["word"]
    assert five.n_unique() == 13
    assert set(ages.filter(pl.col("value").cast(pl.Int64) >= 70, pattern="five-years")["word"]) == {
        "70歳以上"
    }


def test_prices_add_up():
    generator = np.random.default_rng(5)
    for _ in range(20):
        counts = dict(zip("abcdef", generator.integers(50, 900, 6).tolist(), strict=True))
        value = int(generator.integers(100_000, 900_000))
        prices = solve_prices(counts, value, generator)
        assert sum(counts[word] * prices[word] for word in counts) == value
        assert min(prices.values()) >= 0
