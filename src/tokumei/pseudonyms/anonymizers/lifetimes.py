"""Assigns pseudonyms by period and customer, and measures the exposure of each.

    slots = LifetimeScheduler(longest=3).slots(active, rng=rng)  # customers × periods, -1 for none
    # its rows, items, or the chance of a unique point
    meter = build_exposure_meter("rows", purchases)
    meter.after(slots, period)              # what each slot would tell after one more period

A slot is the place of a pseudonym in a list made later; it belongs to one customer at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.noise import round_half_up
from tokumei.pseudonyms.data.period_history import PeriodHistory


@dataclass(frozen=True, eq=False)
class PurchaseCodes:
    """Released rows as numbers: customer, month and item of each; how many there are of each."""

    person: np.ndarray
    period: np.ndarray
    item: np.ndarray
    people: int
    periods: int
    items: int

    @classmethod
    def of(cls, history: PeriodHistory) -> PurchaseCodes:
        """The rows of an original."""
        people, items = len(history.master.customers), len(history.items)
        return cls(
            history.person, history.period, history.item, people, history.months.count, items
        )

    def take(self, chosen: np.ndarray) -> PurchaseCodes:
        """The chosen rows."""
        rows = {name: getattr(self, name)[chosen] for name in ("person", "period", "item")}
        return replace(self, **rows)

    def counts(self, chosen: np.ndarray | None = None) -> np.ndarray:
        """Rows (all or the chosen ones) of every customer and month."""
        pair = self.person * self.periods + self.period
        pair = pair if chosen is None else pair[chosen]
        counts = np.bincount(pair, minlength=self.people * self.periods)
        return counts.reshape(self.people, self.periods)

    def buyers(self) -> np.ndarray:
        """How many customers bought each item."""
        pair = np.unique(self.item * self.people + self.person)
        return np.bincount(pair // self.people, minlength=self.items)

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """One row of every (customer, month, item), and whether nobody else has the point."""
        key = (self.period * self.items + self.item) * self.people + self.person
        _, row = np.unique(key, return_index=True)
        point = self.period[row] * self.items + self.item[row]
        _, place, owners = np.unique(point, return_inverse=True, return_counts=True)
        return row, owners[place] == 1


@dataclass(eq=False)
class SumExposureMeter:
    """Sums what every slot has exposed so far: `amounts` has a row per customer."""

    amounts: np.ndarray
    totals: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        # No more slots can be used than there are cells; the last place, of slot -1, stays 0.
        self.totals = np.zeros(self.amounts.size + 1)

    def after(self, slots: np.ndarray, period: int) -> np.ndarray:
        """The exposure of every customer's slot if it is also used in this period."""
        return np.asarray(self.totals[slots] + self.amounts[:, period])

    def add(self, slots: np.ndarray, period: int) -> None:
        """The slots are used in this period."""
        used = slots >= 0
        self.totals[slots[used]] += self.amounts[used, period]


@dataclass(eq=False)
class ItemExposureMeter:
    """Different items: an item counts once, in however many periods it occurs."""

    purchases: PurchaseCodes
    seen: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def after(self, slots: np.ndarray, period: int) -> np.ndarray:
        """The items of slot and period together."""
        people, keys = self._slot_item_keys(slots, period)
        new_people = people[~np.isin(keys, self.seen)]
        seen_counts = np.bincount(self.seen // self.purchases.items, minlength=slots.max() + 2)
        fresh_counts = np.bincount(new_people, minlength=self.purchases.people)
        return np.asarray(fresh_counts + seen_counts[slots] * (slots >= 0))

    def add(self, slots: np.ndarray, period: int) -> None:
        """Remember the items of this period."""
        people, keys = self._slot_item_keys(slots, period)
        self.seen = np.union1d(self.seen, keys[slots[people] >= 0])

    def _slot_item_keys(self, slots: np.ndarray, period: int) -> tuple[np.ndarray, np.ndarray]:
        """The customer and the (slot, item) of every different item bought in the period."""
        bought = self.purchases
        row = np.flatnonzero(bought.period == period)
        pair = np.unique(bought.person[row] * bought.items + bought.item[row])
        people, item = np.divmod(pair, bought.items)
        return people, slots[people] * bought.items + item


ExposureMeter = SumExposureMeter | ItemExposureMeter
"""Keeps what every slot has told so far."""


def build_exposure_meter(exposure: str, purchases: PurchaseCodes) -> ExposureMeter:
    """The meter of `rows`, `items` or `risk`."""
    if exposure == "items":
        return ItemExposureMeter(purchases)
    if exposure == "rows":
        return SumExposureMeter(purchases.counts())
    row, unique = purchases.points()
    return SumExposureMeter(purchases.counts(row[unique]))


def exposure_limit(exposure: str, bound: float, known: float) -> float:
    """The bound in the units of the meter: for the risk, how many unique points it allows.

    Who knows every point with chance `known` meets one of u unique points with 1 − (1 − known)^u.
    """
    if exposure != "risk":
        return bound
    if bound >= 1:
        return np.inf
    # A bound that is meant to allow exactly u points must not lose one to rounding.
    return np.log1p(-bound) / np.log1p(-known) + 1e-9 if known < 1 else 0.0


NO_SLOT = -1


@dataclass(eq=False)
class LifetimeScheduler:
    """Lives of pseudonyms: at most `longest` periods, never beyond `limit` on the meter.

    Without a meter all pseudonyms end together, every `longest` periods. With one, each lives as
    long as the meter lets it; a pseudonym of a single period may be beyond the limit.
    """

    longest: int
    meter: ExposureMeter | None = None
    limit: float = np.inf
    exchange: float = 0.0

    def slots(self, active: np.ndarray, *, rng: Randomness) -> np.ndarray:
        """The slot of every customer in every period in which it is active."""
        people, periods = active.shape
        running = np.full(people, NO_SLOT)
        born = np.full(people, NO_SLOT)
        table = np.full(active.shape, NO_SLOT)
        used = 0
        for period in range(periods):
            is_active = active[:, period]
            expired = self._has_expired(born, period)
            running[expired], born[expired] = NO_SLOT, NO_SLOT
            swap = self._choose_exchanging_customers(
                is_active & (running != NO_SLOT), rng.child("exchange", period)
            )
            running[swap], born[swap] = running[np.roll(swap, 1)], born[np.roll(swap, 1)]
            new = np.flatnonzero(is_active & self._needs_new_pseudonym(running, period))
            running[new], born[new] = used + np.arange(len(new)), period
            used += len(new)
            table[is_active, period] = running[is_active]
            if self.meter is not None:
                self.meter.add(np.where(is_active, running, NO_SLOT), period)
        return table

    def _has_expired(self, born: np.ndarray, period: int) -> np.ndarray:
        """Whose pseudonym has come to its end."""
        if self.meter is None:
            return np.full(len(born), period % self.longest == 0)
        return np.asarray((born != NO_SLOT) & (period - born >= self.longest))

    def _needs_new_pseudonym(self, running: np.ndarray, period: int) -> np.ndarray:
        """Who would need a new pseudonym in this period."""
        new = np.asarray(running == NO_SLOT)
        return new if self.meter is None else new | (self.meter.after(running, period) > self.limit)

    def _choose_exchanging_customers(self, able: np.ndarray, rng: Randomness) -> np.ndarray:
        """Customers in a random circle: each takes the pseudonym of the one before."""
        candidates = np.flatnonzero(able)
        number = round_half_up(self.exchange, len(candidates))
        if number < 2:
            return candidates[:0]
        return np.asarray(candidates[rng.permutation(len(candidates))[:number]])
