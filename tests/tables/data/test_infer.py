"""First guesses at roles and kinds."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from tokumei.tables.data.column_kinds import infer_schema, kind_from_dtype
from tokumei.tables.data.schema import ColumnKind, Role

N = 300


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        # identifiers: a telling name and nearly unique values, or nearly unique text
        ("customer_id", range(N), Role.ID),
        ("ID", range(N), Role.ID),
        ("e-mail", [f"{i}@x" for i in range(N)], Role.ID),
        ("氏名", [f"人{i}" for i in range(N)], Role.ID),
        ("顧客番号", range(N), Role.ID),
        ("code", [f"c{i}" for i in range(N)], Role.ID),
        ("customer_id", [i % 50 for i in range(N)], Role.QI),  # repeats: names nobody
        ("width", range(N), Role.SA),  # `id` inside a word is no identifier
        # sensitive: numbers with many values, and all reals
        ("income", range(N), Role.SA),
        ("rate", [0.5, 1.5] * (N // 2), Role.SA),
        # quasi-identifiers: few values
        ("age", [i % 80 for i in range(N)], Role.QI),
        ("sex", ["f", "m"] * (N // 2), Role.QI),
        ("born", [dt.date(1990, 1, 1 + i % 28) for i in range(N)], Role.QI),
    ],
)
def test_roles(name: str, values: Any, role: Role) -> None:
    column = infer_schema(pl.DataFrame({name: list(values)})).columns[0]
    assert (column.name, column.role) == (name, role)
    assert column.reason.show("en")
    assert column.reason.show("ja")


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], ColumnKind.INTEGER),
        ([0.5], ColumnKind.REAL),
        ([Decimal("1.5")], ColumnKind.REAL),
        ([dt.date(2024, 1, 1)], ColumnKind.DATE),
        ([dt.datetime(2024, 1, 1)], ColumnKind.DATE),
        (["x"], ColumnKind.CATEGORY),
        ([True], ColumnKind.CATEGORY),
        ([None], ColumnKind.CATEGORY),
    ],
)
def test_kinds(values: list[Any], kind: ColumnKind) -> None:
    assert kind_from_dtype(pl.Series(values)) is kind


def test_one_row_and_no_row_have_a_schema() -> None:
    frame = pl.DataFrame({"id": [1], "x": [0.5]})
    assert infer_schema(frame).ids == []
    assert infer_schema(frame[:0]).names == ["id", "x"]
