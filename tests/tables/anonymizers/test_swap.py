"""Tests of tokumei.tables.anonymizers.swap."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.anonymizers.gaps_and_texts_helpers import SEEDS, by_class, gappy, made
from tables.anonymizers.yamaoka_unify_swap_delete_helpers import ROWS, made_by, table
from tokumei.core.errors import UsageError
from tokumei.tables.anonymizers.similar_rows import group_within_classes
from tokumei.tables.anonymizers.swap import Swap


@given(SEEDS)
def test_swapped_gaps_and_texts_move_like_values_inside_their_class(seed: int) -> None:
    table = gappy(seed)
    for method in (Swap(), Swap(groups="near", k=3)):
        frame = made(method, table).public.frame
        for name in ("pay", "ill"):
            before, after = by_class(table.frame, name), by_class(frame, name)
            assert {q: Counter(cells) for q, cells in before.items()} == {
                q: Counter(cells) for q, cells in after.items()
            }


@given(rows=ROWS, seed=st.integers(0, 99))
def test_swap_keeps_every_class_column_by_column(
    rows: list[tuple[int, int, int]], seed: int
) -> None:
    source = table(rows)
    made = made_by(Swap(), source, seed, shuffle=False)
    assert made.public.frame["q"].equals(source.frame["q"])
    for name in ("s", "t"):
        assert _multisets(made.public.frame, name) == _multisets(source.frame, name)
    assert made.link.tolist() == list(range(source.rows))


def _multisets(frame: pl.DataFrame, name: str) -> dict[int, Counter[int]]:
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for q, value in frame.select("q", name).iter_rows():
        found[q][value] += 1
    return found


def test_swap_moves_columns_independently() -> None:
    n = 4000
    made = made_by(Swap(), table([(i % 2, i, i) for i in range(n)]), shuffle=False)
    s, t = made.public.numbers(["s", "t"]).T
    assert abs(np.corrcoef(s, t)[0, 1]) < 0.08
    assert abs(np.corrcoef(s, np.arange(n))[0, 1]) < 0.08
    assert (s.astype(int) % 2 == np.arange(n) % 2).all()


def test_swap_reaches_every_order() -> None:
    source = table([(0, i, 0) for i in range(3)])
    orders = {
        tuple(made_by(Swap(), source, seed, shuffle=False).public.frame["s"]) for seed in range(60)
    }
    assert len(orders) == 6


def test_swap_among_similar_rows_keeps_every_group_and_moves_less() -> None:
    source = table([(i % 2, i, 3 * i) for i in range(200)])
    made = made_by(Swap("near", 5), source, shuffle=False)
    groups = group_within_classes(source.numbers(["s", "t"]), np.arange(200) % 2, 5)
    for name in ("s", "t"):
        old, new = source.frame[name].to_numpy(), made.public.frame[name].to_numpy()
        for group in np.unique(groups):
            assert sorted(new[groups == group]) == sorted(old[groups == group])
    far = made_by(Swap(), source, shuffle=False).public.frame["s"].to_numpy()
    moved = np.abs(made.public.frame["s"].to_numpy() - np.arange(200)).mean()
    assert 0 < moved < 0.2 * np.abs(far - np.arange(200)).mean()
    with pytest.raises(UsageError, match="at least 2"):
        Swap("near", 1)
