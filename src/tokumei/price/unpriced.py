"""What a value may be when some words have no price: an interval instead of a silent 0.

    found = value_interval(session, session.ask(Question(k=5)))
    found.value            # (at 0, at the attribute's median, at the list's dearest price)

The lower end is safe, as no price is negative. The upper end holds unless an unpriced word costs
more than the dearest word of the whole list. The median of an attribute's known prices is a guess
in the middle, not a bound: half of all words cost more than their median.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import median
from typing import Any, Literal

from tokumei.core.errors import InputError
from tokumei.price.dictionary import PriceList
from tokumei.price.problem import Question
from tokumei.price.session import PriceAnswer, PriceSession

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
    best = [_best(session, asked.question, one) for one in lists[1:]]
    return ValueInterval(
        len(asked.prices.unpriced),
        (original[0], original[1], original[2]),
        (value[0], value[1], value[2]),
        (best[0] == candidate, best[1] == candidate),
    )


def _best(session: PriceSession, question: Question, prices: PriceList) -> object:
    return session.ask(replace(question, best=1), prices=prices).best.candidate


def _known(words: Sequence[Any]) -> list[Decimal]:
    return [price for one in words for price in one.values() if price is not None]
