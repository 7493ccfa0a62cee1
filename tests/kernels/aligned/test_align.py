"""The whole optimizer: valid, deterministic, optimal where that can be checked, and good."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.small_purchases import best_loss_of_pairs, loss, purchases_of, random_purchases
from tokumei.kernels.aligned import Purchases, align, pair_costs
from tokumei.kernels.aligned.search import search

seeds = st.integers(0, 10**6)


def assert_valid(purchases, k, alignment):
    customers = alignment.customers
    assert customers.shape == (purchases.customers // k, k)
    assert len(set(customers.ravel().tolist())) == customers.size
    rows = alignment.groups
    assert rows.shape[1] == k
    assert len(alignment.cluster) == len(rows)
    assert len(set(rows.ravel().tolist())) == rows.size
    owner = np.repeat(np.arange(purchases.customers), purchases.lengths)
    assert (owner[rows] == customers[alignment.cluster]).all()
    slots = np.bincount(alignment.cluster, minlength=len(customers))
    assert (slots == purchases.lengths[customers].min(axis=1)).all()


@settings(max_examples=30)
@given(seeds, st.integers(2, 9), st.integers(2, 5), st.integers(1, 8))
def test_every_alignment_is_valid(seed, customers, k, longest):
    purchases = random_purchases(seed, customers, longest)
    if k > customers:
        with pytest.raises(ValueError, match=f"k = {k}"):
            align(purchases, k)
    else:
        assert_valid(purchases, k, align(purchases, k, seed=seed % 7))


@settings(max_examples=25)
@given(seeds, st.integers(2, 5))
def test_high_effort_finds_the_optimum_of_tiny_instances(seed, customers):
    purchases = random_purchases(seed, customers, 3)
    found = align(purchases, 2, effort="high", seed=1)
    assert loss(purchases, found) == pytest.approx(best_loss_of_pairs(purchases))


def test_threads_change_nothing_and_seeds_matter():
    purchases = random_purchases(3, 60, 25)
    one, two = (align(purchases, 4, seed=5, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.groups, two.groups)
    assert np.array_equal(one.customers, two.customers)
    other = align(purchases, 4, seed=6)
    assert not np.array_equal(one.customers, other.customers)


def test_pair_costs_can_be_shared():
    purchases = random_purchases(4, 30, 12)
    pairs = pair_costs(purchases, threads=1)
    before = pairs.cost.copy()
    shared, own = align(purchases, 3, pairs=pairs), align(purchases, 3)
    assert np.array_equal(shared.groups, own.groups)
    assert np.array_equal(pairs.cost, before)


def test_the_search_knows_its_loss_and_effort_lowers_it():
    purchases = random_purchases(8, 80, 30, items=40)
    pairs = pair_costs(purchases)
    losses = []
    for tries in (0, 40):
        found = search(purchases, 5, pairs, tries=tries, seed=0, threads=2)
        losses.append(loss(purchases, found.alignment()))
        assert found.loss == pytest.approx(losses[-1])
    assert losses[1] < losses[0]


def test_the_misfit_is_dropped():
    """Four alike and one short stranger: dropping the stranger leaves no loss but its row."""
    alike = [(1, 100, 1, 0), (5, 200, 2, 1)]
    purchases = purchases_of([alike, alike, [(300, 9000, 50, 7)], alike, alike])
    found = align(purchases, 2)
    assert 2 not in found.customers
    assert loss(purchases, found) == pytest.approx(1 / 9)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_identical_rows_cost_nothing(k):
    purchases = purchases_of([[(3, 250, 2, 4)] * 2] * 7)
    found = align(purchases, k)
    assert_valid(purchases, k, found)
    assert loss(purchases, found) == pytest.approx(2 * (7 % k) / 14)


def test_progress_rises_to_one():
    shares = []
    align(random_purchases(2, 30, 6), 3, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_wrong_arguments_are_refused():
    purchases = random_purchases(1, 5, 3)
    with pytest.raises(ValueError, match="k = 1"):
        align(purchases, 1)
    with pytest.raises(ValueError, match="normal, high"):
        align(purchases, 2, effort="enormous")
    start = np.append(purchases.start, purchases.rows)
    columns = purchases.day, purchases.price, purchases.quantity, purchases.item
    with pytest.raises(ValueError, match="needs a row"):
        align(Purchases(start, *columns, purchases.sd), 2)


@pytest.mark.long
@pytest.mark.data
def test_contest_data_at_k_6(real_data):
    frame = pl.read_csv(
        real_data / "pwscup2018" / "T.csv",
        has_header=False,
        new_columns=["customer", "day", "item", "price", "quantity"],
        infer_schema=False,
    ).sort("customer", maintain_order=True)
    lengths = frame.group_by("customer", maintain_order=True).len()["len"].to_numpy()
    day = frame["day"].str.to_date("%Y/%m/%d").cast(pl.Int32).to_numpy().astype(float)
    price = np.round(frame["price"].cast(float).to_numpy() * 100)
    quantity = frame["quantity"].cast(float).to_numpy()
    item = frame["item"].rank("dense").to_numpy().astype(np.int32)
    purchases = Purchases(
        np.concatenate([[0], np.cumsum(lengths)]),
        day,
        price,
        quantity,
        item,
        (day.std(), price.std(), quantity.std()),
    )
    found = align(purchases, 6, seed=1)
    assert_valid(purchases, 6, found)
    assert loss(purchases, found) < min(0.428, 0.75 * 0.615)
