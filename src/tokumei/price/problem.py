"""Attributes, patterns and prices as arrays, what is asked of them, and what is answered.

    problem = price_problem(LocalEngine(frame).tuples(columns), prices)
    problem.worth((0, 2, DELETE))        # of a candidate: a pattern's place per attribute

Prices are whole numbers of 10^-`decimals`, so that equal values are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.price.group_tables import by_first

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


@dataclass(frozen=True)
class Question:
    """k people per group; the rest narrows what may be chosen.

    `suppression`: share of rows that may be left out (their value is lost). `least`: value that an
    attribute must keep; `most_lost`: the share of its original value that it may lose. `stay`,
    `go`: attributes that may not, or must, be deleted. `best`: how many answers. `seconds`: after
    so long the best so far is given. `cut_off`: patterns worth less are left out of the search,
    though never `delete`. `columns`: the attributes that are asked for (all); others are left out
    and count in no value.
    """

    k: int = 2
    columns: tuple[str, ...] | None = None
    suppression: float = 0.0
    least: Mapping[str, float] = field(default_factory=dict)
    most_lost: Mapping[str, float] = field(default_factory=dict)
    stay: tuple[str, ...] = ()
    go: tuple[str, ...] = ()
    best: int = 1
    seconds: float | None = None
    cut_off: float = 0.0

    def require(self, problem: PriceProblem) -> None:
        """Fail unless the question makes sense for a problem."""
        names = [one.name for one in problem.attributes]
        kept = (*self.least, *self.most_lost, *self.stay)
        for name in (*kept, *self.go, *(self.columns or ())):
            if name not in names:
                raise UnknownNameError(Text("attribute", "属性"), name, names)
        for name in kept:
            if not self.asks(name):
                raise UnknownNameError(Text("chosen column", "選んだ列"), name, self.columns or ())
        both = set(self.stay) & set(self.go)
        if both:
            raise UsageError(
                f"{sorted(both)[0]} cannot be both kept and deleted",
                f"{sorted(both)[0]} は残すか消すかの一方です",
            )
        if not 1 <= self.k <= problem.rows:
            raise UsageError(
                f"k must be from 1 to the number of rows ({problem.rows}), not {self.k}",
                f"k は 1 から行数 ({problem.rows}) までです ({self.k})",
            )
        shares = all(0 <= one <= 1 for one in (self.suppression, *self.most_lost.values()))
        amounts = all(low >= 0 for low in self.least.values())
        if (
            not shares
            or not amounts
            or self.best < 1
            or not (self.seconds is None or self.seconds > 0)
        ):
            raise UsageError(
                "suppression and most_lost are shares from 0 to 1, best a number from 1, seconds "
                "and least are not negative",
                "suppression と most_lost は 0〜1、best は 1 以上、"
                "seconds と least は負にできません",
            )

    def asks(self, name: str) -> bool:
        """Whether an attribute is asked for."""
        return self.columns is None or name in self.columns

    def original_worth(self, problem: PriceProblem) -> int:
        """The value of the columns asked for, as they are."""
        asked = [one for one in problem.attributes if self.asks(one.name)]
        return sum(one.worth[one.place("original")] for one in asked)

    def floors(self, problem: PriceProblem) -> list[int]:
        """What every attribute must be worth, in whole units."""
        return [self._floor(problem, one) for one in problem.attributes]

    def _floor(self, problem: PriceProblem, one: Attribute) -> int:
        least: int = round(self.least.get(one.name, 0.0) * 10**problem.decimals)
        kept = 1 - Fraction(str(self.most_lost.get(one.name, 1.0)))
        floor: int = ceil(kept * one.worth[one.place("original")])
        return floor if floor > least else least

    def allowed(self, problem: PriceProblem) -> list[list[int]]:
        """The patterns that may be chosen for every attribute."""
        found = []
        cut = round(self.cut_off * 10**problem.decimals)
        for one, least in zip(problem.attributes, self.floors(problem), strict=True):
            places = [p for p, worth in enumerate(one.worth) if worth >= max(least, cut)]
            places = [] if one.name in self.go or not self.asks(one.name) else places
            deletable = one.name not in self.stay and least <= 0
            found.append([*places, DELETE] if deletable else places)
        return found


@dataclass(frozen=True)
class Answer:
    """A candidate: its value in whole units, per attribute too, and how it was found.

    `bound` is what no candidate can exceed; `optimal` says that nothing better exists. `k` is the
    smallest group that is reached.
    """

    candidate: Candidate
    worth: int
    by_attribute: tuple[int, ...]
    k: int
    suppressed: int
    optimal: bool
    bound: int

    def as_json(self, problem: PriceProblem, question: Question) -> dict[str, Any]:
        """Plain data in currency."""
        original = question.original_worth(problem)
        choice = problem.names(self.candidate)
        return {
            "value": problem.money(self.worth),
            "original_value": problem.money(original),
            "ratio": self.worth / original if original else None,
            "choice": {name: pattern for name, pattern in choice.items() if question.asks(name)},
            "values": {
                one.name: problem.money(worth)
                for one, worth in zip(problem.attributes, self.by_attribute, strict=True)
                if question.asks(one.name)
            },
            "k": self.k,
            "suppressed": self.suppressed,
            "optimal": self.optimal,
            "bound": problem.money(self.bound),
            "gap": self.bound / self.worth - 1 if self.worth else None,
            "currency": problem.currency,
        }
