"""Tests of tokumei.tables.engines.stream."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import tokumei.tables.engines.stream as streaming
from tokumei.core.randomness import Randomness
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.engines.stream import RecodedRows, StreamSizes
from tokumei.tables.engines.stream_files import open_stream


def given_rows(rows: int) -> RecodedRows:
    """Numbers from 0, each row a tuple of its own that gets its own cell."""
    table = pl.DataFrame({"a": range(rows)})
    tuples = replace(LocalEngine(table).tuples(["a"]), source=table)
    return RecodedRows.of(table.lazy(), RecodedCells(tuples, table.to_dict()))


def test_the_order_of_a_seed_does_not_depend_on_chunks(tmp_path):
    orders = []
    for chunk in (7, 100, 1000):
        parts = given_rows(1000).in_random_order(tmp_path, StreamSizes(chunk, 4), rng=Randomness(3))
        orders.append(pl.concat(parts)["a"].to_list())
    assert orders[0] == orders[1] == orders[2]
    assert sorted(orders[0]) == list(range(1000))


@pytest.mark.long
def test_every_order_is_as_likely_as_any_other(tmp_path):
    seen = np.zeros((4, 4))
    for seed in range(400):
        parts = given_rows(4).in_random_order(tmp_path, StreamSizes(4, 2), rng=Randomness(seed))
        for place, value in enumerate(pl.concat(parts)["a"].to_list()):
            seen[place, value] += 1
    # 100 of 400 expected in each cell; 5 standard deviations are 43.
    assert np.abs(seen - 100).max() < 44


def test_wide_rows_are_handled_fewer_at_a_time(tmp_path):
    texts = ["x" * 1000] * 200
    pl.DataFrame({"a": texts, "b": range(200)}).write_csv(tmp_path / "x.csv")
    pl.DataFrame({"a": texts, "b": range(200)}).write_parquet(tmp_path / "x.parquet")
    for name in ("x.csv", "x.parquet"):
        assert 1030 <= open_stream(tmp_path / name).row_bytes(200) <= 1050
    assert StreamSizes.of(10**7, 1000) == StreamSizes(
        streaming.CHUNK_BYTES // 1000, 10**10 // streaming.PART_BYTES
    )
    assert StreamSizes.of(3, 10**12) == StreamSizes(1, 3 * 10**12 // streaming.PART_BYTES)
    assert StreamSizes.of(0, 32).parts == 1
