"""Trees of the hierarchies that a release used."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.report.hierarchy_tree import hierarchy_pictures


def test_a_tree_per_quasi_identifier() -> None:
    people = sample_table(300, seed=1)
    trees = hierarchy_pictures([{"method": "local", "k": 5, "hierarchies": "auto"}], people)
    assert trees is not None
    assert [tree.column for tree in trees] == list(people.schema.qi)
    sex = next(tree for tree in trees if tree.column == "head_sex")
    assert "female" in sex.by_language["en"]
    assert "Level 1" in sex.by_language["en"]
    assert "第 1 段" in sex.by_language["ja"]


def test_methods_without_hierarchies_have_no_trees() -> None:
    people = sample_table(60, seed=1)
    assert hierarchy_pictures([{"method": "mondrian", "k": 5}, {"method": "noise"}], people) == []


def test_files_that_are_gone_are_told_apart_from_no_hierarchies(tmp_path: Path) -> None:
    people = Table.of(pl.DataFrame({"x": ["a", "b"]}), qi=["x"])
    step = {"method": "flash", "hierarchies": str(tmp_path / "h_{column}.csv")}
    (tmp_path / "h_x.csv").write_text("a;*\nb;*\n")
    trees = hierarchy_pictures([step], people)
    assert trees is not None
    assert len(trees) == 1
    (tmp_path / "h_x.csv").unlink()
    assert hierarchy_pictures([step], people) is None


def test_values_of_few_rows_are_not_named() -> None:
    people = Table.of(pl.DataFrame({"x": ["often"] * 5 + ["once"]}), qi=["x"])
    trees = hierarchy_pictures([{"method": "flash", "hierarchies": "auto"}], people)
    assert trees is not None
    assert "often" in trees[0].by_language["en"]
    assert "once" not in trees[0].by_language["en"] + trees[0].by_language["ja"]


def test_values_cannot_break_out_of_the_picture() -> None:
    people = Table.of(pl.DataFrame({"x": ["<script>alert(1)</script>", "b"] * 5}), qi=["x"])
    trees = hierarchy_pictures([{"method": "flash", "hierarchies": "auto"}], people)
    assert trees is not None
    assert "<script>" not in trees[0].by_language["en"] + trees[0].by_language["ja"]


def test_a_step_may_have_hierarchies_of_some_columns_only() -> None:
    table = sample_table(60, seed=1)
    name = table.schema.qi[1]
    shown = hierarchy_pictures(
        [{"method": "mondrian", "k": 5, "hierarchies": {name: "auto"}}], table
    )
    assert shown is not None
    assert [tree.column for tree in shown] == [name]
