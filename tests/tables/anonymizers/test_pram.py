"""PRAM: rows of its matrix sum to 1, pR = p, and cells are drawn by it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

from tokumei import anonymize
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.tables.anonymizers.pram import Pram, transition_matrix

CELLS = ["a"] * 600 + ["b"] * 300 + ["c"] * 90 + [None] * 10
FRAME = pl.DataFrame({"q": ["x"] * 1000, "s": CELLS})


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.8, 1.0])
def test_the_matrix(keep: float) -> None:
    shares = np.array([0.6, 0.3, 0.09, 0.01])
    invariant = transition_matrix(shares, keep, invariant=True)
    uniform = transition_matrix(shares, keep, invariant=False)
    for matrix in (invariant, uniform):
        assert matrix.sum(axis=1) == pytest.approx(np.ones(4))
        assert matrix.min() >= 0
    assert shares @ invariant == pytest.approx(shares, abs=1e-15)
    assert uniform[0, 1] == pytest.approx((1 - keep) / 4)


@pytest.mark.parametrize("invariant", [True, False])
def test_cells_are_drawn_by_the_matrix(invariant: bool) -> None:
    values: list[Any] = ["a", "b", "c", None]
    shares = np.array([CELLS.count(value) / 1000 for value in values])
    matrix = transition_matrix(shares, 0.7, invariant=invariant)
    drawn: Counter[Any] = Counter()
    for seed in range(60):
        method = Pram(0.7, invariant=invariant)
        release = anonymize(FRAME, method, qi=["q"], sa=["s"], seed=seed, keep_order=True)
        drawn.update(zip(CELLS, release.public.frame["s"], strict=True))
    for i, before in enumerate(values):
        for j, after in enumerate(values):
            rows = 60_000 * shares[i]
            expected = matrix[i, j]
            room = 5 * np.sqrt(expected * (1 - expected) / rows) + 1e-9
            assert abs(drawn[before, after] / rows - expected) <= room


def test_the_ends_and_chosen_columns() -> None:
    same = anonymize(FRAME, Pram(1.0), qi=["q"], sa=["s"], seed=1, keep_order=True)
    assert same.public.frame["s"].to_list() == CELLS
    other = anonymize(
        FRAME.with_columns(t=pl.Series(CELLS)), Pram(0.0, columns=("t",)),
        qi=["q"], sa=["s", "t"], seed=1, keep_order=True,
    )  # fmt: skip
    assert other.public.frame["s"].to_list() == CELLS
    assert other.public.frame["t"].to_list() != CELLS
    with pytest.raises(UsageError, match="between 0 and 1"):
        Pram(1.1)
    with pytest.raises(UnknownNameError, match="unknown column 'u'"):
        anonymize(FRAME, Pram(columns=("u",)), qi=["q"], sa=["s"])
