"""Attributes, their patterns and prices as arrays: what valuation and search work on.

    problem = price_problem(LocalEngine(frame).tuples(columns), prices)
    problem.value((0, 2, DELETE))        # of a candidate: a pattern's place per attribute

Prices are whole numbers of 10^-`decimals`, so that equal values are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.price.partitions import by_first

DELETE = -1
"""The pattern that is always there: the attribute is left out, and worth nothing."""

Candidate = tuple[int, ...]
"""A pattern's place (or DELETE) for every attribute."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A word for every value of an attribute: `up[value] = word`; a price for every word."""

    name: str
    up: np.ndarray
    words: pl.Series
    prices: np.ndarray

    @cached_property
    def first_prices(self) -> np.ndarray:
        """Prices of the words that occur, in the order in which values first have them."""
        _, words = by_first(self.up)
        return np.asarray(self.prices[words])


@dataclass(frozen=True, eq=False)
class Attribute:
    """A column: its values in the data, how often each occurs, and its patterns."""

    name: str
    values: pl.Series
    counts: np.ndarray
    patterns: tuple[Pattern, ...]

    @cached_property
    def worth(self) -> list[int]:
        """S(p) of every pattern: the sum over words of people times price."""
        return [int(self.counts @ pattern.prices[pattern.up]) for pattern in self.patterns]

    @cached_property
    def words(self) -> list[int]:
        """How many words of each pattern occur."""
        return [len(np.unique(pattern.up)) for pattern in self.patterns]

    @cached_property
    def entropies(self) -> list[float]:
        """How many bits each pattern tells of a person."""
        found = []
        for pattern in self.patterns:
            shares = np.bincount(pattern.up, weights=self.counts) / self.counts.sum()
            shares = shares[shares > 0]
            found.append(float(-(shares * np.log2(shares)).sum()))
        return found

    def place(self, name: str) -> int:
        """The place of a pattern."""
        return [pattern.name for pattern in self.patterns].index(name)


@dataclass(frozen=True, eq=False)
class PriceProblem:
    """Tuples with counts, and what may be made of every column."""

    attributes: tuple[Attribute, ...]
    codes: np.ndarray = field(repr=False)
    counts: np.ndarray = field(repr=False)
    decimals: int = 0
    currency: str = "JPY"

    @cached_property
    def rows(self) -> int:
        """How many people."""
        return int(self.counts.sum())

    def worth(self, candidate: Candidate) -> int:
        """The value of a candidate if nobody is left out."""
        chosen = zip(self.attributes, candidate, strict=True)
        return sum(one.worth[place] for one, place in chosen if place != DELETE)

    def words(self, candidate: Candidate) -> int:
        """How many words a candidate has in all."""
        chosen = zip(self.attributes, candidate, strict=True)
        return sum(one.words[place] for one, place in chosen if place != DELETE)

    def names(self, candidate: Candidate) -> dict[str, str]:
        """A candidate by names."""
        chosen = zip(self.attributes, candidate, strict=True)
        return {
            one.name: "delete" if place == DELETE else one.patterns[place].name
            for one, place in chosen
        }

    def money(self, units: int) -> float | int:
        """Whole units as currency."""
        return units / 10**self.decimals if self.decimals else units
