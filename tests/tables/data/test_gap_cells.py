"""Cells of classes that mix missing and known values: `{∅;[20;39]}`, `{∅;a;b}`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from support.command_line import run
from tables.data.gap_cells_helpers import AGES, inside
from tokumei.core.generalized_cells import CellShape, parse_cell
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.cell_width import GcpSets, Ncp
from tokumei.tables.report.distributions import value_bars

AGE_TREE = Hierarchy.of(
    "q", [["20", "20s", "*"], ["25", "20s", "*"], ["30", "30s", "*"], ["60", "60s", "*"]]
)


def test_what_a_cell_beside_a_gap_stands_for() -> None:
    assert inside(AGES, "{∅;[20;30]}") == [None, "20", "25", "30"]
    assert inside(AGES, "{∅;60}") == [None, "60"]
    assert inside(AGES, "{∅;20;60}") == [None, "20", "60"]
    assert inside([None, "a", "b", "c"], "{∅;a;b}") == [None, "a", "b"]
    assert inside([None, "a", "b", "c"], "{∅;c}") == [None, "c"]
    assert inside(AGES, "{∅;20s}", AGE_TREE.with_missing()) == [None, "20", "25"]
    assert inside(AGES, "{∅;[20;25]}", AGE_TREE.with_missing()) == [None, "20", "25"]


def test_a_value_that_is_written_like_a_gap_is_meant_as_well() -> None:
    assert inside([None, "∅", "a", "b"], "{∅;a}") == [None, "a", "∅"]
    assert inside(["∅", "a", "b"], "{∅;a}") == ["a", "∅"]


def test_what_nothing_explains_stays_unread() -> None:
    reader = ColumnReader.of(pl.Series("q", [None, "a"]), pl.Series("q", ["{∅;x}", "a"]))
    assert reader.read("{∅;x;y}").shape is CellShape.UNREAD


def test_without_a_reader_the_notation_is_read_the_same_way() -> None:
    mixed = parse_cell("{∅;[20;39]}")
    assert (mixed.shape, mixed.low, mixed.high) == (CellShape.INTERVAL, 20.0, 39.0)
    assert mixed.members == {None}
    assert parse_cell("{∅;a;b}").members == {None, "a", "b"}
    assert parse_cell("{∅;30}").members == {None, "30"}
    assert parse_cell("{∅}").members == {"∅"}


def test_a_gap_counts_as_one_value_more() -> None:
    x = Table.of(pl.DataFrame({"q": pl.Series(AGES), "w": [None, "a", "b", "c", "d"]}), qi=["q"])
    shown = ["{∅;[20;30]}"] * 4 + ["60"]
    y = Table.of(pl.DataFrame({"q": shown, "w": ["{∅;a;b;c}"] * 4 + ["d"]}), qi=["q"])
    case = Comparison(x, y, np.arange(5))
    wide = 10 / 40 + 1 / 3  # a quarter of the range, and a fourth value among four
    assert Ncp().score(case).value == pytest.approx(4 * wide / 5)
    assert GcpSets().score(case).value == pytest.approx(4 * wide / 5)


def test_with_a_hierarchy_the_gap_is_its_leaf() -> None:
    x = Table.of(pl.DataFrame({"q": pl.Series(AGES)}), qi=["q"])
    y = Table.of(pl.DataFrame({"q": ["{∅;[20;25]}"] * 3 + ["30", "60"]}), qi=["q"])
    tree = AGE_TREE.with_missing()
    found = Ncp({"q": tree}).score(Comparison(x, y, np.arange(5))).value
    assert found == pytest.approx(3 * (2 / 4) / 5)


def test_a_report_shares_such_a_cell_out_among_its_values_and_the_gap() -> None:
    before = pl.Series("q", [None] * 5 + ["a"] * 5 + ["b"] * 10)
    after = pl.Series("q", ["{∅;a}"] * 10 + ["b"] * 10)
    bars = {bar.label.show("en"): (bar.before, bar.after) for bar in value_bars(before, after)}
    assert bars == {"a": (0.25, 0.25), "b": (0.5, 0.5), "∅": (0.25, 0.25)}


def test_every_command_reads_them(tmp_path: Path, capsys: Any) -> None:
    x, y, link = (str(tmp_path / name) for name in ("x.csv", "y.csv", "link.csv"))
    ages = ["" if i % 9 == 0 else 20 + i % 31 for i in range(90)]
    towns = ["" if i % 7 == 0 else "abc"[i % 3] for i in range(90)]
    rows = [f"{age},{town},{i}" for i, (age, town) in enumerate(zip(ages, towns, strict=True))]
    Path(x).write_text("\n".join(["age,town,income", *rows]) + "\n", encoding="utf-8")
    made = run(
        capsys,
        *("anonymize", "table", "--data", x, "--out", y, "--secret", link, "--k", "6"),
        *("--method", "mondrian", "--qi", "age,town", "--sa", "income"),
    )
    assert made[0] == 0, made
    assert "{∅;[" in Path(y).read_text(encoding="utf-8")
    both = ("--original", x, "--release", y, "--truth", link)
    for line in (
        ("check", "--release", y),
        ("attack", *both, "--method", "linkage"),
        ("attack", *both, "--method", "everything"),
        ("measure", "utility", *both, "--measures", "ncp,gcp_sets,entropy_loss,kl_divergence"),
        ("diagnose", *both),
        ("conform", "--original", x, "--release", y),
    ):
        code, out, err = run(capsys, *line)
        assert code == 0, (line, out, err)
