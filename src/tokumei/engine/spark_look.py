"""A first look at a table on a cluster: one pass that counts and decides types of text columns.

    look = look_at(table, ["age", "sex"], numbers=["income"])
    look.rows, look.tuples              # exact, and about

The types are those of `data/files/column_types.py`, decided by all cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokumei.engine.spark import PRECISION, tuple_key
from tokumei.engine.spark_files import SparkTable, quoted
from tokumei.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.text import Text

if TYPE_CHECKING:
    from pyspark.sql import Column

WHOLE = r"^-?(0|[1-9][0-9]*)$"
REAL = r"^[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
DAY = r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"


@dataclass(frozen=True)
class Look:
    """How many rows, about how many tuples, and the Spark type of each text column asked for."""

    rows: int
    tuples: int
    types: dict[str, str] = field(default_factory=dict)
    distinct: dict[str, int] = field(default_factory=dict)
    """About how many values each column that was asked for has."""


def look_at(
    table: SparkTable,
    columns: Sequence[str],
    *,
    numbers: Sequence[str] = (),
    types: Sequence[str] = (),
    distinct: Sequence[str] = (),
) -> Look:
    """Count; fail unless every cell of `numbers` is a finite number; find the `types` of text."""
    from pyspark.sql import functions as f

    asked = types if table.is_text else ()
    wanted = [f.count("*"), f.approx_count_distinct(tuple_key(columns), PRECISION)]
    wanted += [f.count_if(~_is_finite(name)) for name in numbers]
    wanted += [f.approx_count_distinct(quoted(name), PRECISION) for name in distinct]
    wanted += [one for name in asked for one in _breaks(name)]
    found = table.frame.agg(*wanted).head()
    assert found is not None
    rows, tuples, *rest = (int(number) for number in found)
    bad, rest = rest[: len(numbers)], rest[len(numbers) :]
    _require_finite(table, numbers, bad)
    values, flags = rest[: len(distinct)], rest[len(distinct) :]
    each = len(flags) // len(asked) if asked else 0
    kinds = {name: _kind(flags[j * each : (j + 1) * each]) for j, name in enumerate(asked)}
    return Look(rows, tuples, kinds, dict(zip(distinct, values, strict=True)))


def with_types(table: SparkTable, types: dict[str, str]) -> SparkTable:
    """The table with these columns cast."""
    casts = {name: quoted(name).cast(kind) for name, kind in types.items() if kind != "string"}
    return table.with_frame(table.frame.withColumns(casts)) if casts else table


def _breaks(name: str) -> list[Column]:
    """How many cells there are, and how many break the rule of each type."""
    from pyspark.sql import functions as f

    cell = quoted(name)
    whole, double = cell.rlike(WHOLE), cell.try_cast("double")
    rules = [
        whole & cell.try_cast("bigint").isNotNull(),
        cell.rlike(REAL) & (f.abs(double) < f.lit(float("inf"))),
        whole,
        cell.rlike(DAY) & cell.try_cast("date").isNotNull(),
    ]
    return [f.count(cell), *(f.count_if(cell.isNotNull() & ~rule) for rule in rules)]


def _kind(flags: Sequence[int]) -> str:
    cells, not_whole, not_real, not_digits, not_day = flags
    if not cells:
        return "string"
    if not not_whole:
        return "bigint"
    # Whole numbers too long for 64 bits would lose digits as reals.
    if not not_real and not_digits:
        return "double"
    return "string" if not_day else "date"


def _is_finite(name: str) -> Column:
    from pyspark.sql import functions as f

    cell = quoted(name).cast("string")
    finite = f.abs(cell.try_cast("double")) < f.lit(float("inf"))
    return f.coalesce(cell.rlike(NUMBER) & finite, f.lit(False))


def _require_finite(table: SparkTable, names: Sequence[str], bad: Sequence[int]) -> None:
    if not any(bad):
        return
    faults = []
    for name in names:
        found = table.frame.where(~_is_finite(name)).select(quoted(name)).limit(FAULTS_SHOWN)
        faults += [_fault(name, row[0]) for row in found.collect()]
    place = f"{table.where}: " if table.where else ""
    raise InputError(
        Text(
            f"{place}sensitive columns must hold finite numbers",
            f"{place}機密属性は有限の数値でなければなりません",
        ),
        faults=faults,
        total=sum(bad),
    )


def _fault(name: str, cell: object) -> Fault:
    shown = "" if cell is None else cell
    message = Text(
        f"column '{name}': '{shown}' is not a finite number",
        f"列 '{name}': '{shown}' は有限の数値ではありません",
    )
    return Fault(rule="number", column=name, message=message)
