"""What the owner says of days that no cell decides: their order, and years of two digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokumei.core.errors import ClaimError, Fault, UnknownNameError, UsageError
from tokumei.core.fields import field_name, field_value
from tokumei.core.text import Text
from tokumei.core.written.dates import ORDERS, Days
from tokumei.tables.look.result import LookColumn

ORDER, YEARS = "date-order", "two-digit-years"
"""The names of the answers in a side file."""
_ORDER_FIELD, _YEARS_FIELD = "date_order", "two_digit_years"


def said_of_days(order: str | None = None, years: int | None = None) -> Days:
    """The answers, if they are some."""
    if order not in (None, "", *ORDERS):
        what = Text("order of days", "日付の順序")
        raise UnknownNameError(what, str(order), ORDERS, field=_ORDER_FIELD)
    if years is not None and not 0 <= years <= 99:
        raise UsageError(
            f"{field_name(_YEARS_FIELD)} is a number from 0 to 99: {years}",
            f"{field_name(_YEARS_FIELD)} は 0 から 99 までの数です ({years})",
            field=_YEARS_FIELD,
            value=years,
        )
    return Days(order or "", years)


def answers_of(said: Days) -> dict[str, Any]:
    """The answers as plain data, for side files and manifests; what was not said is left out."""
    found = {ORDER: said.order or None, YEARS: said.latest}
    return {name: answer for name, answer in found.items() if answer is not None}


def answered(content: Any) -> Days:
    """The answers that were written down."""
    told: Mapping[str, Any] = content if isinstance(content, Mapping) else {}
    return said_of_days(told.get(ORDER), told.get(YEARS))


def is_open(column: LookColumn) -> bool:
    """Whether nobody can tell which number of a cell is the day and which the month."""
    return column.kind == "date" and column.style.undecided and bool(column.normalizations)


def require_decided(columns: list[LookColumn]) -> None:
    """Fail on columns whose days can be read in two ways."""
    faults, answer = [], field_value(_ORDER_FIELD, "dmy")
    for name in (column.name for column in columns if is_open(column)):
        message = Text(
            f"'{name}': is 3/4 the 3rd of April or the 4th of March? No cell decides it; "
            f"say {answer} or mdy (or ymd), or drop the column",
            f"列 '{name}': 3/4 は 3 月 4 日ですか、4 月 3 日ですか? 決め手になるセルが"
            f"ありません。{answer} か mdy (または ymd) を指定するか、列を除いてください",
        )
        faults.append(Fault(rule="unanswered", column=name, message=message))
    if faults:
        said = Text("days can be read in two ways", "日付の読み方が一通りに決まりません")
        raise ClaimError(*said, faults=faults)


def year_note(column: LookColumn) -> Text | None:
    """How years of two digits are read, if the column has any."""
    if column.kind != "date" or not column.style.two_digits:
        return None
    last, changed = column.style.latest, field_value(_YEARS_FIELD, "N")
    if last >= 99:
        return Text(
            f"{column.name}: years of two digits are read as 20xx ({changed} changes it)",
            f"{column.name}: 2 桁の年は 20xx 年と読みます ({changed} で変更)",
        )
    return Text(
        f"{column.name}: years 00 to {last:02} are read as 20xx, {last + 1:02} to 99 as 19xx "
        f"({changed} changes it)",
        f"{column.name}: 年 00〜{last:02} は 20xx 年、{last + 1:02}〜99 は 19xx 年と読みます "
        f"({changed} で変更)",
    )
