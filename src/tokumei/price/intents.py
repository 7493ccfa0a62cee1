"""Words that people look for because they want to be it ('will'), or because they are it ('be').

    found = by_intent(session, Question(k=5))
    found.lines[0].own_value, found.lines[0].same_choice

A price list may say of every price for which intent it is bid (column `intent`). The values for
all intents add up to the whole value. An advertiser who wants one kind of people only has another
optimum, perhaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.core.errors import InputError
from tokumei.price.problem import Question
from tokumei.price.session import PriceAnswer, PriceSession


@dataclass(frozen=True)
class IntentLine:
    """One intent: the value of the original and of the best recoding for all, and its own best."""

    intent: str
    original_value: float
    value: float
    own_value: float
    own_choice: dict[str, str]
    same_choice: bool

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "intent": self.intent or None}


@dataclass(frozen=True)
class Intents:
    """The best recoding for all intents together, and a line for each."""

    both: PriceAnswer
    lines: tuple[IntentLine, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"both": self.both.as_json(), "intents": [line.as_json() for line in self.lines]}


def by_intent(session: PriceSession, question: Question) -> Intents:
    """The optimum for all intents, and for each alone."""
    intents = session.prices.told_intents()
    if not intents:
        raise InputError(
            "the price list has no column 'intent' with will or be",
            "価格表に列 intent (will か be) がありません",
        )
    both = session.ask(question)
    return Intents(both, tuple(_line(session, both, intent) for intent in intents))


def _line(session: PriceSession, both: PriceAnswer, intent: str) -> IntentLine:
    prices, question = session.prices.under(intent), both.question
    own = session.ask(question, prices=prices)
    told = own.as_json()
    shared = session.worth(both.best.candidate, question.k, prices=prices)
    return IntentLine(
        intent,
        told["original_value"],
        own.problem.money(sum(shared)),
        told["value"],
        told["choice"],
        own.best.candidate == both.best.candidate,
    )
