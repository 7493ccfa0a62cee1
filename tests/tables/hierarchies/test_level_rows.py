"""Tests of tokumei.tables.hierarchies.level_rows."""

import numpy as np
import polars as pl
import pytest

from tokumei.tables.hierarchies.hierarchy import Hierarchy


@pytest.mark.long
def test_a_million_leaves():
    leaves = np.char.mod("v%06d", np.arange(10**6))
    levels = [leaves, leaves.astype("U4"), np.full(10**6, "*")]
    from tokumei.tables.hierarchies.level_rows import LevelRows, level_frame

    made = Hierarchy.of("x", LevelRows(level_frame([pl.Series(level) for level in levels])))
    assert [len(names) for names in made.names] == [10**6, 1000, 1]
    assert made.leaf_codes(pl.Series(leaves[::-1][:3])).tolist() == [999_999, 999_998, 999_997]
    assert set(made.widths()[1]) == {1000}
