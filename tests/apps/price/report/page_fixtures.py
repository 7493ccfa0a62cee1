"""What the tests split from test_page share."""

from __future__ import annotations

import pytest

from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.session import PriceSession


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> PriceSession:
    file = tmp_path_factory.mktemp("priced") / "prices.csv"
    people, lines = sample_prices(60, seed=1, columns=4, patterns=3)
    lines.write_csv(file)
    return PriceSession(people, PriceList.read(file))
