"""What the tests split from test_price_tables share."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tokumei.apps.price.price_list import PriceList


def price_list(folder: Path, lines: list[tuple[object, ...]]) -> PriceList:
    names = ["attribute", "pattern", "value", "word", "price"]
    text = [[str(cell) for cell in line] for line in lines]
    pl.DataFrame(text, schema=names, orient="row").write_csv(folder / "prices.csv")
    return PriceList.read(folder / "prices.csv")
