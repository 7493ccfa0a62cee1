"""Tests of tokumei.tables.verification.t_closeness."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl

from tables.verification.privacy_models_helpers import ONE, QI, TABLES, TREE, people, table
from tokumei.tables.data.table import Table
from tokumei.tables.verification.l_diversity import RecursiveLDiversity
from tokumei.tables.verification.t_closeness import TCloseness
from tokumei.tables.verification.value_frequency import DeltaDisclosure


def test_limits_met_up_to_rounding() -> None:
    """0.1·30 is above 3 in floating point, and 3/10 − 1/10 above 0.2."""
    eleven = people(("A", "abcdefghijk" * 3))
    assert len(RecursiveLDiversity(0.1, 2, **ONE).check(eleven)) == 1
    ten = people(("A", "xxxyyyyyyy"), ("B", "x" + "y" * 9), ("C", "xx" + "y" * 8))
    assert TCloseness(0.1, **ONE).check(ten) == []
    assert len(TCloseness(0.0999, **ONE).check(ten)) == 2
    assert len(DeltaDisclosure(math.log(1.5), **ONE).check(ten)) == 2
    same = people(("A", "xxy"), ("B", "xxyxxy"), ("C", "yxx"))
    assert TCloseness(0, **ONE).check(same) == []
    assert TCloseness(0, **ONE, distance="ordered", order=("y", "x")).check(same) == []
    assert DeltaDisclosure(1e-6, **ONE).check(same) == []


def test_a_hierarchy_file_reads_as_its_mapping(tmp_path: Path) -> None:
    file = tmp_path / "tree.csv"
    lines = [";".join([leaf, *above]) for leaf, above in TREE.items()]
    file.write_text("\ufeff" + "\n".join(lines), encoding="utf-8")
    for small in TABLES[:20]:
        both = [
            TCloseness(0.1, QI, ("s",), distance="hierarchical", hierarchy=tree).check(table(small))
            for tree in (TREE, str(file))
        ]
        assert both[0] == both[1]


def test_a_number_may_be_spelled_otherwise_than_its_leaf() -> None:
    frame = pl.DataFrame({"q": ["a", "a", "b", "b"], "s": ["12", "1.50", "12", "1.50"]})
    paths = {"12.0": ("x", "*"), "1.5": ("y", "*")}
    rule = TCloseness(0.1, ("q",), ("s",), distance="hierarchical", hierarchy=paths)
    assert rule.check(Table.of(frame, qi=["q"])) == []
    ordered = TCloseness(0.1, ("q",), ("s",), distance="ordered", order=("1.5", "12.0"))
    assert ordered.check(Table.of(frame, qi=["q"])) == []
