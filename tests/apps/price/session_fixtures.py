"""What the tests split from test_session share."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.session import PriceSession

ROWS = 1500


@pytest.fixture(scope="module")
def price_lists(tmp_path_factory: pytest.TempPathFactory) -> list[PriceList]:
    folder = tmp_path_factory.mktemp("prices")
    for day in range(1, 5):
        sample_prices(1, seed=day)[1].write_csv(folder / f"{day}.csv")
    return [PriceList.read(folder / f"{day}.csv") for day in range(1, 5)]


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    return sample_prices(ROWS, seed=1, correlated=True)[0]


@pytest.fixture(scope="module")
def session(people: pl.DataFrame, price_lists: list[PriceList]) -> PriceSession:
    return PriceSession(people, price_lists[0])
