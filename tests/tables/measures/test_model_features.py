"""Features: numbers by value, categories by indicators, generalized cells by their means."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.model_features import build_features


def test_by_hand() -> None:
    texts = {"b": ["x", "x", "y"], "t": ["p", "q", "q"]}
    frame = pl.DataFrame({"a": [1, 2, 3], "s": [1.0, None, 3.0], **texts})
    shown = {"b": ["x", "{x;y}", "y"], "t": ["p", "q", "p"]}
    released = pl.DataFrame({"a": ["[1;2]", "[1;2]", "3"], "s": [1.0, 2.0, None], **shown})
    tables = [Table.of(one, qi=["a", "b"], sa=["s", "t"]) for one in (frame, released)]
    features = build_features(Comparison(*tables, np.arange(3)), {})
    assert features.original.shape == features.released.shape == (3, 4)

    def scaled(values: list[float], original: list[float]) -> list[float]:
        return [(v - np.mean(original)) / np.std(original) for v in values]

    pairs = [
        ([1, 2, 3], [1.5, 1.5, 3]),
        ([0, 0, 1], [0, 0.5, 1]),
        ([1, 2, 3], [1, 2, 2]),
        ([1, 0, 0], [1, 0, 1]),
    ]
    for column, (before, after) in enumerate(pairs):
        assert features.original[:, column].tolist() == pytest.approx(scaled(before, before))
        assert features.released[:, column].tolist() == pytest.approx(scaled(after, before))


def test_some_columns_and_constant_ones() -> None:
    frame = pl.DataFrame({"a": [1, 2, 3], "b": ["x", "x", "x"]})
    table = Table.of(frame, qi=["a", "b"], sa=[])
    case = Comparison(table, table, np.arange(3))
    assert build_features(case, {}, names=["b"]).original.shape == (3, 0)
    assert build_features(case, {}, names=["a"]).released.shape == (3, 1)
