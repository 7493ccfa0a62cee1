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
from tokumei.core.messages import Message, join_sentences

if TYPE_CHECKING:
    from tokumei.apps.price.price_days import IntentValues, PriceDay
    from tokumei.apps.price.summary_tables import SearchCost
    from tokumei.apps.price.value_bounds import CutOffCost, ValueInterval


def describe_cut_off(cost: CutOffCost, cut_off: float) -> Message:
    """Describe the patterns that a cut-off left out and the value it lost."""
    currency, money = cost.problem.currency, cost.problem.money
    if cost.lost is None:
        return Message(
            "The cut-off of {cut_off} left out {count} pattern; it costs at most {most} of value.",
            plural="The cut-off of {cut_off} left out {count:,} patterns; it costs at most {most} "
            "of value.",
            count=len(cost.left_out),
            cut_off=format_money(cut_off, currency),
            most=format_money(money(cost.at_most), currency),
        )
    return Message(
        "The cut-off of {cut_off} left out {count} pattern; without it the best recoding is worth "
        "{lost} more.",
        plural="The cut-off of {cut_off} left out {count:,} patterns; without it the best recoding "
        "is worth {lost} more.",
        count=len(cost.left_out),
        cut_off=format_money(cut_off, currency),
        lost=format_money(money(cost.lost), currency),
    )


def describe_interval(interval: ValueInterval, currency: str) -> Message:
    """Describe the range of the value if unpriced words had prices."""
    low, middle, high = (format_money(amount, currency) for amount in interval.value)
    sentence = Message(
        "With prices for the unpriced words the value lies between {low} and {high}, if none is "
        "dearer than the dearest word of the list ({middle} at each attribute's median).",
        low=low,
        high=high,
        middle=middle,
    )
    choice = Message(
        "The choice stays the best."
        if all(interval.same_choice)
        else "Another choice would then be the best."
    )
    return join_sentences([sentence, choice])


def describe_search_cost(cost: SearchCost) -> Message:
    """Describe the expected time and memory of a search."""
    return Message(
        "A search is expected to count {tables:,} tables in {seconds:.2g} CPU s and to need "
        "{megabytes:.1f} MB."
        if cost.sure
        else "A search is expected to count {tables:,} tables in {seconds:.2g} CPU s and to need "
        "{megabytes:.1f} MB; with so many recodings the proof may take much longer.",
        tables=cost.tables,
        seconds=cost.seconds,
        megabytes=cost.bytes / 1e6,
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
        Message("best for both"),
        Message("best for this alone"),
        CHOICE,
        Message("another choice"),
    )
    return TextTable(Message("Value by intent"), names, rows)


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
        Message("day", context="a column"),
        VALUE,
        RATIO,
        Message("changed"),
        Message("lost by yesterday's choice"),
        Message("by the first day's"),
    )
    return TextTable(Message("Best recoding of every day"), names, rows)
