"""Rules by which cells are read, and the owner's decisions about ambiguous dates.

Every normalization rule has a name, a count and a switch.
They are applied where cells are compared, generalized or measured; the cells of a file stay as
they came. `--no-normalize RULE` switches one off, `all` every one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

import polars as pl

from tokumei.core.errors import ClaimError, UnknownNameError, UsageError, Violation
from tokumei.core.fields import field_name, field_value
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DATE_ORDERS, DatePreferences, DateStyle
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.profile import ColumnProfile

DATE_ORDER_OPTION, TWO_DIGIT_YEARS_OPTION = "date-order", "two-digit-years"
"""The names of the answers in a side file."""
_ORDER_FIELD, _YEARS_FIELD = "date_order", "two_digit_years"
NORMALIZATION_RULES = {
    "nfkc": Message("full-width and half-width forms unified"),
    "thousands": Message("thousands separators removed"),
    "decimal-comma": Message("decimal commas read as points"),
    "currency": Message("currency signs removed"),
    "unit": Message("units removed"),
    "negative": Message("▲, △ and brackets read as minus"),
    "integer-as-float": Message("3.0 read as 3"),
    "missing": Message("marks of missing values read as missing"),
    "era": Message("Japanese eras read as years"),
    "date": Message("dates in other forms read as dates"),
    "postal": Message("postal codes written in one form"),
    "phone": Message("telephone numbers compared by digits"),
    "excel-serial": Message("Excel day numbers read as dates"),
    "bom": Message("byte order mark skipped"),
    "title-rows": Message("title lines skipped"),
    "total-row": Message("total and remark lines skipped"),
}
"""What every rule does."""


def parse_disabled_rules(names: Iterable[str]) -> frozenset[str]:
    """The rules that are off, `all` meaning every one; fails on a name that is none."""
    rule_names = [name for name in names if name]
    for name in rule_names:
        if name != "all" and name not in NORMALIZATION_RULES:
            raise UnknownNameError(Message("rule"), name, ["all", *NORMALIZATION_RULES])
    return frozenset(NORMALIZATION_RULES) if "all" in rule_names else frozenset(rule_names)


def count_normalizations(
    cells: ColumnCells, kind: str, type: str, style: DateStyle
) -> dict[str, int]:
    """How many cells of a column each rule would touch; rules that touch none are left out."""
    cell_masks: dict[str, pl.Series] = {}
    if "nfkc" not in cells.off:
        cell_masks["nfkc"] = cells.raw != cells.text
    if "missing" not in cells.off:
        cell_masks["missing"] = cells.missing & (cells.text != "")
    counts = {rule: int(cells.counts.filter(mask).sum()) for rule, mask in cell_masks.items()}
    for rule, mask in _touched_cells(cells, kind, type, style).items():
        counts[rule] = int(cells.weights.filter(mask).sum())
    return {rule: counts[rule] for rule in NORMALIZATION_RULES if counts.get(rule)}


def _touched_cells(
    cells: ColumnCells, kind: str, type: str, style: DateStyle
) -> Mapping[str, pl.Series]:
    """Which filled cells each rule touches."""
    if kind == "numeric":
        return cells.numbers.touched
    if kind == "date":
        parse_rules = cells.days(style)["rule"]
        return {rule: parse_rules == rule for rule in ("era", "date", "excel-serial")}
    if type == "postal" and "postal" not in cells.off:
        is_standard = cells.filled.str.contains(r"^\d{3}-\d{4}$")
        return {
            "postal": ~is_standard & cells.filled.str.contains(r"^〒?\d{1,3}-?\d{1,4}$|^\d{5,7}$")
        }
    if type == "phone" and "phone" not in cells.off:
        return {"phone": ~cells.filled.str.contains(r"^\d+$")}
    return {}


def parse_date_decisions(order: str | None = None, years: int | None = None) -> DatePreferences:
    """The answers, if they are some."""
    if order not in (None, "", *DATE_ORDERS):
        what = Message("order of days")
        raise UnknownNameError(what, str(order), DATE_ORDERS, field=_ORDER_FIELD)
    if years is not None and not 0 <= years <= 99:
        raise UsageError(
            "{option} is a number from 0 to 99, not {years}",
            field=_YEARS_FIELD,
            value=years,
            option=field_name(_YEARS_FIELD),
            years=years,
        )
    return DatePreferences(order or "", years)


def date_answers(decisions: DatePreferences) -> dict[str, object]:
    """The answers as plain data, for side files and manifests; what was not said is left out."""
    answers = {DATE_ORDER_OPTION: decisions.order or None, TWO_DIGIT_YEARS_OPTION: decisions.latest}
    return {name: answer for name, answer in answers.items() if answer is not None}


def read_date_answers(content: object) -> DatePreferences:
    """The answers that were written down."""
    answers: Mapping[str, object] = content if isinstance(content, Mapping) else {}
    order, years = answers.get(DATE_ORDER_OPTION), answers.get(TWO_DIGIT_YEARS_OPTION)
    return parse_date_decisions(cast("str | None", order), cast("int | None", years))


def is_date_ambiguous(column: ColumnProfile) -> bool:
    """Whether nobody can tell which number of a cell is the day and which the month."""
    return column.kind == "date" and column.style.undecided and bool(column.normalizations)


def require_unambiguous_dates(columns: list[ColumnProfile]) -> None:
    """Fail on columns whose days can be read in two ways."""
    violations, answer = [], field_value(_ORDER_FIELD, "dmy")
    for name in (column.name for column in columns if is_date_ambiguous(column)):
        message = Message(
            "'{column}': is 3/4 the 3rd of April or the 4th of March? No cell decides it; say "
            "{answer} or mdy (or ymd), or drop the column",
            column=name,
            answer=answer,
        )
        violations.append(Violation(rule="unanswered", column=name, message=message))
    if violations:
        raise ClaimError("some dates can be read in two ways", faults=violations)


def two_digit_year_message(column: ColumnProfile) -> Message | None:
    """How years of two digits are read, if the column has any."""
    if column.kind != "date" or not column.style.two_digits:
        return None
    last_year, option = column.style.latest, field_value(_YEARS_FIELD, "N")
    if last_year >= 99:
        return Message(
            "{column}: years of two digits are read as 20xx ({option} changes it)",
            column=column.name,
            option=option,
        )
    return Message(
        "{column}: years 00 to {last:02} are read as 20xx, {next:02} to 99 as 19xx ({option} "
        "changes it)",
        column=column.name,
        last=last_year,
        next=last_year + 1,
        option=option,
    )
