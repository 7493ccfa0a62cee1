"""C, D/E, G and H: what each leaves alone and what it changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.paper import D, X
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.anonymizers.similar_rows import group_within_classes
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.anonymizers.yamaoka import Yamaoka
from tokumei.tables.data.table import Release, Table
from tokumei.tables.registry import anonymizers

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), min_size=1)


def table(rows: list[tuple[int, int, int]]) -> Table:
    frame = pl.DataFrame(rows, schema=["q", "s", "t"], orient="row")
    return Table.of(frame, qi=["q"], sa=["s", "t"])


def made_by(method: TableMethod, source: Table, seed: int = 1, **given: Any) -> Release:
    return method.anonymize(source, rng=Randomness(seed), **given)


# --- C


@given(rows=ROWS, share=st.floats(0, 1), seed=st.integers(0, 99))
def test_yamaoka_deranges_exactly_the_chosen_share(
    rows: list[tuple[int, int, int]], share: float, seed: int
) -> None:
    source = table(rows)
    made = made_by(Yamaoka(share), source, seed, shuffle=False)
    assert made.public.frame.equals(source.frame)
    assert sorted(made.link.tolist()) == list(range(source.rows))
    moved = int((made.link != np.arange(source.rows)).sum())
    chosen = round(share * source.rows)
    assert moved == (chosen if chosen > 1 else 0)  # one row alone has nobody to change with


def test_yamaoka_releases_the_same_rows() -> None:
    source = table([(i % 3, i, 2 * i) for i in range(20)])
    made = made_by(Yamaoka(), source)
    assert Counter(made.public.frame.iter_rows()) == Counter(source.frame.iter_rows())


# --- D and E


def test_unify_gives_the_papers_d() -> None:
    for value in (1, "1"):
        made = made_by(anonymizers.build("unify", {"columns": ["QI3"], "value": value}), X,
                       shuffle=False)  # fmt: skip
        assert made.public.frame["QI3"].cast(pl.Int64).equals(D.frame["QI3"])
        assert made.public.frame.drop("QI3").equals(D.frame.drop("QI3"))


@pytest.mark.parametrize(
    ("values", "mode"),
    [
        ([3, 1, 3, 2], 3),
        ([3, 1], 1),  # a tie goes to the smallest
        (["b", "a", "b"], "b"),
        (["[1;2]", "[1;2]", "5"], "5"),  # plain values before generalized cells
        (["[1;2]", "*", "[1;2]"], "[1;2]"),
        ([None, None, 4], 4),
        ([None, None], None),
    ],
)
def test_unify_takes_the_most_frequent_value(values: list[Any], mode: Any) -> None:
    frame = pl.DataFrame({"q": values, "s": range(len(values))})
    made = made_by(Unify(("q",)), Table.of(frame, qi=["q"], sa=["s"]))
    assert made.public.frame["q"].to_list() == [mode] * len(values)
    assert [claim.rule for claim in made.claims] == ["constant"]


def test_unify_without_columns_spares_the_first_six() -> None:
    frame = pl.DataFrame({f"q{j}": [1, 2, 2] for j in range(8)} | {"s": [1, 2, 3]})
    source = Table.of(frame, qi=[f"q{j}" for j in range(8)], sa=["s"])
    made = made_by(Unify(), source, shuffle=False).public.frame
    assert made.select("q6", "q7").unique().rows() == [(2, 2)]
    kept = [f"q{j}" for j in range(6)] + ["s"]
    assert made.select(kept).equals(frame.select(kept))


def test_unify_says_what_is_missing() -> None:
    with pytest.raises(UsageError, match="unify: name the columns"):
        made_by(Unify(), X)
    with pytest.raises(UnknownNameError, match=r"unify: unknown column 'QI33'. Did you mean 'QI3'"):
        made_by(Unify(("QI33",)), X)


# --- G


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


# --- H


@given(rows=ROWS, share=st.floats(0, 1), choose=st.sampled_from(["random", "exposed"]))
def test_delete_drops_the_share_and_keeps_the_rest(
    rows: list[tuple[int, int, int]], share: float, choose: Any
) -> None:
    source = table(rows)
    made = made_by(Delete(share, choose), source)
    left = max(1, source.rows - round(share * source.rows))
    assert made.public.rows == left == len(set(made.link.tolist()))
    assert made.public.frame.equals(source.frame[made.link])


def test_delete_random_takes_everyone_equally_often() -> None:
    source = table([(0, i, 0) for i in range(10)])
    kept = Counter(
        row for seed in range(400) for row in made_by(Delete(0.5), source, seed).link.tolist()
    )
    assert min(kept.values()) > 150
    assert max(kept.values()) < 250


def test_delete_exposed_takes_small_classes_then_outliers() -> None:
    rows = [(0, 5, 5), (0, 5, 5), (0, 6, 6), (0, 99, 5), (1, 5, 5), (1, 8, 8), (2, 5, 5)]
    order = []
    for count in range(1, 7):
        made = made_by(Delete(count / 7, "exposed"), table(rows))
        gone = set(range(7)) - set(made.link.tolist())
        order += [row for row in gone if row not in order]
    # alone in its class; the class of two, its outlier first; then the outlier of the large class
    assert order[:4] == [6, 5, 4, 3]


def test_delete_breaks_ties_of_exposure_by_chance() -> None:
    source = table([(0, 1, 1)] * 6)
    gone = set()
    for seed in range(40):
        made = made_by(Delete(1 / 6, "exposed"), source, seed)
        gone |= set(range(6)) - set(made.link.tolist())
    assert gone == set(range(6))


@pytest.mark.parametrize("method", [Delete, Yamaoka])
@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_impossible_share(method: Any, share: float) -> None:
    with pytest.raises(UsageError, match="share must lie between 0 and 1"):
        method(share)
