import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_purchases import group_cost, random_purchases, total_cost
from tokumei.kernels.history_alignment.row_aligner import RowAligner
from tokumei.kernels.loading import load_uncompiled

seeds = st.integers(0, 10**6)


@pytest.fixture(scope="module")
def python():
    """The sources of the kernel, run by Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKUMEI_KERNELS", "uncompiled")
        yield load_uncompiled("history_alignment")


def groups_of(purchases, members, slot, slots):
    """The rows in each slot, read off naively."""
    rows = [
        row
        for member in members
        for row in range(purchases.start[member], purchases.start[member + 1])
    ]
    return [[row for row in rows if slot[row] == s] for s in range(slots)]


@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_joint_costs_are_the_costs_of_the_joined_groups(python, seed, left, right):
    purchases = random_purchases(seed, left + right, 5, items=3)
    aligner = RowAligner(purchases)
    slot = np.full(purchases.rows, -1, np.int32)
    sides = np.arange(left), np.arange(left, left + right)
    slots = [aligner.align_cluster(side, slot, 1, 20)[0] for side in sides]
    room = aligner._thread_workspace(5, 25, left + right)
    for half, side, count in zip((room.left, room.right), sides, slots, strict=True):
        python.load_slots(room, half, side, len(side), slot, 0, count)
    python.joint_costs(room, room.left, room.right, left + right)
    assert (room.head == -1).all()
    groups = [groups_of(purchases, m, slot, n) for m, n in zip(sides, slots, strict=True)]
    for s, mine in enumerate(groups[0]):
        for t, theirs in enumerate(groups[1]):
            cost = room.cost[s * slots[1] + t]
            assert cost == pytest.approx(group_cost(purchases, mine + theirs), abs=1e-9)


@given(seeds, st.integers(1, 5))
def test_a_cluster_costs_what_its_groups_and_deleted_rows_cost(seed, k):
    purchases = random_purchases(seed, k, 6, items=3)
    members = np.arange(k)
    slot = np.full(purchases.rows, -1, np.int32)
    slots, cost = RowAligner(purchases).align_cluster(members, slot, 2, 20)
    groups = groups_of(purchases, members, slot, slots)
    assert slots == purchases.lengths.min()
    assert all(len(rows) == k for rows in groups)
    assert cost == pytest.approx(total_cost(purchases, groups))


@given(seeds, st.integers(2, 4))
def test_an_exchange_costs_what_was_predicted_for_it(seed, k):
    purchases = random_purchases(seed, 2 * k, 5, items=3)
    aligner, members = RowAligner(purchases), np.arange(2 * k).reshape(2, k)
    slot = np.full(purchases.rows, -1, np.int32)
    slots = np.array([aligner.align_cluster(line, slot, 1, 20)[0] for line in members])
    exchange = np.array([[0, k, 0, 1]])
    tried = aligner.exchange_costs(members, exchange, slot, slots, 20)[0]
    for customer in (0, k):
        slot[purchases.start[customer] : purchases.start[customer + 1]] = -1
    for g, (leaver, newcomer) in enumerate([(0, k), (k, 0)]):
        count = aligner.replace(members[g], leaver, newcomer, slot, int(slots[g]), 20)
        groups = groups_of(purchases, members[g], slot, count)
        assert newcomer in members[g]
        assert all(len(rows) == k for rows in groups)
        assert aligner.realign(members[g], slot, count, 0, 20) == pytest.approx(tried[g])


def test_a_dear_column_is_given_up(python):
    """One price far off: its interval costs more than the two cells are worth."""
    purchases = random_purchases(0, 12, 4)
    purchases.price[0] = 10**6
    room = RowAligner(purchases)._thread_workspace(2, 4, 1)
    for row, side in enumerate((room.left, room.right)):
        side.slots = side.width = 1
        python.load_row(room, side, 0, row)
        assert python.slot_costs(room, side, 1) == 0
    python.joint_costs(room, room.left, room.right, 2)
    assert room.cost[0] == pytest.approx(group_cost(purchases, np.array([0, 1])))
    assert room.cost[0] >= 2
