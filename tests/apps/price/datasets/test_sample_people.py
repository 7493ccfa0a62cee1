"""The look-alike population and its price list."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.core.errors import UsageError

VALUES = {"職業": 10, "年代": 8, "住所": 47, "年齢": 73, "性別": 2, "婚姻": 2, "年収": 11}


@pytest.mark.parametrize("correlated", [False, True])
def test_as_many_values_as_the_paper_has(correlated: bool) -> None:
    people, prices = sample_prices(40_000, seed=1, correlated=correlated)
    assert {name: people[name].n_unique() for name in people.columns} == VALUES
    for (attribute,), lines in prices.group_by("attribute"):
        patterns = lines["pattern"].n_unique()
        assert patterns == (1 if VALUES[str(attribute)] == 2 else 5)
        assert lines.height == patterns * VALUES[str(attribute)]
        assert set(people[str(attribute)].cast(pl.String)) <= set(lines["value"])
        assert lines.group_by("word").agg(pl.col("price").n_unique())["price"].max() == 1


def test_decade_follows_age_only_if_asked() -> None:
    for correlated in (False, True):
        people, _ = sample_prices(2000, seed=1, correlated=correlated)
        decade = people["年代"].str.head(1).cast(pl.Int64)
        assert (decade == people["年齢"] // 10).all() == correlated


@pytest.mark.parametrize("wrong", [{"rows": 0}, {"columns": 13}, {"columns": 1}, {"patterns": 1}])
def test_what_cannot_be_made(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        sample_prices(**wrong)
