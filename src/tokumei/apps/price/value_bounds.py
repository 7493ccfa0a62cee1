"""Bounds on the value: words without a price, and patterns that were left out.

    interval = value_interval(session, session.ask(Question(k=5)))
    interval.value         # (at 0, at the attribute's median, at the list's dearest price)
    answer = session.ask(Question(k=2, cut_off=600_000))
    cut_off_cost(session, answer).as_json()     # {"left_out": […], "lost": 717768, "at_most": …}

An unpriced word makes an interval instead of a silent 0. Its lower end is safe, as no price is
negative. The upper end holds unless an unpriced word costs more than the dearest word of the whole
list. The median of an attribute's known prices is a guess in the middle, not a bound: half of all
words cost more than their median.

Any recoding stays k-anonymous when attributes are deleted. So a recoding with patterns that a
cut-off left out, these deleted, was among those searched: a cut-off loses at most the dearest
pattern that it leaves out of every attribute. Where an attribute may not be deleted that does not
follow, and only what no recoding at all can exceed is a bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import median
from typing import Literal

from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import DELETE_INDEX, PriceProblem, Question
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.apps.price.summary_tables import QUICK_CANDIDATES, count_candidates
from tokumei.core.errors import InputError

Filling = Literal["nothing", "median", "dearest"]
FILLINGS: tuple[Filling, ...] = ("nothing", "median", "dearest")
ValueTriple = tuple[float, float, float]


@dataclass(frozen=True)
class ValueInterval:
    """Unpriced words; values of original and recoding with them at 0, median and dearest.

    `same_choice`: whether the recoding is the best one at the median and at the dearest, too.
    """

    words: int
    original: ValueTriple
    value: ValueTriple
    same_choice: tuple[bool, bool]

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "words": self.words,
            "original_value": dict(zip(FILLINGS, self.original, strict=True)),
            "value": dict(zip(FILLINGS, self.value, strict=True)),
            "same_choice": dict(zip(FILLINGS[1:], self.same_choice, strict=True)),
        }


def fill_missing_prices(prices: PriceList, how: Filling) -> PriceList:
    """The list with a price for every word that has none.

    `median` is that of the attribute's known prices, or of the whole list's where it has none.
    """
    known_prices = {name: _known_prices([words]) for name, words in prices.prices.items()}
    all_known_prices = _known_prices(list(prices.prices.values()))
    if not all_known_prices:
        raise InputError("no word of the list has a price")

    def price(name: str) -> Decimal:
        if how == "nothing":
            return Decimal()
        return (
            max(all_known_prices)
            if how == "dearest"
            else median(known_prices[name] or all_known_prices)
        )

    filled_prices = {
        name: {
            word: price(name) if old_price is None else old_price
            for word, old_price in words.items()
        }
        for name, words in prices.prices.items()
    }
    return replace(prices, prices=filled_prices, intents={})


def value_interval(session: PriceSession, price_answer: PriceAnswer) -> ValueInterval:
    """Bounds on the value of the original and the best answer for any price of unpriced words."""
    candidate, k = price_answer.best.candidate, price_answer.question.k
    filled_lists = [fill_missing_prices(price_answer.prices, how) for how in FILLINGS]
    problems = [session.problem(entry) for entry in filled_lists]
    original = [entry.money(price_answer.question.original_worth(entry)) for entry in problems]
    value = [
        problem.money(sum(session.worth(candidate, k, prices=entry)))
        for entry, problem in zip(filled_lists, problems, strict=True)
    ]
    single_question = replace(price_answer.question, best=1)
    best = [session.ask(single_question, prices=entry).best.candidate for entry in filled_lists[1:]]
    return ValueInterval(
        len(price_answer.prices.unpriced),
        (original[0], original[1], original[2]),
        (value[0], value[1], value[2]),
        (best[0] == candidate, best[1] == candidate),
    )


def _known_prices(words: Sequence[Mapping[str, Decimal | None]]) -> list[Decimal]:
    return [price for word_prices in words for price in word_prices.values() if price is not None]


@dataclass(frozen=True)
class CutOffPattern:
    """A pattern that was not tried, and its value in whole units."""

    attribute: str
    pattern: str
    worth: int


@dataclass(frozen=True)
class CutOffCost:
    """Patterns left out; value `lost`, if known, and at most `at_most` (whole units)."""

    problem: PriceProblem = field(repr=False)
    left_out: tuple[CutOffPattern, ...]
    lost: int | None
    at_most: int

    def as_json(self) -> dict[str, object]:
        """Plain data in currency."""
        money = self.problem.money
        return {
            "left_out": [
                {
                    "attribute": pattern.attribute,
                    "pattern": pattern.pattern,
                    "value": money(pattern.worth),
                }
                for pattern in self.left_out
            ],
            "lost": None if self.lost is None else money(self.lost),
            "at_most": money(self.at_most),
        }


def cut_off_cost(session: PriceSession, price_answer: PriceAnswer) -> CutOffCost:
    """The cost of the question's cut-off; `lost` is None where a search without it takes long.

    With a time budget the search without the cut-off has the same budget, and proves what it can.
    """
    question, problem = price_answer.question, price_answer.problem
    free_question = replace(question, cut_off=0.0, best=1)
    at_most = _upper_bound_of_loss(price_answer, free_question)
    if question.seconds is None and count_candidates(problem) > QUICK_CANDIDATES:
        return CutOffCost(problem, list_cut_off_patterns(problem, question), None, at_most)
    lost = None
    for free_answer in session.ask(free_question, prices=price_answer.prices).answers:
        at_most = min(at_most, free_answer.bound - price_answer.best.worth)
        if price_answer.best.optimal and free_answer.optimal:
            lost = free_answer.worth - price_answer.best.worth
    return CutOffCost(problem, list_cut_off_patterns(problem, question), lost, at_most)


def list_cut_off_patterns(problem: PriceProblem, question: Question) -> tuple[CutOffPattern, ...]:
    """The patterns that only the cut-off forbids."""
    free_patterns = replace(question, cut_off=0.0).allowed(problem)
    cut_off_patterns = []
    for attribute, places, allowed_patterns in zip(
        problem.attributes, free_patterns, question.allowed(problem), strict=True
    ):
        removed = [
            candidate_index for candidate_index in places if candidate_index not in allowed_patterns
        ]
        cut_off_patterns += [
            CutOffPattern(
                attribute.name,
                attribute.patterns[pattern_index].name,
                attribute.worth[pattern_index],
            )
            for pattern_index in removed
        ]
    return tuple(cut_off_patterns)


def _upper_bound_of_loss(price_answer: PriceAnswer, free_question: Question) -> int:
    problem, worth = price_answer.problem, price_answer.best.worth
    dearest_by_attribute: dict[str, int] = {}
    for entry in list_cut_off_patterns(problem, price_answer.question):
        dearest_by_attribute[entry.attribute] = max(
            dearest_by_attribute.get(entry.attribute, 0), entry.worth
        )
    allowed = free_question.allowed(problem)
    all_choices = zip(problem.attributes, allowed, strict=True)
    highest_value = sum(
        max(
            (
                entry.worth[pattern_index]
                for pattern_index in places
                if pattern_index != DELETE_INDEX
            ),
            default=0,
        )
        for entry, places in all_choices
    )
    checked_choices = zip(problem.attributes, allowed, strict=True)
    if any(
        entry.name in dearest_by_attribute and DELETE_INDEX not in places
        for entry, places in checked_choices
    ):
        return highest_value - worth
    return min(price_answer.best.bound + sum(dearest_by_attribute.values()), highest_value) - worth
