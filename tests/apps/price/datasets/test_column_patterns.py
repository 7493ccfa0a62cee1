"""Tests of tokumei.apps.price.datasets.column_patterns."""

from __future__ import annotations

import polars as pl

from tokumei.apps.price.datasets.sample_people import sample_prices


def test_seeds_columns_and_patterns() -> None:
    same = [sample_prices(100, seed=7) for _ in range(2)]
    assert all(one.equals(other) for one, other in zip(*same, strict=True))
    assert not sample_prices(100, seed=8)[0].equals(same[0][0])
    people, prices = sample_prices(100, seed=1, columns=12, patterns=3)
    assert people.width == prices["attribute"].n_unique() == 12
    most = prices.group_by("attribute").agg(pl.col("pattern").n_unique())["pattern"].max()
    assert most == 2
