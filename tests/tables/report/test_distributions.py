from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.distributions import (
    MIN_ROWS,
    bin_edges,
    class_size_bars,
    column_changes,
    number_bars,
    value_bars,
)


def plain(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return values, values


def test_bins_hide_the_extremes() -> None:
    values = np.append(np.arange(1000.0), 123_456_789.0)
    bars = number_bars(plain(values), plain(values))
    assert len(bars) == 10
    assert not any("123" in bar.label.show("en") or "M" in bar.label.show("en") for bar in bars)
    assert sum(bar.before for bar in bars) == pytest.approx(1.0)
    assert bars[-1].label.show("en").startswith(">")


def test_no_bin_holds_few_people() -> None:
    values = np.array([0.0] * 30 + [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    edges = bin_edges(values)
    counts = np.bincount(np.searchsorted(edges, values), minlength=len(edges) + 1)
    assert (counts >= MIN_ROWS).all()
    assert len(bin_edges(np.arange(4.0))) == 0


def test_an_interval_is_spread_over_its_width() -> None:
    known = np.arange(100.0)
    whole = np.zeros(100), np.full(100, 99.0)
    bars = number_bars(plain(known), whole)
    assert [bar.after for bar in bars] == pytest.approx([0.1] * 10, abs=0.02)


def test_suppressed_numbers_stand_apart() -> None:
    known = np.arange(100.0)
    bars = number_bars(plain(known), (np.full(2, -np.inf), np.full(2, np.inf)))
    assert (bars[-1].label.show("en"), bars[-1].after) == ("*", 1.0)


def test_values_rare_general_suppressed_and_missing() -> None:
    before = pl.Series(["a"] * 10 + ["b"] * 9 + ["only-me"])
    after = pl.Series(["{a;b}"] * 10 + ["*"] * 5 + ["a"] * 4 + [None])
    bars = {bar.label.show("en"): (bar.before, bar.after) for bar in value_bars(before, after)}
    assert bars == {
        "a": (0.5, 0.45),
        "b": (0.45, 0.25),
        "…": (0.05, 0.0),
        "*": (0.0, 0.25),
        "∅": (0.0, 0.05),
    }


def test_numbers_are_ordered_as_numbers() -> None:
    series = pl.Series([2, 10, 1] * 5)
    assert [bar.label.show("en") for bar in value_bars(series, series)] == ["1", "2", "10"]


def test_class_sizes() -> None:
    before = Table.of(pl.DataFrame({"q": [1, 2, 3, 4], "s": [1.0] * 4}), qi=["q"], sa=["s"])
    after = Table.of(pl.DataFrame({"q": [1, 1, 1, 2], "s": [1.0] * 4}), qi=["q"], sa=["s"])
    bars = class_size_bars(before, after, fewest=1)
    assert [bar.label.show("en") for bar in bars[:4]] == ["1", "2", "3–4", "5–9"]
    assert (bars[0].before, bars[0].after, bars[2].after) == (1.0, 0.25, 0.75)


def test_unchanged_columns_do_not_shift(by_label: dict[str, Evaluation], original: Table) -> None:
    found = column_changes(original, by_label["C yamaoka"].release.public)
    assert len(found) == 25
    assert max(change.shift for change in found) == pytest.approx(0.0, abs=1e-12)
    noisy = {
        c.column: c.shift for c in column_changes(original, by_label["B noise"].release.public)
    }
    assert noisy["region"] == 0
    assert noisy["education"] > 0.05


def test_bars_tell_nothing_of_fewer_rows_than_k() -> None:
    before = Table.of(pl.DataFrame({"q": [1] * 6 + [2] * 20}), qi=["q"], sa=[])
    gone = Table.of(pl.DataFrame({"q": [1] * 6 + [2] * 19}), qi=["q"], sa=[])
    (one,) = column_changes(before, gone)
    assert all(bar.before == bar.after for bar in one.bars)
    fewer = Table.of(pl.DataFrame({"q": [1] * 6 + [2] * 10}), qi=["q"], sa=[])
    (many,) = column_changes(before, fewer)
    assert [(bar.before, bar.after) for bar in many.bars] == [(6 / 16, 6 / 16), (20 / 26, 10 / 16)]
