"""What a released history is still good for, in sentences with a light.

The limits are conventions: 80 % and 60 % of customers (or items) where they belong, and monthly
sales 10 % and 30 % off. What blind guessing reaches as well is poor.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tokumei.core.figures import percent
from tokumei.core.levels import Level, Limits
from tokumei.core.score import Score
from tokumei.core.text import Text
from tokumei.histories.study import HistoryStudy

Words = Callable[[Score], Text]
SHARES = Limits(0.8, 0.6, more_is_better=True)
ERRORS = Limits(0.1, 0.3)


@dataclass(frozen=True)
class Use:
    """A question a user of the data may ask, and how well the release answers it."""

    value: str
    level: Level
    question: Text
    words: Text


def uses_of(study: HistoryStudy) -> list[Use]:
    """The known uses, in the order of `_WORDS`."""
    found = []
    for name, (limits, question, words) in _WORDS.items():
        score = study.scores.get(name)
        if score is None or not math.isfinite(score.value):
            continue
        found.append(Use(percent(score.value), _level(score, limits), question, words(score)))
    return found


def _level(score: Score, limits: Limits) -> Level:
    """By the limits; what blind guessing reaches as well is poor in any case."""
    sign = 1 if limits.more_is_better else -1
    if score.baseline is not None and sign * score.value <= sign * score.baseline:
        return Level.BAD
    return limits.level(score.value)


def _customers(score: Score) -> Text:
    return Text(
        "of the customers still have at least one row.", "の顧客に、少なくとも 1 行が残っています。"
    )


def _segment(en: str, ja: str) -> tuple[Limits, Text, Words]:
    def words(score: Score) -> Text:
        chance = percent(score.baseline or 0.0)
        return Text(
            f"of the customers are in the right fifth by {en} (by chance {chance}).",
            f"の顧客が、{ja}の正しい五分位に入ります (偶然なら {chance})。",
        )

    return SHARES, Text(en.capitalize(), ja), words


def _items(score: Score) -> Text:
    return Text(
        f"of the {score.sample} best-sold items are still found among the best.",
        f"— 売れ筋上位 {score.sample} 商品のうち、加工後も上位に入るものの割合です。",
    )


def _shape(score: Score) -> Text:
    flat = percent(score.baseline or 0.0)
    return Text(
        f"of the sales stand in the wrong month (a flat line: {flat}).",
        f"の売上が別の月に入っています (横一線なら {flat})。",
    )


def _sales(score: Score) -> Text:
    return Text(
        "is how far the monthly curve is off, relative to all sales.",
        "— 月別の売上のずれの、全売上に対する割合です。",
    )


_WORDS: dict[str, tuple[Limits, Text, Words]] = {
    "customers_kept": (SHARES, Text("Customers", "顧客"), _customers),
    "rfm_recency": _segment("last purchase", "最終購買日"),
    "rfm_frequency": _segment("number of purchases", "購買回数"),
    "rfm_monetary": _segment("money spent", "購買金額"),
    "top_items": (SHARES, Text("Best sellers", "売れ筋商品"), _items),
    "monthly_shape": (ERRORS, Text("Course of the year", "年間の推移"), _shape),
    "monthly_sales": (ERRORS, Text("Monthly sales", "月別売上"), _sales),
}
