"""Rank swapping: pairs within the window, the column's values kept, missing cells in place."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei import anonymize
from tokumei.core.errors import UsageError
from tokumei.tables.anonymizers.rank_swap import RankSwap, draw_partners, swap_by_rank


@given(ranks=st.integers(0, 60), reach=st.integers(1, 80), seed=st.integers(0, 99))
def test_partners_are_pairs_within_reach(ranks: int, reach: int, seed: int) -> None:
    partners = draw_partners(ranks, reach, np.random.default_rng(seed))
    assert partners[partners].tolist() == list(range(ranks))
    assert (np.abs(partners - np.arange(ranks)) <= reach).all()
    alone = np.flatnonzero(partners == np.arange(ranks))
    assert (np.diff(alone) > reach).all()  # two that are alone would have found each other


@given(
    values=st.lists(st.one_of(st.none(), st.integers(0, 9)), max_size=40),
    window=st.sampled_from([0.05, 0.2, 1.0]),
    seed=st.integers(0, 99),
)
def test_values_stay_in_the_column(values: list[int | None], window: float, seed: int) -> None:
    cells = pl.Series("x", values, dtype=pl.Int64)
    swapped = swap_by_rank(cells, window, np.random.default_rng(seed)).to_list()
    assert sorted(v for v in swapped if v is not None) == sorted(v for v in values if v is not None)
    assert [v is None for v in swapped] == [v is None for v in values]
    present = sorted(v for v in values if v is not None)
    reach = max(int(window * len(present)), 1)
    for before, after in zip(values, swapped, strict=True):
        if before is not None and after is not None:
            low, high = sorted((before, after))
            first_above = present.index(high)
            last_below = len(present) - 1 - present[::-1].index(low)
            assert first_above - last_below <= reach


def test_the_method_and_what_it_refuses() -> None:
    frame = pl.DataFrame({"q": ["x", "y"] * 100, "s": range(200), "t": [n % 7 for n in range(200)]})
    release = anonymize(frame, RankSwap(0.05), qi=["q"], sa=["s", "t"], seed=1, keep_order=True)
    public = release.public.frame
    assert sorted(public["s"]) == list(range(200))
    assert 0 < (public["s"] - frame["s"]).abs().max() <= 10  # type: ignore[operator]
    assert public["q"].to_list() == frame["q"].to_list()
    for window in (0, 1.5):
        with pytest.raises(UsageError, match="share of the rows"):
            RankSwap(window)
