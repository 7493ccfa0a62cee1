import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.kernels.aligned.cost import joint_costs, load, load_rows, slot_costs
from tokumei.kernels.aligned.exchange import exchange_costs, replace
from tokumei.kernels.aligned.rows import Table, build, cluster_cost

from .histories import group_cost, random_purchases, total_cost

seeds = st.integers(0, 10**6)


def groups_of(purchases, members, slot, slots):
    """The rows in each slot, read off naively."""
    rows = [
        row
        for member in members
        for row in range(purchases.start[member], purchases.start[member + 1])
    ]
    return [[row for row in rows if slot[row] == s] for s in range(slots)]


@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_joint_costs_are_the_costs_of_the_joined_groups(seed, left, right):
    purchases = random_purchases(seed, left + right, 5, items=3)
    table = Table.of(purchases)
    slot = np.full(purchases.rows, -1, np.int32)
    sides = np.arange(left), np.arange(left, left + right)
    slots = [build(table, side, slot, 1, 20)[0] for side in sides]
    loaded = [
        load(side, table.start, slot, 0, count, table.values, table.items)
        for side, count in zip(sides, slots, strict=True)
    ]
    head = np.full(table.kinds, -1, np.int64)
    cost = joint_costs(*loaded[0], *loaded[1], left + right, table.weights, head)
    assert (head == -1).all()
    groups = [groups_of(purchases, m, slot, n) for m, n in zip(sides, slots, strict=True)]
    for s, mine in enumerate(groups[0]):
        for t, theirs in enumerate(groups[1]):
            assert cost[s, t] == pytest.approx(group_cost(purchases, mine + theirs), abs=1e-9)


@given(seeds, st.integers(1, 5))
def test_a_cluster_costs_what_its_groups_and_deleted_rows_cost(seed, k):
    purchases = random_purchases(seed, k, 6, items=3)
    table, members = Table.of(purchases), np.arange(k)
    slot = np.full(purchases.rows, -1, np.int32)
    slots, cost = build(table, members, slot, 2, 20)
    groups = groups_of(purchases, members, slot, slots)
    assert slots == purchases.lengths.min()
    assert all(len(rows) == k for rows in groups)
    assert cost == pytest.approx(total_cost(purchases, groups))


@given(seeds, st.integers(2, 4))
def test_an_exchange_costs_what_was_predicted_for_it(seed, k):
    purchases = random_purchases(seed, 2 * k, 5, items=3)
    table, members = Table.of(purchases), np.arange(2 * k).reshape(2, k)
    slot = np.full(purchases.rows, -1, np.int32)
    slots = np.array([build(table, line, slot, 1, 20)[0] for line in members])
    exchange = np.array([[0, k, 0, 1]])
    tried = exchange_costs(table, members, exchange, slot, slots, 20)[0]
    for customer in (0, k):
        slot[purchases.start[customer] : purchases.start[customer + 1]] = -1
    for g, (leaver, newcomer) in enumerate([(0, k), (k, 0)]):
        count = replace(table, members[g], leaver, newcomer, slot, slots[g], 20)
        groups = groups_of(purchases, members[g], slot, count)
        assert newcomer in members[g]
        assert all(len(rows) == k for rows in groups)
        assert cluster_cost(table, members[g], slot, count) == pytest.approx(tried[g])


def test_a_dear_column_is_given_up():
    """One price far off: its interval costs more than the two cells are worth."""
    purchases = random_purchases(0, 12, 4)
    purchases.price[0] = 10**6
    table = Table.of(purchases)
    rows = np.array([0, 1])
    spans, _, count = load_rows(rows, table.values, table.items)
    assert slot_costs(spans, count, 1, table.weights).tolist() == [0, 0]
    both = joint_costs(
        *load_rows(rows[:1], table.values, table.items),
        *load_rows(rows[1:], table.values, table.items),
        2,
        table.weights,
        np.full(table.kinds, -1, np.int64),
    )
    assert both[0, 0] == pytest.approx(group_cost(purchases, rows))
    assert both[0, 0] >= 2
