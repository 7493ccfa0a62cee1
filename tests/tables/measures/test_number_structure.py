"""IL1s, SSE and eigenvalues against plain sums, and against sdcMicro on its microaggregations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.number_structure import EigenvalueLoss, Il1s, SquaredError


def compare(original: pl.DataFrame, released: pl.DataFrame) -> Comparison:
    sa = original.columns
    tables = (Table.of(frame, qi=[], sa=sa) for frame in (original, released))
    return Comparison(*tables, np.arange(released.height))


def microaggregated(frame: pl.DataFrame, size: int) -> pl.DataFrame:
    """Each column alone: sorted, groups of `size`, the last one takes the rest; means."""
    columns = []
    for column in frame:
        order = column.arg_sort().to_numpy()
        group = np.minimum(np.arange(len(column)) // size, len(column) // size - 1)
        values = column.to_numpy()[order].astype(float)
        means = np.bincount(group, values) / np.bincount(group)
        result = np.empty(len(column))
        result[order] = means[group]
        columns.append(pl.Series(column.name, result))
    return pl.DataFrame(columns)


@pytest.mark.data
def test_sdcmicro_has_the_same_figures(real_data: Path) -> None:
    """Its IL1s is the sum over all cells."""
    golden = real_data / "golden"
    frame = pl.read_csv(golden / "synth_num.csv").cast(pl.Float64)
    records = json.loads((golden / "sdcmicro.json").read_text(encoding="utf-8"))
    records = [
        one
        for one in records
        if one["kind"] == "microaggregation"
        and one["dataset"] == "synth_num"
        and one["params"]["method"] == "onedims"
        and one["params"]["measure"] == "mean"
    ]
    assert len(records) == 3
    for one in records:
        figures, released = one["figures"], microaggregated(frame, one["params"]["aggr"])
        case = compare(frame, released)
        cells = frame.height * frame.width
        assert Il1s().score(case).value * cells == pytest.approx(figures["IL1s"], rel=1e-9)
        assert SquaredError().score(case).value == pytest.approx(figures["SSE_over_SST"], rel=1e-9)
        assert EigenvalueLoss().score(case).value == pytest.approx(figures["eigen"], rel=1e-8)


def test_by_hand() -> None:
    original = pl.DataFrame({"x": [0.0, 2.0, 4.0], "y": [1.0, 1.0, 1.0]})
    released = pl.DataFrame({"x": [0.0, 4.0, 4.0], "y": [9.0, 1.0, 1.0]})
    case = compare(original, released)  # s = 2, SST = 2; y is constant and left out
    assert Il1s().score(case).value == pytest.approx(2 / (2**0.5 * 2) / 3)
    assert SquaredError().score(case).value == pytest.approx((2 / 2) ** 2 / 2)
    assert EigenvalueLoss().score(case).value == 0.0


def test_eigenvalues_of_two_columns_are_one_plus_and_minus_the_correlation() -> None:
    original = pl.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 2.0, 1.0, 3.0]})
    released = original.with_columns(y=pl.Series([1.0, 2.0, 0.0, 3.0]))
    r, q = (float(np.corrcoef(frame.to_numpy().T)[0, 1]) for frame in (original, released))
    expected = abs(r - q) / (1 + r) + abs(r - q) / (1 - r)
    assert EigenvalueLoss().score(compare(original, released)).value == pytest.approx(expected)


def test_gaps_and_suppressed_cells_are_left_out() -> None:
    original = pl.DataFrame({"x": [0.0, 2.0, 4.0, None], "z": [1.0, 5.0, 2.0, 2.0]})
    released = pl.DataFrame({"x": ["0", "*", "5", "7"], "z": ["1", "5", "2", "2"]})
    case = compare(original, released)
    found = Il1s().score(case)
    assert found.value == pytest.approx((1 / (2**0.5 * 2)) / 6)
    assert found.sample == 6
    assert np.isfinite(EigenvalueLoss().score(case).value)
    constant = pl.DataFrame({"x": [1.0, 1.0]})
    assert SquaredError().score(compare(constant, constant)).value == 0.0
