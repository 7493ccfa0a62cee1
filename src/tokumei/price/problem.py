"""Attributes, their patterns and prices as arrays: what valuation and search work on.

    problem = PriceProblem.of(LocalEngine().frequencies(frame, columns), prices)
    problem.value((0, 2, DELETE))        # of a candidate: a pattern's place per attribute

Prices are whole numbers of 10^-`decimals`, so that equal values are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

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

    def telling(self, other: Pattern) -> np.ndarray | None:
        """For every word of this pattern that of the other; None if it does not tell."""
        told = np.zeros(len(self.words), dtype=np.uint16 if len(other.words) < 65_536 else np.int64)
        told[self.up] = other.up
        return told if bool((told[self.up] == other.up).all()) else None


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
    def told(self) -> list[list[np.ndarray | None]]:
        """`[p][q]`: the words of pattern q by those of pattern p, None if p does not tell them."""
        return [[p.telling(q) for q in self.patterns] for p in self.patterns]

    @cached_property
    def refinement(self) -> np.ndarray:
        """`[p, q]`: whether pattern p refines pattern q."""
        return np.array([[told is not None for told in row] for row in self.told])

    def place(self, name: str) -> int:
        """The place of a pattern."""
        return [pattern.name for pattern in self.patterns].index(name)


@dataclass(frozen=True, eq=False)
class PriceProblem:
    """Distinct tuples with counts, and what may be made of every column."""

    attributes: tuple[Attribute, ...]
    codes: np.ndarray = field(repr=False)
    counts: np.ndarray = field(repr=False)
    decimals: int = 0
    currency: str = "JPY"

    @cached_property
    def rows(self) -> int:
        """How many people."""
        return int(self.counts.sum())

    @cached_property
    def original_worth(self) -> int:
        """The value of the data as they are."""
        return sum(one.worth[one.place("original")] for one in self.attributes)

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

    def money(self, units: int) -> float:
        """Whole units as currency."""
        return float(units / 10**self.decimals)

    def with_patterns(self, patterns: Sequence[tuple[Pattern, ...]]) -> PriceProblem:
        """The same people under other patterns or prices."""
        made = tuple(
            Attribute(one.name, one.values, one.counts, new)
            for one, new in zip(self.attributes, patterns, strict=True)
        )
        return PriceProblem(made, self.codes, self.counts, self.decimals, self.currency)
