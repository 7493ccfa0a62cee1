import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tokumei.core.randomness import Randomness
from tokumei.histories.categories.co_purchase import (
    co_purchase_categories,
    draw_first_centres,
    run_kmeans,
    spherical_kmeans,
    svd_directions,
)


def planted(groups=4, items=60, customers=80, seed=1):
    """Customers of each group buy mostly items of that group."""
    rng = np.random.default_rng(seed)
    customer = rng.integers(groups * customers, size=groups * customers * 15)
    group = np.where(rng.random(len(customer)) < 0.9, customer % groups, rng.integers(groups))
    item = group * items + rng.integers(items, size=len(customer))
    columns = {"customer": customer, "item": [f"g{n // items}-{n % items}" for n in item]}
    return pl.DataFrame(columns)


def partition(categories):
    groups = {}
    for item, category in categories.of.items():
        groups.setdefault(category, set()).add(item)
    return {frozenset(group) for group in groups.values()}


@pytest.mark.parametrize(("groups", "items"), [(3, 20), (5, 70)])
def test_planted_groups_are_found(groups, items):
    found = co_purchase_categories(planted(groups, items), number=groups)
    expected = {}
    for item in found.of:
        expected.setdefault(item.split("-")[0], set()).add(item)
    assert partition(found) == {frozenset(group) for group in expected.values()}


def test_a_category_is_named_after_its_most_bought_item():
    rows = [("a", "x"), ("b", "x"), ("b", "y"), ("c", "z"), ("d", "w"), ("c", "w")]
    frame = pl.DataFrame(rows, schema=["customer", "item"], orient="row")
    found = co_purchase_categories(frame, number=2)
    assert found.name == "co-purchase"
    assert found.of == {"x": "like x", "y": "like x", "z": "like w", "w": "like w"}


def test_a_tie_is_named_after_the_first_item_by_name():
    frame = pl.DataFrame({"customer": ["a", "a"], "item": ["z", "y"]})
    assert set(co_purchase_categories(frame, number=1).of.values()) == {"like y"}


def test_rows_in_another_order_or_repeated_change_nothing():
    frame = planted(5, 70)
    first = co_purchase_categories(frame, number=8, seed=3)
    shuffled = pl.concat([frame, frame.head(500)]).sample(fraction=1, shuffle=True, seed=9)
    assert co_purchase_categories(shuffled, number=8, seed=3).of == first.of


def test_other_columns_do_not_matter():
    frame = planted(3, 20)
    more = frame.with_columns(price=pl.lit(1.5), day=pl.int_range(pl.len()))
    assert co_purchase_categories(more, number=3).of == co_purchase_categories(frame, number=3).of


@pytest.mark.parametrize(
    ("customers", "items", "expected"),
    [
        ([], [], 0),
        (["a"], ["x"], 1),
        (["a", "b"], ["x", "y"], 2),
        (["a", "a"], ["x", "y"], 1),
        ([1, 2, 2], ["x", "x", "once"], 2),
    ],
)
def test_tiny_histories(customers, items, expected):
    frame = pl.DataFrame({"customer": customers, "item": items}, schema_overrides={"item": str})
    assert len(co_purchase_categories(frame).sizes()) == expected


def test_everybody_buys_everything():
    everything = pl.DataFrame({"customer": range(300)}).join(
        pl.DataFrame({"item": [f"{n}" for n in range(250)]}), how="cross"
    )
    assert len(co_purchase_categories(everything).sizes()) == 1


def test_every_item_has_its_own_customer():
    frame = pl.DataFrame({"customer": range(400), "item": [f"{n}" for n in range(400)]})
    found = co_purchase_categories(frame, number=5)
    assert len(found.of) == 400
    assert 1 <= len(found.sizes()) <= 5


@given(
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from("abcdefgh")), max_size=40),
    st.integers(1, 5),
    st.integers(0, 3),
)
def test_every_item_once_in_at_most_so_many_categories(rows, number, seed):
    frame = pl.DataFrame(rows, schema={"customer": pl.Int64, "item": pl.String}, orient="row")
    found = co_purchase_categories(frame, number=number, seed=seed)
    assert set(found.of) == {item for _, item in rows}
    assert len(found.sizes()) <= number
    for category in found.sizes():
        assert found.of[category.removeprefix("like ")] == category


def test_sparse_and_dense_directions_agree():
    """Above the size of the dense way, cosines are those of the dense decomposition."""
    rng = np.random.default_rng(5)
    low = rng.random((260, 8)) @ rng.random((8, 240))
    weights = sparse.csr_array(low * (rng.random(low.shape) < 0.3))
    seen = svd_directions(weights, Randomness(0))
    left, strengths, _ = np.linalg.svd(weights.toarray(), full_matrices=False)
    slow = left[:, :50] * strengths[:50]
    slow /= np.linalg.norm(slow, axis=1, keepdims=True)
    np.testing.assert_allclose(seen @ seen.T, slow @ slow.T, atol=1e-6)


def slow_settle(rows, centres, rounds=100):
    """Lloyd's loop with one row at a time."""
    labels = None
    for _ in range(rounds):
        cosines = [[float(np.dot(row, centre)) for centre in centres] for row in rows]
        nearest = [max(range(len(centres)), key=lambda n: (line[n], -n)) for line in cosines]
        if nearest == labels:
            break
        labels = nearest
        moved = []
        for n, centre in enumerate(centres):
            total = sum((row for row, label in zip(rows, labels, strict=True) if label == n), 0.0)
            length = np.linalg.norm(total)
            moved.append(total / length if length > 1e-12 else centre)
        centres = moved
    return labels


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 25), st.integers(1, 5))
def test_settling_agrees_with_the_slow_loop(seed, size, number):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((size, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    centres = draw_first_centres(rows, number, rng)
    labels, total = run_kmeans(rows, centres)
    assert labels.tolist() == slow_settle(list(rows), list(centres))
    assert total >= (rows @ centres.T).max(axis=1).sum() - 1e-9


def test_the_best_of_the_starts_is_kept():
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((200, 4))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    def total(labels):
        groups = [rows[labels == n].sum(axis=0) for n in np.unique(labels)]
        return sum(np.linalg.norm(group) for group in groups)

    source = Randomness(4)
    starts = [source.child("start", n).generator for n in range(4)]
    tried = [run_kmeans(rows, draw_first_centres(rows, 6, start))[0] for start in starts]
    kept = spherical_kmeans(rows, number=6, randomness=Randomness(4))
    assert total(kept) == pytest.approx(max(map(total, tried)))


def test_centres_differ_while_rows_do():
    rows = np.repeat(np.eye(3), 5, axis=0)
    centres = draw_first_centres(rows, 10, np.random.default_rng(0))
    assert sorted(centres.argmax(axis=1)) == [0, 1, 2]
