"""A price problem from the data's frequencies and a price list.

    problem = price_problem(LocalEngine(frame).tuples(columns), prices)

Words are numbered as they first occur among the values, so that two patterns which group the values
alike have equal arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.errors import Fault, InputError, UnknownNameError
from tokumei.core.text import Text
from tokumei.price.amounts import decimals_of
from tokumei.price.dictionary import ORIGINAL, PriceList
from tokumei.price.price_faults import merged_original, missed_value
from tokumei.price.problem import Attribute, Pattern, PriceProblem
from tokumei.tables.engines.protocol import Frequencies

MOST_UNITS = 1 << 62
"""Values are added up in 64 bits."""


def priced_columns(
    present: Sequence[str], prices: PriceList, columns: Sequence[str] | None = None
) -> list[str]:
    """The attributes to look at: those named, or all of the price list; they must be there."""
    known = list(prices.patterns)
    for name in columns or ():
        if name not in known:
            raise UnknownNameError(Text("priced attribute", "価格のある属性"), name, known)
    chosen = [name for name in known if columns is None or name in columns]
    for name in chosen:
        if name not in present:
            raise UnknownNameError(
                Text("column of the data", "データの列"),
                name,
                present,
                where=prices.origins[0].source if prices.origins else "",
            )
    return chosen


def price_problem(
    frequencies: Frequencies,
    prices: PriceList,
    columns: Sequence[str] | None = None,
    *,
    counts: Sequence[np.ndarray] | None = None,
) -> PriceProblem:
    """Attributes with their patterns and prices: those named, or all of the price list.

    `counts` are the `value_counts` of the frequencies, where they are known.
    """
    chosen = priced_columns(frequencies.columns, prices, columns)
    decimals = _decimals(prices, chosen)
    _require_room(prices, chosen, decimals, int(frequencies.counts.sum()))
    faults: list[Fault] = []
    places = [frequencies.columns.index(name) for name in chosen]
    people = value_counts(frequencies) if counts is None else counts
    made = [_attribute(frequencies, j, people[j], prices, decimals, faults) for j in places]
    if faults:
        raise InputError(
            "the price list does not fit the data", "価格表がデータに合いません", faults=faults
        )
    whole = places == list(range(len(frequencies.columns)))
    codes = frequencies.codes if whole else frequencies.codes[:, places]
    return PriceProblem(tuple(made), codes, frequencies.counts, decimals, prices.currency)


def value_counts(frequencies: Frequencies) -> list[np.ndarray]:
    """How many people have each value, for every column."""
    weights = frequencies.counts.astype(np.float64)
    return [
        np.bincount(codes, weights=weights, minlength=len(values)).astype(np.int64)
        for codes, values in zip(frequencies.codes.T, frequencies.values, strict=True)
    ]


def _attribute(
    frequencies: Frequencies,
    j: int,
    counts: np.ndarray,
    prices: PriceList,
    decimals: int,
    faults: list[Fault],
) -> Attribute:
    name, values = frequencies.columns[j], frequencies.values[j]
    keys = canonical(values).to_list()
    patterns = []
    for pattern, words in prices.patterns[name].items():
        missing = [at for at, key in enumerate(keys) if key not in words]
        faults += [missed_value(name, pattern, keys[at], int(counts[at])) for at in missing]
        if not missing:
            found = [words[key] for key in keys]
            patterns.append(_pattern(pattern, found, prices.prices[name], decimals))
            faults += _original_faults(name, patterns[-1], found)
    return Attribute(name, values, counts, tuple(patterns))


def _pattern(
    name: str, words: list[str], prices: Mapping[str, Decimal | None], decimals: int
) -> Pattern:
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    units = [int((prices.get(word) or Decimal()).scaleb(decimals)) for word in numbers]
    return Pattern(
        name,
        np.array([numbers[word] for word in words], dtype=np.int64),
        pl.Series(list(numbers), dtype=pl.String),
        np.array(units, dtype=np.int64),
    )


def _original_faults(attribute: str, pattern: Pattern, words: list[str]) -> list[Fault]:
    if pattern.name != ORIGINAL or len(pattern.words) == len(words):
        return []
    twice = next(word for word in words if words.count(word) > 1)
    return [merged_original(attribute, twice)]


def _decimals(prices: PriceList, columns: Sequence[str]) -> int:
    found = (p for name in columns for p in prices.prices[name].values() if p is not None)
    return max(map(decimals_of, found), default=0)


def _require_room(prices: PriceList, columns: Sequence[str], decimals: int, rows: int) -> None:
    dearest = sum(
        (
            max((p or Decimal() for p in prices.prices[name].values()), default=Decimal())
            for name in columns
        ),
        Decimal(),
    )
    if dearest.scaleb(decimals) * rows >= MOST_UNITS:
        raise InputError(
            "prices times people need more than 62 bits: give prices with fewer digits",
            "価格と人数の積が 62 ビットを超えます。価格の桁数を減らしてください",
        )
