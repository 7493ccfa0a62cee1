"""What the tests split from test_price_bounds share."""

from __future__ import annotations

from pathlib import Path

from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.session import PriceSession


def small(folder: Path, seed: int, *, rows: int = 60) -> PriceSession:
    people, lines = sample_prices(rows, seed=seed, columns=4, patterns=3)
    lines.write_csv(folder / "p.csv")
    return PriceSession(people, PriceList.read(folder / "p.csv"))


HEAD = "attribute,pattern,value,word,price,intent\n"


LINES = (
    "a,original,1,one,5,will\na,original,1,one,2,be\na,original,2,two,4,be\n"
    "a,all,1,any,3,\na,all,2,any,3,\n"
)
