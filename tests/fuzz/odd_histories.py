"""A random odd purchase history: few people, many ties, strange items, negative quantities."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from random import Random

ITEMS = ["10252", "85123A", "お茶", "a b", "名 前", "*x", "[1]", "M", "ｱ", "0", "00", "😀"]
AWKWARD = ["x,y", 'say "hi"', "semi;colon", "{x}", "*", ""]
PRICES = ["0", "0.0", "1", "1.50", "2.95", "1234567.123456", "-3", "0.001", "99999999999"]
COUNTS = ["1", "2", "-1", "24", "0", "999999999999999"]


def odd_history(rng: Random) -> list[tuple[str, ...]]:
    """Rows customer, day, item, price, quantity, as text."""
    people = [f"{n}" for n in rng.sample(range(10_000, 10_200), rng.randint(2, 12))]
    if rng.random() < 0.2:
        people = [f"{name}号" for name in people]
    items = rng.sample(ITEMS, rng.randint(1, 6))
    if rng.random() < 0.1:
        items.append(rng.choice(AWKWARD))
    prices = rng.sample(PRICES, rng.randint(1, 4))
    counts = rng.sample(COUNTS, rng.randint(1, 3))
    most = rng.choice((1, 3, 9))
    rows = [
        (person, _day(rng), rng.choice(items), rng.choice(prices), rng.choice(counts))
        for person in people
        for _ in range(rng.randint(1, most))
    ]
    rng.shuffle(rows)
    return rows


def write_history(rows: list[tuple[str, ...]], path: Path, *, header: bool = False) -> None:
    """As a contest's file, or as a table with a header."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    if header:
        writer.writerow(["customer", "day", "item", "price", "quantity"])
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode())


def _day(rng: Random) -> str:
    return f"{rng.choice((2010, 2011))}/{rng.randint(1, 12)}/{rng.choice((1, 9, 10, 28))}"
