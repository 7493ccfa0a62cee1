"""Prices day by day: the best recoding of every day, and what keeping yesterday's costs.

    days = daily_optima(session, read_price_days("prices/"), Question(k=5))
    [day.date for day in days if day.changed]
    sum(day.regret or 0 for day in days)

Whether a recoding is k-anonymous does not depend on prices, so yesterday's choice may always be
kept; its regret is the value that today's best recoding is worth more.
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
