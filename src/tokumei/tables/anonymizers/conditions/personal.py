"""People who ask for more than others: a k of their own.

    column = personal_column(frame["k"], least=2)     # a condition for every k above the least
    require_personal(released, "k")                   # before the column is dropped

A class with somebody who asks for 20 has at least 20 rows. An empty cell asks for nothing more than
the method's own k. The column itself tells who is anxious, so it is never released.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import ClaimError, InputError
from tokumei.tables.anonymizers.conditions.condition import PERSONAL, Condition
from tokumei.tables.anonymizers.conditions.guard import GuardedColumn
from tokumei.tables.data.table import Table
from tokumei.tables.registry import rules


def personal_column(asked: pl.Series, least: int) -> GuardedColumn:
    """The column with a condition for every number above what everybody has anyway."""
    values = asked.unique().sort(nulls_last=False)
    conditions = [
        Condition(PERSONAL, (place, number))
        for place, number in enumerate(whole_numbers(values))
        if number is not None and number > least
    ]
    return GuardedColumn(asked.name, values, tuple(conditions) or (_nothing(least),))


def _nothing(least: int) -> Condition:
    """What every class has anyway."""
    return Condition(PERSONAL, (0, least))


def whole_numbers(asked: pl.Series) -> list[int | None]:
    """The numbers; an InputError if one is not a whole number of at least 1."""
    numbers = asked.cast(pl.String).cast(pl.Float64, strict=False)
    wrong = asked.is_not_null() & ~((numbers >= 1) & (numbers == numbers.round())).fill_null(
        value=False
    )
    if wrong.any():
        first = asked.filter(wrong)[0]
        raise InputError(
            f"column '{asked.name}': '{first}' is not a number of people (1, 2, 3, …)",
            f"列 '{asked.name}': '{first}' は人数 (1, 2, 3, …) ではありません",
        )
    return [None if number is None else int(number) for number in numbers]


def require_personal(released: Table, column: str) -> None:
    """Fail unless everybody's class has as many rows as they ask for, counted anew by the rule."""
    params = {"columns": released.schema.qi, "personal": column}
    faults = rules.build("personal-k", params).check(released)
    if faults:
        raise ClaimError(
            "a class is smaller than somebody in it asks for",
            "求められた行数に足りないクラスがあります",
            faults=faults,
        )
