"""Lives of pseudonyms against a walk through every customer and month, one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from support.period_histories import period_histories
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.anonymizers.lifetimes import (
    LifetimeScheduler,
    PurchaseCodes,
    build_exposure_meter,
    exposure_limit,
)

EXPOSURES = st.sampled_from(["rows", "items", "risk"])


def told(rows: list[tuple[int, int, int]], everyone: list[tuple[int, int, int]], by: str) -> float:
    """What the (customer, month, item) rows of one pseudonym tell."""
    if by == "rows":
        return len(rows)
    if by == "items":
        return len({item for _, _, item in rows})
    points = {(month, item) for _, month, item in rows}
    owners = {p: {c for c, month, item in everyone if (month, item) == p} for p in points}
    return sum(len(owner) == 1 for owner in owners.values())


def reference(
    rows: list[tuple[int, int, int]], people: int, months: int, longest: int, by: str, limit: float
) -> list[list[int]]:
    """The slots of every customer, without exchange: a new one when the next month is too much."""
    table = [[-1] * months for _ in range(people)]
    running: dict[int, tuple[int, int, list[tuple[int, int, int]]]] = {}
    used = 0
    for month in range(months):
        for customer in range(people):
            now = [row for row in rows if row[:2] == (customer, month)]
            if not now:
                continue
            slot, born, before = running.get(customer, (-1, -1, []))
            too_old = slot < 0 or month - born >= longest
            if too_old or told(before + now, rows, by) > limit:
                slot, born, before, used = used, month, [], used + 1
            running[customer] = (slot, born, before + now)
            table[customer][month] = slot
    return table


def rows_of(bought: PurchaseCodes) -> list[tuple[int, int, int]]:
    columns = (bought.person.tolist(), bought.period.tolist(), bought.item.tolist())
    return list(zip(*columns, strict=True))


def alike(found: np.ndarray, wanted: list[list[int]]) -> bool:
    """Whether the same cells have the same slot, however numbered."""
    left, right = found.ravel(), np.array(wanted).ravel()
    same = left[:, None] == left[None, :]
    return bool(
        (same == (right[:, None] == right[None, :])).all() and ((left < 0) == (right < 0)).all()
    )


@settings(max_examples=50)
@given(period_histories(people=3), EXPOSURES, st.integers(0, 6), st.integers(1, 7))
def test_a_new_pseudonym_starts_exactly_when_the_bound_would_be_exceeded(
    history, by, limit, longest
):
    bought = PurchaseCodes.of(history)
    lives = LifetimeScheduler(longest, build_exposure_meter(by, bought), limit)
    found = lives.slots(bought.counts() > 0, rng=Randomness(1))
    wanted = reference(rows_of(bought), bought.people, bought.periods, longest, by, limit)
    assert alike(found, wanted)


@settings(max_examples=50)
@given(period_histories(), st.integers(1, 8))
def test_fixed_lives_end_together(history, lifetime):
    bought = PurchaseCodes.of(history)
    found = LifetimeScheduler(lifetime).slots(bought.counts() > 0, rng=Randomness(1))
    blocks = np.arange(bought.periods) // lifetime
    wanted = [
        [
            int(c * bought.periods + blocks[p]) if found[c, p] >= 0 else -1
            for p in range(bought.periods)
        ]
        for c in range(bought.people)
    ]
    assert alike(found, wanted)
    assert ((found >= 0) == (bought.counts() > 0)).all()


@settings(max_examples=50)
@given(period_histories(people=4), EXPOSURES, st.integers(1, 6), st.floats(0, 1), st.integers(0, 5))
def test_with_exchange_no_pseudonym_has_two_owners_at_once_and_bounds_hold(
    history, by, limit, exchange, seed
):
    bought = PurchaseCodes.of(history)
    lives = LifetimeScheduler(bought.periods, build_exposure_meter(by, bought), limit, exchange)
    found = lives.slots(bought.counts() > 0, rng=Randomness(seed))
    rows = rows_of(bought)
    for period in range(bought.periods):
        used = found[found[:, period] >= 0, period]
        assert len(set(used.tolist())) == len(used)
    for slot in range(found.max() + 1):
        owners, months = np.nonzero(found == slot)
        own = [r for r in rows if r[:2] in set(zip(owners.tolist(), months.tolist(), strict=True))]
        assert len(months) == 1 or told(own, rows, by) <= limit
    assert set(found[found >= 0].tolist()) == set(range(found.max() + 1))


def test_everyone_exchanges():
    active = np.ones((40, 6), dtype=bool)
    found = LifetimeScheduler(6, exchange=1.0).slots(active, rng=Randomness(3))
    assert (found[:, 1:] != found[:, :-1]).all()
    assert (np.sort(found, axis=0) == np.arange(40)[:, None]).all()
    half = LifetimeScheduler(6, exchange=0.5).slots(active, rng=Randomness(3))
    assert ((half[:, 1:] != half[:, :-1]).sum(axis=0) == 20).all()
    still = LifetimeScheduler(6, exchange=0.0).slots(active, rng=Randomness(3))
    assert (still == still[:, :1]).all()


def test_the_risk_allows_as_many_unique_points_as_its_bound_means():
    for points in range(12):
        bound = 1 - 0.75**points
        assert int(exposure_limit("risk", bound, 0.25)) == points
    assert exposure_limit("risk", 1.0, 0.25) == np.inf
    assert exposure_limit("risk", 0.5, 1.0) == 0
    assert exposure_limit("rows", 40, 0.25) == 40
