"""Decisions about ambiguous dates: day–month order and two-digit years."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokumei.core.errors import ClaimError, UnknownNameError, UsageError, Violation
from tokumei.core.fields import field_name, field_value
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DATE_ORDERS, DatePreferences
from tokumei.tables.profiling.profile import ColumnProfile

DATE_ORDER_OPTION, TWO_DIGIT_YEARS_OPTION = "date-order", "two-digit-years"
"""The names of the answers in a side file."""
_ORDER_FIELD, _YEARS_FIELD = "date_order", "two_digit_years"


def parse_date_decisions(order: str | None = None, years: int | None = None) -> DatePreferences:
    """The answers, if they are some."""
    if order not in (None, "", *DATE_ORDERS):
        what = Message("order of days", "日付の順序")
        raise UnknownNameError(what, str(order), DATE_ORDERS, field=_ORDER_FIELD)
    if years is not None and not 0 <= years <= 99:
        raise UsageError(
            f"{field_name(_YEARS_FIELD)} is a number from 0 to 99: {years}",
            f"{field_name(_YEARS_FIELD)} は 0 から 99 までの数です ({years})",
            field=_YEARS_FIELD,
            value=years,
        )
    return DatePreferences(order or "", years)


def date_answers(decisions: DatePreferences) -> dict[str, Any]:
    """The answers as plain data, for side files and manifests; what was not said is left out."""
    answers = {DATE_ORDER_OPTION: decisions.order or None, TWO_DIGIT_YEARS_OPTION: decisions.latest}
    return {name: answer for name, answer in answers.items() if answer is not None}


def read_date_answers(content: Any) -> DatePreferences:
    """The answers that were written down."""
    answers: Mapping[str, Any] = content if isinstance(content, Mapping) else {}
    return parse_date_decisions(answers.get(DATE_ORDER_OPTION), answers.get(TWO_DIGIT_YEARS_OPTION))


def is_date_ambiguous(column: ColumnProfile) -> bool:
    """Whether nobody can tell which number of a cell is the day and which the month."""
    return column.kind == "date" and column.style.undecided and bool(column.normalizations)


def require_unambiguous_dates(columns: list[ColumnProfile]) -> None:
    """Fail on columns whose days can be read in two ways."""
    violations, answer = [], field_value(_ORDER_FIELD, "dmy")
    for name in (column.name for column in columns if is_date_ambiguous(column)):
        message = Message(
            f"'{name}': is 3/4 the 3rd of April or the 4th of March? No cell decides it; "
            f"say {answer} or mdy (or ymd), or drop the column",
            f"列 '{name}': 3/4 は 3 月 4 日ですか、4 月 3 日ですか? 決め手になるセルが"
            f"ありません。{answer} か mdy (または ymd) を指定するか、列を除いてください",
        )
        violations.append(Violation(rule="unanswered", column=name, message=message))
    if violations:
        summary = Message("days can be read in two ways", "日付の読み方が一通りに決まりません")
        raise ClaimError(*summary, faults=violations)


def two_digit_year_message(column: ColumnProfile) -> Message | None:
    """How years of two digits are read, if the column has any."""
    if column.kind != "date" or not column.style.two_digits:
        return None
    last_year, changed = column.style.latest, field_value(_YEARS_FIELD, "N")
    if last_year >= 99:
        return Message(
            f"{column.name}: years of two digits are read as 20xx ({changed} changes it)",
            f"{column.name}: 2 桁の年は 20xx 年と読みます ({changed} で変更)",
        )
    return Message(
        f"{column.name}: years 00 to {last_year:02} are read as 20xx, {last_year + 1:02} to 99 "
        f"as 19xx "
        f"({changed} changes it)",
        f"{column.name}: 年 00〜{last_year:02} は 20xx 年、{last_year + 1:02}〜99 は 19xx 年と読"
        f"みます "
        f"({changed} で変更)",
    )
