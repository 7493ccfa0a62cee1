"""Tests of tokumei.tables.measures.sensitive_values."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.measures.sensitive_values import condensed_associations


def test_cells_on_a_cluster_count_as_often_as_they_stand_there() -> None:
    frame = pl.DataFrame({"s": ["a", "a", "b", "b"], "t": ["x", "y", "y", "y"], "n": [1, 2, 3, 9]})
    times = np.array([3, 1, 2, 4])
    whole = frame[np.repeat(np.arange(4), times)]
    names, tables = ["s", "t", "n"], [tk.Table.of(one, qi=[], sa=["n"]) for one in (frame, whole)]
    counted = condensed_associations(tables[0], names, ["n"], times)
    assert counted == pytest.approx(condensed_associations(tables[1], names, ["n"]))
