"""What the tests split from test_price_lists share."""

from __future__ import annotations

from pathlib import Path

from tokumei.apps.price.price_list import PriceList

HEAD = "attribute,pattern,value,word,price\n"


GOOD = (
    HEAD
    + "age,original,12,12才,18\nage,original,13,13才,33.5\nage,decades,12,10代,37\n"
    + "age,decades,13,10代,37\nsex,original,m,male,\nsex,original,f,female,5\n"
)


def read(folder: Path, text: str, name: str = "prices.csv", **options: str) -> PriceList:
    path = folder / name
    path.write_bytes(text.encode(options.pop("write", "utf-8")))
    return PriceList.read(path, **options)
