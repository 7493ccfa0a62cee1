"""A look-alike population with a price file, as an advertiser would meet them.

    people, prices = sample_prices(1_000_000, seed=1)
    people.columns            # 職業, 年代, 住所, 年齢, 性別, 婚姻, 年収

`prices` is a frame `attribute,pattern,value,word,price`: what patterns make of every value, and
what each word costs in yen. With `correlated`, decade, marriage and income follow from the age, as
they do in life; without, every column is drawn alone.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.price.sample.words import AGES, PriceColumn, price_columns

MOST_COLUMNS = 12
WORTHLESS = {("年収", "original"), ("年齢", "five-years")}
"""Nobody bids for these, as in the published experiment."""


def sample_prices(
    rows: int = 11_000,
    *,
    seed: int | None = None,
    columns: int = 7,
    patterns: int = 6,
    correlated: bool = False,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """People and prices; `patterns` is the most per column, `original` and `delete` included."""
    if rows < 1 or not 2 <= columns <= MOST_COLUMNS or patterns < 2:
        raise UsageError(
            f"rows from 1, columns from 2 to {MOST_COLUMNS}, patterns from 2",
            f"行数は 1 以上、列数は 2〜{MOST_COLUMNS}、パターン数は 2 以上です",
        )
    chosen = price_columns(columns, patterns=patterns)
    rng = Randomness(seed).child("prices")
    return _people(chosen, rows, rng.child("people"), correlated), _prices(
        chosen, rng.child("bids")
    )


def _people(
    columns: list[PriceColumn], rows: int, rng: Randomness, correlated: bool
) -> pl.DataFrame:
    codes = {one.name: _draw(one, rows, rng) for one in columns}
    if correlated and "年齢" in codes:
        codes |= _following(codes, rng)
    named = {one.name: pl.Series(one.values) for one in columns}
    return pl.DataFrame(
        {name: values.gather(pl.Series(codes[name])) for name, values in named.items()}
    ).with_columns(pl.col("^年齢$").cast(pl.Int64))


def _draw(column: PriceColumn, rows: int, rng: Randomness) -> np.ndarray:
    weights = np.asarray(column.weights, dtype=np.float64)
    chance = np.cumsum(weights / weights.sum())
    drawn = rng.child(column.name).generator.random(rows)
    return np.minimum(np.searchsorted(chance, drawn), len(weights) - 1)


def _following(codes: dict[str, np.ndarray], rng: Randomness) -> dict[str, np.ndarray]:
    """Decade, marriage and income of people whose age is known."""
    ages = np.array(AGES)[codes["年齢"]]
    luck = rng.child("luck").generator.random((2, len(ages)))
    married = luck[0] < np.clip((ages - 20) / 25, 0, 0.85)
    earned = np.clip((ages - 16) / 6, 0, 6) - np.clip((ages - 60) / 4, 0, 4)
    made = {
        "年代": ages // 10 - 1,
        "婚姻": married.astype(np.int64),
        "年収": np.clip(np.rint(earned + 8 * luck[1] - 3), 0, 10).astype(np.int64),
    }
    return {name: column for name, column in made.items() if name in codes}


def _prices(columns: list[PriceColumn], rng: Randomness) -> pl.DataFrame:
    lines = []
    for one in columns:
        bids = _bids(one, rng.child(one.name).generator)
        for pattern, words in _all_patterns(one).items():
            for value, word in words.items():
                price = 0 if (one.name, pattern) in WORTHLESS else bids[word]
                lines.append((one.name, pattern, value, word, price))
    names = ["attribute", "pattern", "value", "word", "price"]
    return pl.DataFrame(lines, schema=names, orient="row")


def _all_patterns(column: PriceColumn) -> dict[str, dict[str, str]]:
    original = {value: value for value in column.values}
    return {"original": original, **{name: dict(up) for name, up in column.patterns.items()}}


def _bids(column: PriceColumn, generator: np.random.Generator) -> dict[str, int]:
    """Yen per word: one in seven is worth nothing, rare words may be dear."""
    words = dict.fromkeys(
        word for pattern in _all_patterns(column).values() for word in pattern.values()
    )
    base = generator.uniform(25, 110)
    prices = np.rint(base * generator.lognormal(0, 0.5, len(words))).astype(int)
    prices[generator.random(len(words)) < 1 / 7] = 0
    return dict(zip(words, prices.tolist(), strict=True))
