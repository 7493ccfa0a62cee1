"""Messages of the price commands about costs, bounds, days and intents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokumei.apps.cli.price.text_tables import (
    BEFORE,
    CHOICE,
    RATIO,
    TOTAL,
    VALUE,
    format_choice,
    format_money,
    format_share,
)
from tokumei.core.command import TextTable
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.apps.price.price_days import IntentValues, PriceDay
    from tokumei.apps.price.summary_tables import SearchCost
    from tokumei.apps.price.value_bounds import CutOffCost, ValueInterval


def describe_cut_off(cost: CutOffCost, cut_off: float) -> Message:
    """Describe the patterns that a cut-off left out and the value it lost."""
    currency, money = cost.problem.currency, cost.problem.money
    least, most = format_money(cut_off, currency), format_money(money(cost.at_most), currency)
    count = len(cost.left_out)
    en = f"The cut-off of {least} left out {count} patterns; "
    ja = f"下限 {least} により {count} 個のパターンを省きました。"
    if cost.lost is None:
        return Message(
            f"{en}it costs at most {most} of value.",
            f"{ja}それによる価値の損失は最大 {most} です。",
        )
    lost = format_money(money(cost.lost), currency)
    return Message(
        f"{en}without it the best recoding is worth {lost} more.",
        f"{ja}下限がなければ、最適な加工の価値は {lost} 高くなります。",
    )


def describe_interval(interval: ValueInterval, currency: str) -> Message:
    """Describe the range of the value if unpriced words had prices."""
    low, middle, high = (format_money(amount, currency) for amount in interval.value)
    choice_is_stable = all(interval.same_choice)
    en = (
        "the choice stays the best" if choice_is_stable else "then another choice would be the best"
    )
    ja = "最適な選択は変わりません" if choice_is_stable else "その場合、最適な選択は変わります"
    return Message(
        f"With prices for the unpriced words the value lies between {low} and {high}, if none is "
        f"dearer than the dearest word of the list ({middle} at each attribute's median); {en}.",
        f"価格のない語に価格を付けると、価値は {low} から {high} の間です (表で最も高い語を超えない"
        f"場合。属性ごとの中央値なら {middle})。{ja}。",
    )


def describe_search_cost(cost: SearchCost) -> Message:
    """Describe the expected time and memory of a search."""
    en = "" if cost.sure else "; with so many recodings the proof may take much longer"
    ja = "" if cost.sure else "。候補が多いため、証明にはさらに時間がかかることがあります"
    return Message(
        f"A search is expected to count {cost.tables:,} tables in {cost.seconds:.2g} CPU s and to "
        f"need {cost.bytes / 1e6:.1f} MB{en}",
        f"探索の見込み: {cost.tables:,} 個の表を数え、CPU {cost.seconds:.2g} 秒、"
        f"{cost.bytes / 1e6:.1f} MB{ja}",
    )


def intents_table(intents: IntentValues) -> TextTable:
    """The value for each intent and for both."""
    both = intents.both.as_json()
    rows = [
        [
            line.intent or "–",
            *(
                format_money(amount, both["currency"])
                for amount in (line.original_value, line.value, line.own_value)
            ),
            format_choice(line.own_choice),
            "" if line.same_choice else "●",
        ]
        for line in intents.lines
    ]
    total_amounts = [
        format_money(amount, both["currency"])
        for amount in (both["original_value"], both["value"], both["value"])
    ]
    rows.append([TOTAL.show(), *total_amounts, format_choice(both["choice"]), ""])
    names = (
        "intent",
        BEFORE,
        Message("best for both", "両方で最適"),
        Message("best for this alone", "単独で最適"),
        CHOICE,
        Message("another choice", "選択が異なる"),
    )
    return TextTable(Message("Value by intent", "intent ごとの価値"), names, rows)


def days_table(days: Sequence[PriceDay]) -> TextTable:
    """The best recoding of every day, and what keeping an older one costs."""
    currency = days[0].answer.problem.currency
    rows = [
        [
            day.date,
            format_money(day.value, currency),
            format_share(day.answer.as_json()["ratio"]),
            ", ".join(f"{name}: {old} → {new}" for name, (old, new) in day.changed.items()),
            *(
                "–" if amount is None else format_money(amount, currency)
                for amount in (day.regret, day.first_regret)
            ),
        ]
        for day in days
    ]
    names = (
        Message("day", "日付"),
        VALUE,
        RATIO,
        Message("changed", "変わった選択"),
        Message("lost by yesterday's choice", "前日の選択による損失"),
        Message("by the first day's", "初日の選択による損失"),
    )
    return TextTable(Message("Best recoding of every day", "日ごとの最適な加工"), names, rows)
