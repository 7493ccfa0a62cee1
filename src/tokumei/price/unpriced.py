"""How far a value may lie from what was found: words without a price, and patterns left out.

    found = value_interval(session, session.ask(Question(k=5)))
    found.value            # (at 0, at the attribute's median, at the list's dearest price)
    asked = session.ask(Question(k=2, cut_off=600_000))
    cut_off_cost(session, asked).as_json()      # {"left_out": […], "lost": 717768, "at_most": …}

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

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import median
from typing import Any, Literal

from tokumei.core.errors import InputError
from tokumei.price.dictionary import PriceList
from tokumei.price.problem import DELETE, PriceProblem, Question
from tokumei.price.session import PriceAnswer, PriceSession
from tokumei.price.tables import SOON, candidates

Filling = Literal["nothing", "median", "dearest"]
FILLINGS: tuple[Filling, ...] = ("nothing", "median", "dearest")
Ends = tuple[float, float, float]


@dataclass(frozen=True)
class ValueInterval:
    """Unpriced words; values of original and recoding with them at 0, median and dearest.

    `same_choice`: whether the recoding is the best one at the median and at the dearest, too.
    """

    words: int
    original: Ends
    value: Ends
    same_choice: tuple[bool, bool]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "words": self.words,
            "original_value": dict(zip(FILLINGS, self.original, strict=True)),
            "value": dict(zip(FILLINGS, self.value, strict=True)),
            "same_choice": dict(zip(FILLINGS[1:], self.same_choice, strict=True)),
        }


def filled(prices: PriceList, how: Filling) -> PriceList:
    """The list with a price for every word that has none.

    `median` is that of the attribute's known prices, or of the whole list's where it has none.
    """
    known = {name: _known([words]) for name, words in prices.prices.items()}
    every = _known(list(prices.prices.values()))
    if not every:
        raise InputError("no word of the list has a price", "価格のある語が一つもありません")

    def price(name: str) -> Decimal:
        if how == "nothing":
            return Decimal()
        return max(every) if how == "dearest" else median(known[name] or every)

    found = {
        name: {word: price(name) if old is None else old for word, old in words.items()}
        for name, words in prices.prices.items()
    }
    return replace(prices, prices=found, intents={})


def value_interval(session: PriceSession, asked: PriceAnswer) -> ValueInterval:
    """What original and best answer are worth, whatever the unpriced words cost."""
    candidate, k = asked.best.candidate, asked.question.k
    lists = [filled(asked.prices, how) for how in FILLINGS]
    problems = [session.problem(one) for one in lists]
    original = [one.money(asked.question.original_worth(one)) for one in problems]
    value = [
        problem.money(sum(session.worth(candidate, k, prices=one)))
        for one, problem in zip(lists, problems, strict=True)
    ]
    single = replace(asked.question, best=1)
    best = [session.ask(single, prices=one).best.candidate for one in lists[1:]]
    return ValueInterval(
        len(asked.prices.unpriced),
        (original[0], original[1], original[2]),
        (value[0], value[1], value[2]),
        (best[0] == candidate, best[1] == candidate),
    )


def _known(words: Sequence[Any]) -> list[Decimal]:
    return [price for one in words for price in one.values() if price is not None]


@dataclass(frozen=True)
class LeftOut:
    """A pattern that was not tried, and its value in whole units."""

    attribute: str
    pattern: str
    worth: int


@dataclass(frozen=True)
class CutOffCost:
    """What was left out; `lost` if it is known, and never more than `at_most` (whole units)."""

    problem: PriceProblem = field(repr=False)
    left_out: tuple[LeftOut, ...]
    lost: int | None
    at_most: int

    def as_json(self) -> dict[str, Any]:
        """Plain data in currency."""
        money = self.problem.money
        return {
            "left_out": [
                {"attribute": one.attribute, "pattern": one.pattern, "value": money(one.worth)}
                for one in self.left_out
            ],
            "lost": None if self.lost is None else money(self.lost),
            "at_most": money(self.at_most),
        }


def cut_off_cost(session: PriceSession, asked: PriceAnswer) -> CutOffCost:
    """The cost of the question's cut-off; `lost` is None where a search without it takes long.

    With a time budget the search without the cut-off has the same budget, and proves what it can.
    """
    question, problem = asked.question, asked.problem
    free = replace(question, cut_off=0.0, best=1)
    at_most = _bound(asked, free)
    if question.seconds is None and candidates(problem) > SOON:
        return CutOffCost(problem, left_out(problem, question), None, at_most)
    lost = None
    for without in session.ask(free, prices=asked.prices).answers:
        at_most = min(at_most, without.bound - asked.best.worth)
        if asked.best.optimal and without.optimal:
            lost = without.worth - asked.best.worth
    return CutOffCost(problem, left_out(problem, question), lost, at_most)


def left_out(problem: PriceProblem, question: Question) -> tuple[LeftOut, ...]:
    """The patterns that only the cut-off forbids."""
    free = replace(question, cut_off=0.0).allowed(problem)
    found = []
    for one, places, kept in zip(problem.attributes, free, question.allowed(problem), strict=True):
        gone = [place for place in places if place not in kept]
        found += [LeftOut(one.name, one.patterns[p].name, one.worth[p]) for p in gone]
    return tuple(found)


def _bound(asked: PriceAnswer, free: Question) -> int:
    problem, worth = asked.problem, asked.best.worth
    dearest: dict[str, int] = {}
    for one in left_out(problem, asked.question):
        dearest[one.attribute] = max(dearest.get(one.attribute, 0), one.worth)
    allowed = free.allowed(problem)
    every = zip(problem.attributes, allowed, strict=True)
    most = sum(
        max((one.worth[p] for p in places if p != DELETE), default=0) for one, places in every
    )
    held = zip(problem.attributes, allowed, strict=True)
    if any(one.name in dearest and DELETE not in places for one, places in held):
        return most - worth
    return min(asked.best.bound + sum(dearest.values()), most) - worth
