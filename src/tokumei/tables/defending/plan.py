"""A pipeline as a point that a search can move: what is done with QI, what with SA, in what order.

Plan(k=100, values="swap-near", near=20).methods()   # mondrian k = 100, swap among 20 similar rows
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tokumei.core.cells import STAR
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify

Values = Literal["kept", "swap", "swap-near", "mean", "mean-near"]
NEAR: tuple[Values, ...] = ("swap-near", "mean-near")
NUMERIC: tuple[Values, ...] = ("swap-near", "mean", "mean-near")
COARSE_K = (5, 25, 125, 625)
COARSE_NEAR = (10, 50, 250)
COARSE_NOISE = (0.0, 0.1, 1.0)
SMALLEST_NOISE = 0.01
STEPS = (0.6, 1.6)


@dataclass(frozen=True)
class Limits:
    """What plans a table allows: its rows, whether it has SA, numbers among them, spare QI."""

    rows: int
    has_qi: bool
    has_sa: bool
    all_numbers: bool
    some_numbers: bool
    spare: tuple[str, ...]
    """The QI that the cross table does not use."""
    least_k: int = 0

    def allow(self, plan: Plan) -> bool:
        """Whether a plan can be carried out, keeps the least k, and is not another one in disguise.

        Averages with noise on top would no longer be equal, which is claimed of `mean-near`.
        """
        if plan.k < self.least_k or (plan.k and not (self.has_qi and 2 <= plan.k <= self.rows)):
            return False
        if (plan.unify and not self.spare) or (plan.values != "kept" and not self.has_sa):
            return False
        numbers = self.some_numbers if plan.values == "swap-near" else self.all_numbers
        if (plan.values in NUMERIC or plan.noise) and not (numbers and self.has_sa):
            return False
        if plan.values in NEAR and not 2 <= plan.near <= self._most_near(plan):
            return False
        if plan.noise and plan.values in ("mean", "mean-near"):
            return False
        return not plan.values_first or (bool(plan.k) and plan.values in ("swap", "mean"))

    def _most_near(self, plan: Plan) -> int:
        """Groups inside classes of k rows cannot be larger; without classes averages need none."""
        return plan.k // 2 if plan.k else (0 if plan.values == "mean-near" else self.rows // 2)


@dataclass(frozen=True)
class Plan:
    """`unify`: spare QI are suppressed. `k`: Mondrian, 0 for none. `noise`: added last, 0 for none.

    `values_first`: swapping and averages happen before Mondrian, in the original's classes.
    """

    unify: bool = False
    k: int = 0
    values: Values = "kept"
    near: int = 0
    noise: float = 0.0
    values_first: bool = False

    def quasi(self, limits: Limits) -> tuple[TableMethod, ...]:
        """What is done with the quasi-identifiers."""
        spare = (Unify(limits.spare, STAR),) if self.unify else ()
        return (*spare, *((Mondrian(self.k),) if self.k else ()))

    def sensitive(self) -> tuple[TableMethod, ...]:
        """What is done with the sensitive values, apart from noise."""
        made: dict[Values, tuple[TableMethod, ...]] = {
            "kept": (),
            "swap": (Swap(),),
            "swap-near": (Swap("near", max(2, self.near)),),
            "mean": (Microaggregate(),),
            "mean-near": (Microaggregate("near", self.near),),
        }
        return made[self.values]

    def methods(self, limits: Limits) -> tuple[TableMethod, ...]:
        """The steps in their order; none for a plan that changes nothing."""
        first, then = self.quasi(limits), self.sensitive()
        if self.values_first:
            first, then = then, first
        return (*first, *then, *((Noise(self.noise),) if self.noise else ()))

    def neighbours(self) -> Iterator[Plan]:
        """Plans that differ in one thing by one step."""
        yield replace(self, unify=not self.unify)
        if self.k:
            for times in STEPS:
                yield replace(self, k=round(self.k * times))
        if self.near:
            for times in STEPS:
                yield replace(self, near=round(self.near * times))
            yield replace(self, near=round(self.near * 1.4), k=round(self.k * 1.4))
        yield from (replace(self, noise=noise) for noise in self._noises())

    def _noises(self) -> tuple[float, ...]:
        if not self.noise:
            return (0.02, 0.1)
        smaller = round(self.noise / 2, 4)
        return (smaller if smaller >= SMALLEST_NOISE else 0.0, round(self.noise * 1.5, 4))


def coarse(limits: Limits) -> list[Plan]:
    """The plans that a search begins with, far apart from each other."""
    ks = dict.fromkeys((0, limits.least_k, *(k for k in COARSE_K if k <= limits.rows)))
    found = []
    for unify in (False, True):
        for k in ks:
            base = Plan(unify, k)
            found += [replace(base, noise=noise) for noise in COARSE_NOISE]
            found += [replace(base, values="swap", values_first=first) for first in (False, True)]
            found += [replace(base, values="mean", values_first=first) for first in (False, True)]
            found += [replace(base, values=v, near=n) for v in NEAR for n in COARSE_NEAR]
    return [plan for plan in dict.fromkeys(found) if limits.allow(plan)]
