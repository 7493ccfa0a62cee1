"""Generates people and a price file.

    people, prices = sample_prices(1_000_000, seed=1)
    people.columns            # 職業, 年代, 住所, 年齢, 性別, 婚姻, 年収

`prices` is a frame `attribute,pattern,value,word,price`: what patterns make of every value, and
what each word costs in yen. With `correlated`, decade, marriage and income follow from the age, as
they do in life; without, every column is drawn alone.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.apps.price.datasets.column_patterns import AGE_RANGE, PriceColumn, price_columns
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness

MAX_COLUMNS = 12
WORTHLESS_PATTERNS = {("年収", "original"), ("年齢", "five-years")}
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
    if rows < 1 or not 2 <= columns <= MAX_COLUMNS or patterns < 2:
        raise UsageError(
            "rows from 1, columns from 2 to {max_columns}, patterns from 2", max_columns=MAX_COLUMNS
        )
    price_columns_chosen = price_columns(columns, patterns=patterns)
    rng = Randomness(seed).child("prices")
    return _draw_people(price_columns_chosen, rows, rng.child("people"), correlated), _draw_prices(
        price_columns_chosen, rng.child("bids")
    )


def _draw_people(
    columns: list[PriceColumn], rows: int, rng: Randomness, correlated: bool
) -> pl.DataFrame:
    codes = {column.name: _draw_codes(column, rows, rng) for column in columns}
    if correlated and "年齢" in codes:
        codes |= _correlate_with_age(codes, rng)
    values_by_name = {column.name: pl.Series(column.values) for column in columns}
    return pl.DataFrame(
        {name: values.gather(pl.Series(codes[name])) for name, values in values_by_name.items()}
    ).with_columns(pl.col("^年齢$").cast(pl.Int64))


def _draw_codes(column: PriceColumn, rows: int, rng: Randomness) -> np.ndarray:
    weights = np.asarray(column.weights, dtype=np.float64)
    chance = np.cumsum(weights / weights.sum())
    drawn = rng.child(column.name).generator.random(rows)
    return np.minimum(np.searchsorted(chance, drawn), len(weights) - 1)


def _correlate_with_age(codes: dict[str, np.ndarray], rng: Randomness) -> dict[str, np.ndarray]:
    """Decade, marriage and income of people whose age is known."""
    ages = np.array(AGE_RANGE)[codes["年齢"]]
    random_draws = rng.child("luck").generator.random((2, len(ages)))
    married = random_draws[0] < np.clip((ages - 20) / 25, 0, 0.85)
    income_level = np.clip((ages - 16) / 6, 0, 6) - np.clip((ages - 60) / 4, 0, 4)
    correlated_codes = {
        "年代": ages // 10 - 1,
        "婚姻": married.astype(np.int64),
        "年収": np.clip(np.rint(income_level + 8 * random_draws[1] - 3), 0, 10).astype(np.int64),
    }
    return {name: column for name, column in correlated_codes.items() if name in codes}


def _draw_prices(columns: list[PriceColumn], rng: Randomness) -> pl.DataFrame:
    lines = []
    for column in columns:
        bids = _draw_bids(column, rng.child(column.name).generator)
        for pattern, words in _all_patterns(column).items():
            for value, word in words.items():
                price = 0 if (column.name, pattern) in WORTHLESS_PATTERNS else bids[word]
                lines.append((column.name, pattern, value, word, price))
    names = ["attribute", "pattern", "value", "word", "price"]
    return pl.DataFrame(lines, schema=names, orient="row")


def _all_patterns(column: PriceColumn) -> dict[str, dict[str, str]]:
    original = {value: value for value in column.values}
    return {
        "original": original,
        **{name: dict(word_by_value) for name, word_by_value in column.patterns.items()},
    }


def _draw_bids(column: PriceColumn, generator: np.random.Generator) -> dict[str, int]:
    """Yen per word: one in seven is worth nothing, rare words may be dear."""
    words = dict.fromkeys(
        word for pattern in _all_patterns(column).values() for word in pattern.values()
    )
    base = generator.uniform(25, 110)
    prices = np.rint(base * generator.lognormal(0, 0.5, len(words))).astype(int)
    prices[generator.random(len(words)) < 1 / 7] = 0
    return dict(zip(words, prices.tolist(), strict=True))
