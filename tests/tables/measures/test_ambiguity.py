"""Ambiguity by hand, and against ARX, whose figure is the sum over all rows."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from support.golden_figures import QI, adult_rows, recoded_adult
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.files import read_hierarchy
from tokumei.tables.measures.ambiguity import Ambiguity


def test_by_hand() -> None:
    frame = pl.DataFrame({"a": ["x", "y", "z"], "b": ["p", "q", "q"]})
    released = pl.DataFrame({"a": ["{x;y}", "*"], "b": ["{p;q}", "q"]})
    tables = [Table.of(one, qi=["a", "b"], sa=[]) for one in (frame, released)]
    found = Ambiguity().score(Comparison(*tables, np.array([0, 2])))
    assert found.value == pytest.approx((2 * 2 + 3 * 1 + 3 * 2) / 3)


@pytest.mark.data
def test_arx_has_the_same_sums(real_data: Path) -> None:
    with (real_data / "golden" / "arx_quality_metrics.csv").open(encoding="utf-8") as lines:
        records = [
            one
            for one in csv.DictReader(lines)
            if one["metric"] == "Ambiguity" and one["dataset"] == "first1000"
        ]
    assert len(records) == 8
    folder = real_data / "adult"
    hierarchies = {
        name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv", name) for name in QI
    }
    original = Table.of(adult_rows(real_data, "first1000").select(QI), qi=QI, sa=[])
    for one in records:
        released = recoded_adult(real_data, "first1000", tuple(json.loads(one["fixed_levels"])))
        released = released.select(QI)
        rows = released.select(pl.len().over(QI).alias("n"))["n"] >= int(one["k"])
        kept = np.flatnonzero(rows.to_numpy())
        table = Table.of(released[kept], qi=QI, sa=[])
        found = Ambiguity(hierarchies).score(Comparison(original, table, kept))
        assert found.value * 1000 == pytest.approx(float(one["score"]), rel=1e-12)
