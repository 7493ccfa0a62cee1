"""Which pseudonym every customer has in every period: when a new one starts, who exchanges.

    slots = Lifetimes(longest=3).slots(active, rng=rng)     # customers × periods, -1 for none

A slot is the place of a pseudonym in a list made later; a slot belongs to one customer at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.anonymizers.exposure import Meter
from tokumei.pseudonyms.data.noise import half_up

NONE = -1


@dataclass(eq=False)
class Lifetimes:
    """Lives of pseudonyms: at most `longest` periods, never beyond `limit` on the meter.

    Without a meter all pseudonyms end together, every `longest` periods. With one, each lives as
    long as the meter lets it; a pseudonym of a single period may be beyond the limit.
    """

    longest: int
    meter: Meter | None = None
    limit: float = np.inf
    exchange: float = 0.0

    def slots(self, active: np.ndarray, *, rng: Randomness) -> np.ndarray:
        """The slot of every customer in every period in which it is active."""
        people, periods = active.shape
        running = np.full(people, NONE)
        born = np.full(people, NONE)
        table = np.full(active.shape, NONE)
        used = 0
        for period in range(periods):
            here = active[:, period]
            over = self._over(born, period)
            running[over], born[over] = NONE, NONE
            swap = self._exchanged(here & (running != NONE), rng.child("exchange", period))
            running[swap], born[swap] = running[np.roll(swap, 1)], born[np.roll(swap, 1)]
            new = np.flatnonzero(here & self._new(running, period))
            running[new], born[new] = used + np.arange(len(new)), period
            used += len(new)
            table[here, period] = running[here]
            if self.meter is not None:
                self.meter.add(np.where(here, running, NONE), period)
        return table

    def _over(self, born: np.ndarray, period: int) -> np.ndarray:
        """Whose pseudonym has come to its end."""
        if self.meter is None:
            return np.full(len(born), period % self.longest == 0)
        over: np.ndarray = (born != NONE) & (period - born >= self.longest)
        return over

    def _new(self, running: np.ndarray, period: int) -> np.ndarray:
        """Who would need a new pseudonym in this period."""
        new: np.ndarray = running == NONE
        if self.meter is not None:
            new |= self.meter.after(running, period) > self.limit
        return new

    def _exchanged(self, able: np.ndarray, rng: Randomness) -> np.ndarray:
        """Customers in a random circle: each takes the pseudonym of the one before."""
        everyone = np.flatnonzero(able)
        number = half_up(self.exchange, len(everyone))
        if number < 2:
            return everyone[:0]
        circle: np.ndarray = everyone[rng.permutation(len(everyone))[:number]]
        return circle
