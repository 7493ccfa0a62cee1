"""Parameters of the privacy rules: plain data in claims, and what would prove nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.registry import build_params
from tokumei.tables.data.table import Table
from tokumei.tables.verification.k_anonymity import KPerPerson
from tokumei.tables.verification.l_diversity import EntropyLDiversity, RecursiveLDiversity
from tokumei.tables.verification.t_closeness import TCloseness
from tokumei.tables.verification.value_frequency import AlphaK, BetaLikeness, DeltaDisclosure

TREE = {"x": ["xy", "*"], "y": ["xy", "*"], "z": ["z", "*"]}
COLUMNS = {"columns": ["a"], "sensitive": ["s"]}
GOOD = [
    (EntropyLDiversity, {"l": 2, **COLUMNS}),
    (RecursiveLDiversity, {"c": 3, "l": 2, **COLUMNS}),
    (AlphaK, {"alpha": 0.5, "k": 3, **COLUMNS}),
    (TCloseness, {"t": 0.5, **COLUMNS}),
    (TCloseness, {"t": 0.5, "distance": "ordered", "order": ["x", "y", "z"], **COLUMNS}),
    (TCloseness, {"t": 0.5, "distance": "hierarchical", "hierarchy": TREE, **COLUMNS}),
    (BetaLikeness, {"beta": 1, "enhanced": True, **COLUMNS}),
    (DeltaDisclosure, {"delta": 1.5, **COLUMNS}),
    (KPerPerson, {"k": 2, "columns": ["a"], "person": "s"}),
]


def build(kind: type, params: dict[str, Any]) -> Any:
    return build_params(kind, params, where=kind.name)


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


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (EntropyLDiversity, {"l": 1}, "l must be a number above 1, not 1"),
        (EntropyLDiversity, {"l": float("nan")}, "l must be a number above 1, not nan"),
        (RecursiveLDiversity, {"l": 1}, "l must be at least 2, not 1"),
        (RecursiveLDiversity, {"c": 0}, "c must be a number above 0, not 0"),
        (AlphaK, {"alpha": 1}, "alpha must be above 0 and below 1, not 1"),
        (AlphaK, {"k": 1}, "k must be at least 2, not 1"),
        (TCloseness, {"t": 1}, "t must be at least 0 and below 1, not 1"),
        (TCloseness, {"distance": "far"}, "parameter 'distance'"),
        (TCloseness, {"distance": "hierarchical"}, "needs a hierarchy"),
        (TCloseness, {"hierarchy": TREE}, "needs a hierarchy, the others none"),
        (BetaLikeness, {"beta": 0}, "beta must be a number above 0, not 0"),
        (DeltaDisclosure, {"delta": float("inf")}, "delta must be a number above 0, not inf"),
        (KPerPerson, {"k": 1}, "k must be at least 2, not 1"),
        (KPerPerson, {"person": "a"}, "a person column that is none of them"),
    ],
)
def test_parameters_that_would_prove_nothing(
    kind: type, change: dict[str, Any], message: str
) -> None:
    params = next(params for known, params in GOOD if known is kind)
    with pytest.raises(UsageError, match=message):
        build(kind, {**params, **change})


def closeness(**more: Any) -> TCloseness:
    return TCloseness(0.5, ("a",), ("s",), **more)


def test_values_without_a_place_are_listed() -> None:
    ordered = closeness(distance="ordered", order=("x", "y"))
    with pytest.raises(InputError, match=r"2 value\(s\) are missing from the order: '', 'q'"):
        ordered.check(table("x", "q", None))
    tree = closeness(distance="hierarchical", hierarchy=TREE)
    with pytest.raises(InputError, match=r"1 value\(s\) are missing from the hierarchy: 'xy'"):
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
