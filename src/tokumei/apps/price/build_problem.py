"""Builds a price problem from value counts and a price list.

    problem = build_price_problem(LocalEngine(frame).tuples(columns), prices)

Words are numbered as they first occur among the values, so that two patterns which group the values
alike have equal arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import numpy as np
import polars as pl

from tokumei.apps.price.amounts import count_decimals
from tokumei.apps.price.price_list import ORIGINAL_PATTERN, PriceList
from tokumei.apps.price.price_list_violations import merged_original, missing_value_word
from tokumei.apps.price.problem import PricedAttribute, PriceProblem, RecodingPattern
from tokumei.core.errors import InputError, UnknownNameError, Violation
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.messages import Message
from tokumei.tables.engines.protocol import TupleCounts

MAX_UNITS = 1 << 62
"""Values are added up in 64 bits."""


def select_priced_columns(
    present: Sequence[str], prices: PriceList, columns: Sequence[str] | None = None
) -> list[str]:
    """The attributes to look at: those named, or all of the price list; they must be there."""
    attributes = list(prices.patterns)
    for name in columns or ():
        if name not in attributes:
            raise UnknownNameError(Message("priced attribute"), name, attributes)
    selected = [name for name in attributes if columns is None or name in columns]
    for name in selected:
        if name not in present:
            raise UnknownNameError(
                Message("column of the data"),
                name,
                present,
                where=prices.origins[0].source if prices.origins else "",
            )
    return selected


def build_price_problem(
    frequencies: TupleCounts,
    prices: PriceList,
    columns: Sequence[str] | None = None,
    *,
    counts: Sequence[np.ndarray] | None = None,
) -> PriceProblem:
    """Attributes with their patterns and prices: those named, or all of the price list.

    `counts` are the `count_values` of the frequencies, where they are known.
    """
    selected = select_priced_columns(frequencies.columns, prices, columns)
    decimals = _needed_decimals(prices, selected)
    _require_no_overflow(prices, selected, decimals, int(frequencies.counts.sum()))
    faults: list[Violation] = []
    column_indexes = [frequencies.columns.index(name) for name in selected]
    people = count_values(frequencies) if counts is None else counts
    attributes = [
        _build_attribute(frequencies, column_index, people[column_index], prices, decimals, faults)
        for column_index in column_indexes
    ]
    if faults:
        raise InputError("the price list does not fit the data", faults=faults)
    all_columns = column_indexes == list(range(len(frequencies.columns)))
    codes = frequencies.codes if all_columns else frequencies.codes[:, column_indexes]
    return PriceProblem(tuple(attributes), codes, frequencies.counts, decimals, prices.currency)


def count_values(frequencies: TupleCounts) -> list[np.ndarray]:
    """How many people have each value, for every column."""
    weights = frequencies.counts.astype(np.float64)
    return [
        np.bincount(codes, weights=weights, minlength=len(values)).astype(np.int64)
        for codes, values in zip(frequencies.codes.T, frequencies.values, strict=True)
    ]


def _build_attribute(
    frequencies: TupleCounts,
    column_index: int,
    counts: np.ndarray,
    prices: PriceList,
    decimals: int,
    faults: list[Violation],
) -> PricedAttribute:
    name, values = frequencies.columns[column_index], frequencies.values[column_index]
    keys = canonicalize_column(values).to_list()
    patterns = []
    for pattern, words in prices.patterns[name].items():
        missing = [value_index for value_index, key in enumerate(keys) if key not in words]
        faults += [
            missing_value_word(name, pattern, keys[value_index], int(counts[value_index]))
            for value_index in missing
        ]
        if not missing:
            value_words = [words[key] for key in keys]
            patterns.append(_build_pattern(pattern, value_words, prices.prices[name], decimals))
            faults += _original_violations(name, patterns[-1], value_words)
    return PricedAttribute(name, values, counts, tuple(patterns))


def _build_pattern(
    name: str, words: list[str], prices: Mapping[str, Decimal | None], decimals: int
) -> RecodingPattern:
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    units = [int((prices.get(word) or Decimal()).scaleb(decimals)) for word in numbers]
    return RecodingPattern(
        name,
        np.array([numbers[word] for word in words], dtype=np.int64),
        pl.Series(list(numbers), dtype=pl.String),
        np.array(units, dtype=np.int64),
    )


def _original_violations(
    attribute: str, pattern: RecodingPattern, words: list[str]
) -> list[Violation]:
    if pattern.name != ORIGINAL_PATTERN or len(pattern.words) == len(words):
        return []
    repeated_word = next(word for word in words if words.count(word) > 1)
    return [merged_original(attribute, repeated_word)]


def _needed_decimals(prices: PriceList, columns: Sequence[str]) -> int:
    known_prices = (
        price for name in columns for price in prices.prices[name].values() if price is not None
    )
    return max(map(count_decimals, known_prices), default=0)


def _require_no_overflow(
    prices: PriceList, columns: Sequence[str], decimals: int, rows: int
) -> None:
    dearest = sum(
        (
            max((price or Decimal() for price in prices.prices[name].values()), default=Decimal())
            for name in columns
        ),
        Decimal(),
    )
    if dearest.scaleb(decimals) * rows >= MAX_UNITS:
        raise InputError(
            "prices times people need more than 62 bits: give prices with fewer digits"
        )
