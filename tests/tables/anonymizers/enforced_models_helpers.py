"""What the tests split from test_enforced_models share."""

from __future__ import annotations

from typing import Any

from support.privacy_reference import Model, SmallTable
from tokumei.tables.data.table import Table


def seen(table: Table) -> SmallTable:
    return SmallTable(list(table.frame.select("a", "b", "s").iter_rows()))


def asked(model: Model) -> str:
    return f"{model.name}=" + ",".join(repr(number) for number in (model.limit, *model.extra))


def counts_of(rows: list[tuple[Any, ...]], values: list[int]) -> list[int]:
    return [sum(row[2] == value for row in rows) for value in values]


def holds(rows: list[tuple[Any, ...]], model: Model, whole: SmallTable) -> bool:
    return len(rows) >= 2 and model.fulfilled(counts_of(rows, whole.values), whole)
