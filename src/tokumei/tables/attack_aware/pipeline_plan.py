"""A pipeline as a point of the search: steps for QI and SA and their order.

PipelinePlan(k=100, values="swap-near", near=20).methods()   # mondrian, then swap among 20 rows
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify

ValueStep = Literal["kept", "swap", "swap-near", "mean", "mean-near"]
NEAR_STEPS: tuple[ValueStep, ...] = ("swap-near", "mean-near")
NUMERIC_STEPS: tuple[ValueStep, ...] = ("swap-near", "mean", "mean-near")
START_K = (5, 25, 125, 625)
START_NEAR = (10, 50, 250)
START_NOISE = (0.0, 0.1, 1.0)
MIN_NOISE = 0.01
STEP_FACTORS = (0.6, 1.6)


@dataclass(frozen=True)
class PlanLimits:
    """What plans a table allows: its rows, whether it has SA, numbers among them, spare QI."""

    rows: int
    has_qi: bool
    has_sa: bool
    all_numbers: bool
    some_numbers: bool
    spare: tuple[str, ...]
    """The QI that the cross table does not use."""
    least_k: int = 0

    def allow(self, plan: PipelinePlan) -> bool:
        """Whether a plan can be carried out, keeps the least k, and is not another one in disguise.

        Averages with noise on top would no longer be equal, which is claimed of `mean-near`.
        """
        if plan.k < self.least_k or (plan.k and not (self.has_qi and 2 <= plan.k <= self.rows)):
            return False
        if (plan.unify and not self.spare) or (plan.values != "kept" and not self.has_sa):
            return False
        numbers = self.some_numbers if plan.values == "swap-near" else self.all_numbers
        if (plan.values in NUMERIC_STEPS or plan.noise) and not (numbers and self.has_sa):
            return False
        if plan.values in NEAR_STEPS and not 2 <= plan.near <= self._max_near_group_size(plan):
            return False
        if plan.noise and plan.values in ("mean", "mean-near"):
            return False
        return not plan.values_first or (bool(plan.k) and plan.values in ("swap", "mean"))

    def _max_near_group_size(self, plan: PipelinePlan) -> int:
        """Groups inside classes of k rows cannot be larger; without classes averages need none."""
        return plan.k // 2 if plan.k else (0 if plan.values == "mean-near" else self.rows // 2)


@dataclass(frozen=True)
class PipelinePlan:
    """`unify`: spare QI are suppressed. `k`: Mondrian, 0 for none. `noise`: added last, 0 for none.

    `values_first`: swapping and averages happen before Mondrian, in the original's classes.
    """

    unify: bool = False
    k: int = 0
    values: ValueStep = "kept"
    near: int = 0
    noise: float = 0.0
    values_first: bool = False

    def quasi(self, limits: PlanLimits) -> tuple[TableMethod, ...]:
        """What is done with the quasi-identifiers."""
        spare = (Unify(limits.spare, SUPPRESSED_CELL),) if self.unify else ()
        return (*spare, *((Mondrian(self.k),) if self.k else ()))

    def sensitive(self) -> tuple[TableMethod, ...]:
        """What is done with the sensitive values, apart from noise."""
        methods_by_step: dict[ValueStep, tuple[TableMethod, ...]] = {
            "kept": (),
            "swap": (Swap(),),
            "swap-near": (Swap("near", max(2, self.near)),),
            "mean": (Microaggregate(),),
            "mean-near": (Microaggregate("near", self.near),),
        }
        return methods_by_step[self.values]

    def methods(self, limits: PlanLimits) -> tuple[TableMethod, ...]:
        """The steps in their order; none for a plan that changes nothing."""
        first_methods, later_methods = self.quasi(limits), self.sensitive()
        if self.values_first:
            first_methods, later_methods = later_methods, first_methods
        return (*first_methods, *later_methods, *((Noise(self.noise),) if self.noise else ()))

    def neighbours(self) -> Iterator[PipelinePlan]:
        """Plans that differ in one thing by one step."""
        yield replace(self, unify=not self.unify)
        if self.k:
            for factor in STEP_FACTORS:
                yield replace(self, k=round(self.k * factor))
        if self.near:
            for factor in STEP_FACTORS:
                yield replace(self, near=round(self.near * factor))
            yield replace(self, near=round(self.near * 1.4), k=round(self.k * 1.4))
        yield from (replace(self, noise=noise) for noise in self._nearby_noises())

    def _nearby_noises(self) -> tuple[float, ...]:
        if not self.noise:
            return (0.02, 0.1)
        smaller = round(self.noise / 2, 4)
        return (smaller if smaller >= MIN_NOISE else 0.0, round(self.noise * 1.5, 4))


def starting_plans(limits: PlanLimits) -> list[PipelinePlan]:
    """The plans that a search begins with, far apart from each other."""
    ks = dict.fromkeys((0, limits.least_k, *(k for k in START_K if k <= limits.rows)))
    plans = []
    for unify in (False, True):
        for k in ks:
            base = PipelinePlan(unify, k)
            plans += [replace(base, noise=noise) for noise in START_NOISE]
            plans += [replace(base, values="swap", values_first=first) for first in (False, True)]
            plans += [replace(base, values="mean", values_first=first) for first in (False, True)]
            plans += [replace(base, values=v, near=n) for v in NEAR_STEPS for n in START_NEAR]
    return [plan for plan in dict.fromkeys(plans) if limits.allow(plan)]
