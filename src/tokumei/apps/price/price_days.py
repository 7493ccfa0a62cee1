"""Finds the best recoding for other prices of the same people: by day and by intent.

    days = daily_optima(session, read_price_days("prices/"), Question(k=5))
    sum(day.regret or 0 for day in days)
    values = by_intent(session, Question(k=5))
    values.lines[0].own_value, values.lines[0].same_choice

Whether a recoding is k-anonymous does not depend on prices, so yesterday's choice may always be
kept; its regret is the value that today's best recoding is worth more.

A price list may say of every price for which intent it is bid (column `intent`): people look for a
word because they want to be it ('will'), or because they are it ('be'). The values for all intents
add up to the whole value. An advertiser who wants one kind of people only has another optimum,
perhaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.apps.price.value_curves import changed_patterns, require_one_currency, value_if_kept
from tokumei.core.errors import InputError
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.files.file_formats import AnyPath


@dataclass(frozen=True)
class PriceDay:
    """A day: its best recoding, what changed since yesterday, and the value of not changing.

    `value_if_kept` and `first_value` are yesterday's and the first day's choice at today's prices;
    None where today's list lacks a pattern of that choice.
    """

    date: str
    answer: PriceAnswer
    changed: dict[str, tuple[str, str]]
    kept_value: float | None
    first_value: float | None

    @property
    def value(self) -> float:
        """Of the best recoding."""
        return self.answer.problem.money(self.answer.best.worth)

    @property
    def regret(self) -> float | None:
        """The value lost by keeping yesterday's choice."""
        return None if self.kept_value is None else self.value - self.kept_value

    @property
    def first_regret(self) -> float | None:
        """The value lost by keeping the first day's choice."""
        return None if self.first_value is None else self.value - self.first_value

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        record = self.answer.as_json()
        return {
            "date": self.date,
            "value": record["value"],
            "original_value": record["original_value"],
            "ratio": record["ratio"],
            "choice": record["choice"],
            "k": record["k"],
            "optimal": record["optimal"],
            "changed": {name: list(pair) for name, pair in self.changed.items()},
            "regret": self.regret,
            "first_regret": self.first_regret,
            "prices": record["prices"],
        }


def read_price_days(
    folder: AnyPath, *, currency: str | None = None, encoding: str = "auto"
) -> list[PriceList]:
    """The price lists (.csv) of a folder by date; every one needs a date of its own."""
    paths = sorted(Path(folder).glob("*.csv"))
    lists = [PriceList.read(path, currency=currency, encoding=encoding) for path in paths]
    if not lists:
        raise InputError("{folder}: no price lists (.csv) are there", folder=folder)
    paths_by_date: dict[str, Path] = {}
    for path, price_list in zip(paths, lists, strict=True):
        if price_list.date is None:
            raise InputError(
                "{path}: no date; put it in the file's name (prices_2026-11-16.csv) or a column",
                path=path,
            )
        if paths_by_date.setdefault(price_list.date, path) != path:
            raise InputError(
                "{path}: has the same date as {other} ({date})",
                path=path,
                other=paths_by_date[price_list.date],
                date=price_list.date,
            )
    return sorted(lists, key=lambda price_list_of_day: price_list_of_day.date or "")


def daily_optima(
    session: PriceSession, lists: Sequence[PriceList], question: Question
) -> list[PriceDay]:
    """The best recoding of every day in the order given."""
    days: list[PriceDay] = []
    for prices in track_progress(list(lists), Message("days")):
        require_one_currency(lists[0], prices)
        today = session.ask(question, prices=prices)
        before = days[-1].answer if days else today
        first = days[0].answer if days else today
        days.append(
            PriceDay(
                prices.date or "",
                today,
                changed_patterns(before, today),
                value_if_kept(session, before, today),
                value_if_kept(session, first, today),
            )
        )
    return days


@dataclass(frozen=True)
class IntentValue:
    """One intent: the value of the original and of the best recoding for all, and its own best."""

    intent: str
    original_value: float
    value: float
    own_value: float
    own_choice: dict[str, str]
    same_choice: bool

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {**vars(self), "intent": self.intent or None}


@dataclass(frozen=True)
class IntentValues:
    """The best recoding for all intents together, and a line for each."""

    both: PriceAnswer
    lines: tuple[IntentValue, ...]

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"both": self.both.as_json(), "intents": [line.as_json() for line in self.lines]}


def by_intent(session: PriceSession, question: Question) -> IntentValues:
    """The optimum for all intents, and for each alone."""
    intents = session.prices.known_intents()
    if not intents:
        raise InputError("the price list has no column 'intent' with will or be")
    both = session.ask(question)
    return IntentValues(both, tuple(_value_intent(session, both, intent) for intent in intents))


def _value_intent(session: PriceSession, both: PriceAnswer, intent: str) -> IntentValue:
    prices, question = session.prices.under(intent), both.question
    own_answer = session.ask(question, prices=prices)
    own_json = own_answer.as_json()
    shared_worth = session.worth(both.best.candidate, question.k, prices=prices)
    return IntentValue(
        intent,
        own_json["original_value"],
        own_answer.problem.money(sum(shared_worth)),
        own_json["value"],
        own_json["choice"],
        own_answer.best.candidate == both.best.candidate,
    )
