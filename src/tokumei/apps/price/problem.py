"""Attributes, patterns and prices as arrays; the query and its answer.

    problem = build_price_problem(LocalEngine(frame).tuples(columns), prices)
    problem.worth((0, 2, DELETE))        # of a candidate: a pattern's place per attribute

Prices are whole numbers of 10^-`decimals`, so that equal values are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import NotRequired, TypedDict

import numpy as np
import polars as pl

from tokumei.apps.price.group_counts import number_by_first_occurrence
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message

DELETE_INDEX = -1
"""The pattern that is always there: the attribute is left out, and worth nothing."""

Candidate = tuple[int, ...]
"""A pattern's place (or DELETE) for every attribute."""


@dataclass(frozen=True, eq=False)
class RecodingPattern:
    """A word for every value of an attribute: `up[value] = word`; a price for every word."""

    name: str
    up: np.ndarray
    words: pl.Series
    prices: np.ndarray

    @cached_property
    def prices_by_first_occurrence(self) -> np.ndarray:
        """Prices of the words that occur, in the order in which values first have them."""
        _, words = number_by_first_occurrence(self.up)
        return np.asarray(self.prices[words])


@dataclass(frozen=True, eq=False)
class PricedAttribute:
    """A column: its values in the data, how often each occurs, and its patterns."""

    name: str
    values: pl.Series
    counts: np.ndarray
    patterns: tuple[RecodingPattern, ...]

    @cached_property
    def worth(self) -> list[int]:
        """S(p) of every pattern: the sum over words of people times price."""
        return [int(self.counts @ pattern.prices[pattern.up]) for pattern in self.patterns]

    @cached_property
    def word_counts(self) -> list[int]:
        """How many words of each pattern occur."""
        return [len(np.unique(pattern.up)) for pattern in self.patterns]

    @cached_property
    def entropies(self) -> list[float]:
        """How many bits each pattern tells of a person."""
        bits = []
        for pattern in self.patterns:
            shares = np.bincount(pattern.up, weights=self.counts) / self.counts.sum()
            shares = shares[shares > 0]
            bits.append(float(-(shares * np.log2(shares)).sum()))
        return bits

    def place(self, name: str) -> int:
        """The place of a pattern."""
        return [pattern.name for pattern in self.patterns].index(name)


@dataclass(frozen=True, eq=False)
class PriceProblem:
    """Tuples with counts, and what may be made of every column."""

    attributes: tuple[PricedAttribute, ...]
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
        choices = zip(self.attributes, candidate, strict=True)
        return sum(
            attribute.worth[pattern_index]
            for attribute, pattern_index in choices
            if pattern_index != DELETE_INDEX
        )

    def count_words(self, candidate: Candidate) -> int:
        """How many words a candidate has in all."""
        choices = zip(self.attributes, candidate, strict=True)
        return sum(
            attribute.word_counts[pattern_index]
            for attribute, pattern_index in choices
            if pattern_index != DELETE_INDEX
        )

    def pattern_names(self, candidate: Candidate) -> dict[str, str]:
        """A candidate by names."""
        choices = zip(self.attributes, candidate, strict=True)
        return {
            attribute.name: "delete"
            if pattern_index == DELETE_INDEX
            else attribute.patterns[pattern_index].name
            for attribute, pattern_index in choices
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

    def require_fits(self, problem: PriceProblem) -> None:
        """Fail unless the question makes sense for a problem."""
        names = [entry.name for entry in problem.attributes]
        required = (*self.least, *self.most_lost, *self.stay)
        for name in (*required, *self.go, *(self.columns or ())):
            if name not in names:
                raise UnknownNameError(Message("attribute"), name, names)
        for name in required:
            if not self.asks(name):
                raise UnknownNameError(Message("chosen column"), name, self.columns or ())
        contradictory = set(self.stay) & set(self.go)
        if contradictory:
            raise UsageError(
                "{column} cannot be both kept and deleted", column=sorted(contradictory)[0]
            )
        if not 1 <= self.k <= problem.rows:
            raise UsageError(
                "k must be from 1 to the number of rows ({rows}), not {k}",
                rows=problem.rows,
                k=self.k,
            )
        shares = all(0 <= entry <= 1 for entry in (self.suppression, *self.most_lost.values()))
        amounts = all(low >= 0 for low in self.least.values())
        if (
            not shares
            or not amounts
            or self.best < 1
            or not (self.seconds is None or self.seconds > 0)
        ):
            raise UsageError(
                "suppression and most_lost are shares from 0 to 1, best a number from 1, seconds "
                "and least are not negative"
            )

    def asks(self, name: str) -> bool:
        """Whether an attribute is asked for."""
        return self.columns is None or name in self.columns

    def original_worth(self, problem: PriceProblem) -> int:
        """The value of the columns asked for, as they are."""
        asked_attributes = [
            attribute for attribute in problem.attributes if self.asks(attribute.name)
        ]
        return sum(attribute.worth[attribute.place("original")] for attribute in asked_attributes)

    def least_worths(self, problem: PriceProblem) -> list[int]:
        """The least value of every attribute, in whole units."""
        return [self._attribute_floor(problem, attribute) for attribute in problem.attributes]

    def _attribute_floor(self, problem: PriceProblem, attribute: PricedAttribute) -> int:
        least: int = round(self.least.get(attribute.name, 0.0) * 10**problem.decimals)
        kept_share = 1 - Fraction(str(self.most_lost.get(attribute.name, 1.0)))
        floor: int = ceil(kept_share * attribute.worth[attribute.place("original")])
        return floor if floor > least else least

    def allowed(self, problem: PriceProblem) -> list[list[int]]:
        """The patterns that may be chosen for every attribute."""
        allowed_patterns = []
        cut_off_units = round(self.cut_off * 10**problem.decimals)
        for attribute, least in zip(problem.attributes, self.least_worths(problem), strict=True):
            places = [
                pattern_index
                for pattern_index, worth in enumerate(attribute.worth)
                if worth >= max(least, cut_off_units)
            ]
            places = [] if attribute.name in self.go or not self.asks(attribute.name) else places
            deletable = attribute.name not in self.stay and least <= 0
            allowed_patterns.append([*places, DELETE_INDEX] if deletable else places)
        return allowed_patterns


class AnswerRecord(TypedDict):
    """An answer as JSON, in currency; that to a question has its prices, time and other answers."""

    value: float
    original_value: float
    ratio: float | None
    choice: dict[str, str]
    values: dict[str, float]
    k: int
    suppressed: int
    optimal: bool
    bound: float
    gap: float | None
    currency: str
    answers: NotRequired[list[AnswerRecord]]
    prices: NotRequired[list[dict[str, object]]]
    seconds: NotRequired[float]


@dataclass(frozen=True)
class RecodingAnswer:
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

    def as_json(self, problem: PriceProblem, question: Question) -> AnswerRecord:
        """Plain data in currency."""
        original = question.original_worth(problem)
        choice = problem.pattern_names(self.candidate)
        return {
            "value": problem.money(self.worth),
            "original_value": problem.money(original),
            "ratio": self.worth / original if original else None,
            "choice": {name: pattern for name, pattern in choice.items() if question.asks(name)},
            "values": {
                attribute.name: problem.money(worth)
                for attribute, worth in zip(problem.attributes, self.by_attribute, strict=True)
                if question.asks(attribute.name)
            },
            "k": self.k,
            "suppressed": self.suppressed,
            "optimal": self.optimal,
            "bound": problem.money(self.bound),
            "gap": self.bound / self.worth - 1 if self.worth else None,
            "currency": problem.currency,
        }
