"""The best recoding under other prices of the same people: day by day, and for each intent.

    days = daily_optima(session, read_price_days("prices/"), Question(k=5))
    sum(day.regret or 0 for day in days)
    found = by_intent(session, Question(k=5))
    found.lines[0].own_value, found.lines[0].same_choice

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
from typing import Any

from tokumei.core.errors import InputError
from tokumei.core.progress import track
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath
from tokumei.price.curve import changed_patterns, kept_value, require_one_currency
from tokumei.price.dictionary import PriceList
from tokumei.price.problem import Question
from tokumei.price.session import PriceAnswer, PriceSession


@dataclass(frozen=True)
class PriceDay:
    """A day: its best recoding, what changed since yesterday, and the value of not changing.

    `kept_value` and `first_value` are yesterday's and the first day's choice at today's prices;
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

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        told = self.answer.as_json()
        return {
            "date": self.date,
            **{name: told[name] for name in ("value", "original_value", "ratio", "choice", "k")},
            "optimal": told["optimal"],
            "changed": {name: list(pair) for name, pair in self.changed.items()},
            "regret": self.regret,
            "first_regret": self.first_regret,
            "prices": told["prices"],
        }


def read_price_days(
    folder: AnyPath, *, currency: str | None = None, encoding: str = "auto"
) -> list[PriceList]:
    """The price lists (.csv) of a folder by date; every one needs a date of its own."""
    paths = sorted(Path(folder).glob("*.csv"))
    lists = [PriceList.read(path, currency=currency, encoding=encoding) for path in paths]
    if not lists:
        raise InputError(
            f"{folder}: no price lists (.csv) are there", f"{folder}: 価格表 (.csv) がありません"
        )
    seen: dict[str, Path] = {}
    for path, found in zip(paths, lists, strict=True):
        if found.date is None:
            raise InputError(
                f"{path}: no date; put it in the file's name (prices_2026-11-16.csv) or a column",
                f"{path}: 日付がありません。ファイル名 (prices_2026-11-16.csv) か"
                "列で示してください",
            )
        if seen.setdefault(found.date, path) != path:
            raise InputError(
                f"{path}: has the same date as {seen[found.date]} ({found.date})",
                f"{path}: {seen[found.date]} と同じ日付です ({found.date})",
            )
    return sorted(lists, key=lambda one: one.date or "")


def daily_optima(
    session: PriceSession, lists: Sequence[PriceList], question: Question
) -> list[PriceDay]:
    """The best recoding of every day in the order given."""
    days: list[PriceDay] = []
    for prices in track(list(lists), Text("days", "日")):
        require_one_currency(lists[0], prices)
        today = session.ask(question, prices=prices)
        before = days[-1].answer if days else today
        first = days[0].answer if days else today
        days.append(
            PriceDay(
                prices.date or "",
                today,
                changed_patterns(before, today),
                kept_value(session, before, today),
                kept_value(session, first, today),
            )
        )
    return days


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
