"""Columns looked up together have the hash that they have one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.kernels.local_recoding import column_blocks
from tokumei.kernels.local_recoding.column_blocks import ColumnBlocks


def problem(seed, columns):
    """Random tuples and vectors under hierarchies of different heights and widths."""
    rng = np.random.default_rng(seed)
    ups, sizes = [], rng.integers(1, 40, size=columns)
    for size in sizes:
        levels = [np.arange(size), *(rng.integers(2, size=size) for _ in range(rng.integers(3)))]
        ups.append(np.array([*levels, [0] * size]))
    vectors = np.column_stack([rng.integers(len(up), size=7) for up in ups])
    return rng.integers(sizes, size=(20, columns)), ups, vectors


def hashes(made, vectors):
    """The hash of every tuple on every vector."""
    return np.array(
        [
            sum(made.hashes[made.starts[b, level] + made.codes[:, b]] for b, level in enumerate(v))
            for v in made.levels(vectors)
        ]
    )


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_a_block_adds_up_its_columns(seed, columns):
    codes, ups, vectors = problem(seed, columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_blocks, "MAX_BLOCK_CODES", 0)
        alone = ColumnBlocks.of(codes, ups)
    together = ColumnBlocks.of(codes, ups)
    assert len(alone.starts) == columns >= len(together.starts)
    assert (hashes(alone, vectors) == hashes(together, vectors)).all()


def test_columns_of_few_values_share_a_block():
    codes, ups = np.zeros((3, 3), np.int32), [np.array([range(4), [0] * 4])] * 3
    assert ColumnBlocks.of(codes, ups).codes.shape == (3, 1)
