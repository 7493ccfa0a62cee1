"""Parameters of the privacy rules: plain data in claims, and what would prove nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tables.verification.privacy_parameters_helpers import GOOD, TREE, build
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.tables.data.table import Table
from tokumei.tables.verification.t_closeness import TCloseness


def table(*cells: Any) -> Table:
    return Table.of(pl.DataFrame({"a": [1] * len(cells), "s": list(cells)}), qi=["a"], sa=["s"])


@pytest.mark.parametrize(("kind", "params"), GOOD)
def test_a_claim_survives_json(kind: type, params: dict[str, Any]) -> None:
    rule = build(kind, json.loads(json.dumps(params)))
    assert rule.check(table("x", "y", "z")) == []


@pytest.mark.parametrize(("kind", "params"), GOOD)
def test_a_missing_column_is_no_proof(kind: type, params: dict[str, Any]) -> None:
    for key in ("columns", "sensitive", "person"):
        if key in params:
            gone: Any = "gone" if key == "person" else ["gone"]
            with pytest.raises(UnknownNameError, match="unknown column 'gone'"):
                build(kind, {**params, key: gone}).check(table("x", "y", "z"))


@pytest.mark.parametrize(("kind", "params"), GOOD)
def test_no_columns_are_no_proof(kind: type, params: dict[str, Any]) -> None:
    for key in ("columns", "sensitive"):
        if key in params:
            with pytest.raises(UsageError, match=r"needs (QI|quasi-identifiers)"):
                build(kind, {**params, key: []})


def closeness(**more: Any) -> TCloseness:
    return TCloseness(0.5, ("a",), ("s",), **more)


def test_values_without_a_place_are_listed() -> None:
    ordered = closeness(distance="ordered", order=("x", "y"))
    with pytest.raises(InputError, match=r"2 values are missing from the order: '', 'q'"):
        ordered.check(table("x", "q", None))
    tree = closeness(distance="hierarchical", hierarchy=TREE)
    with pytest.raises(InputError, match=r"1 value is missing from the hierarchy: 'xy'"):
        tree.check(table("x", "xy"))


def test_texts_need_an_order_and_numbers_none() -> None:
    with pytest.raises(UsageError, match="column 's' has values that are not numbers"):
        closeness(distance="ordered").check(table("x", "y"))
    with pytest.raises(UsageError, match="column 's' has values that are not numbers"):
        closeness(distance="ordered").check(table(1, None))
    assert closeness(distance="ordered").check(table(1, 10, 9)) == []


def test_missing_has_the_place_of_the_empty_text() -> None:
    assert closeness(distance="ordered", order=("", "x")).check(table("x", None)) == []


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, "same number of ancestors and the same root"),
        ({"x": ["*"], "y": ["y", "*"]}, "same number of ancestors"),
        ({"x": ["p", "*"], "y": ["p", "all"]}, "the same root"),
        ({"x": ["p", "l", "*"], "y": ["p", "r", "*"]}, "'p' lies under both 'l' and 'r'"),
    ],
)
def test_what_is_no_hierarchy(tree: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        closeness(distance="hierarchical", hierarchy=tree).check(table("x", "y"))


def test_hierarchy_files_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "tree.csv"
    rule = closeness(distance="hierarchical", hierarchy=str(file))
    with pytest.raises(InputError, match=r"tree\.csv: cannot be read"):
        rule.check(table("x"))
    file.write_text("x;p;*\nx;q;*\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"'x' lies under both 'p;\*' and 'q;\*'"):
        rule.check(table("x"))
