"""The whole optimizer: valid, deterministic, optimal where that can be checked, and good."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.small_purchases import best_loss_of_pairs, loss, purchases_of, random_purchases
from tokumei.kernels.history_alignment import PurchaseArrays, align, pair_costs
from tokumei.kernels.history_alignment.cluster_search import search_clusters

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
    before = pairs[0].cost.copy()
    shared, own = align(purchases, 3, pairs=pairs), align(purchases, 3)
    assert np.array_equal(shared.groups, own.groups)
    assert np.array_equal(pairs[0].cost, before)


def test_the_search_knows_its_loss_and_effort_lowers_it():
    purchases = random_purchases(8, 80, 30, items=40)
    (pairs,) = pair_costs(purchases)
    losses = []
    for tries in (0, 40):
        found = search_clusters(purchases, 5, pairs, tries=tries, seed=0, threads=2)
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
        align(PurchaseArrays(start, *columns, purchases.sd), 2)


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr("tokumei.kernels.history_alignment.customer_parts.MAX_WHOLE_CUSTOMERS", 20)
    monkeypatch.setattr("tokumei.kernels.history_alignment.customer_parts.PART_CUSTOMERS", 10)


@pytest.mark.usefixtures("small_parts")
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seeds, st.integers(18, 47), st.integers(2, 5))
def test_parts_give_a_valid_alignment_of_all(seed, customers, k):
    """Nobody more is left over than if all were taken at once."""
    purchases = random_purchases(seed, customers, 4)
    shares = []
    assert_valid(purchases, k, align(purchases, k, effort=1, progress=shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


@pytest.mark.usefixtures("small_parts")
def test_parts_are_what_aligning_slices_by_hand_gives():
    purchases = random_purchases(5, 30, 4)
    rows = [
        list(zip(*(column[a:b] for column in columns_of(purchases)), strict=True))
        for a, b in pairwise(purchases.start)
    ]
    prices = [[row[1] for row in history] for history in rows]
    order = sorted(range(30), key=lambda c: (-len(rows[c]), max(prices[c]), min(prices[c])))
    expected = []
    for first in (0, 10, 20):
        mine = sorted(order[first : first + 10])
        part = purchases_of([rows[c] for c in mine])
        alone = align(PurchaseArrays(part.start, *columns_of(part), purchases.sd), 5, seed=3)
        own = [row for c in mine for row in range(*purchases.start[c : c + 2])]
        expected += [[own[row] for row in group] for group in alone.groups]
    assert align(purchases, 5, seed=3).groups.tolist() == expected


@pytest.mark.usefixtures("small_parts")
def test_k_beyond_a_part_is_refused():
    with pytest.raises(ValueError, match="in parts"):
        align(random_purchases(1, 30, 3), 12)


def columns_of(purchases):
    return purchases.day, purchases.price, purchases.quantity, purchases.item


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
    purchases = PurchaseArrays(
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
