"""People, prices and the service about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from support.served_prices import Service, serving
from support.waiting import HUNG_SECONDS
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.service.catalog import Limits
from tokumei.apps.price.session import PriceSession


@pytest.fixture(scope="session")
def people() -> pl.DataFrame:
    return sample_prices(3000, seed=1)[0]


@pytest.fixture(scope="session")
def price_lists(tmp_path_factory: pytest.TempPathFactory) -> list[PriceList]:
    folder: Path = tmp_path_factory.mktemp("prices")
    found = []
    for day in (1, 2):
        path = folder / f"prices-2026-11-0{day}.csv"
        sample_prices(10, seed=day)[1].write_csv(path)
        found.append(PriceList.read(path))
    return found


@pytest.fixture(scope="session")
def session(people: pl.DataFrame, price_lists: list[PriceList]) -> PriceSession:
    return PriceSession(people, price_lists[0])


@pytest.fixture(scope="session")
def service(session: PriceSession, price_lists: list[PriceList]) -> Iterator[Service]:
    limits = Limits(seconds=HUNG_SECONDS, price_bytes=1 << 20, price_lists=6)
    with serving(session, price_lists, limits) as running:
        yield running
