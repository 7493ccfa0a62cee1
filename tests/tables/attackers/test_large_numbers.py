"""Numbers whose squares no float holds: attacks and looks compare them like any others."""

from __future__ import annotations

import warnings

import polars as pl
import pytest

import tokumei as tk

LARGE = [0.0, 1.0, 3.0, 7.0, -2.0, 9.0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", ["EUC1", "EUC2", "linkage"])
def test_attacks_find_the_same_rows_whatever_the_unit(method: str) -> None:
    small = pl.DataFrame({"q": [1, 1, 1, 2, 2, 2], "s": LARGE})
    large = small.with_columns(pl.col("s") * 2.0**1020)
    found = [
        tk.attack(frame, frame, methods=[method], qi=["q"], sa=["s"], seed=1)[method].rate
        for frame in (small, large)
    ]
    assert found[0] == found[1] == 1.0


def test_a_look_at_the_largest_numbers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tk.look(pl.DataFrame({"s": [1e308, -1e308, 0.0, 1.0, 2.5] * 8}))
    assert sum(found["s"].bins) == 40
