"""Successive halving: attacks many pipelines on few rows, and the best on more.

best_pipeline = Search(table, bounds, attacks, rng=rng).best()

Every candidate is made of all rows, and its worth is measured on all rows; candidates that break a
bound are attacked no further. Attacks know the whole original and answer for a sample of the
released rows; after each round the best third goes on, joined by neighbours of the very best. The
last few are attacked on all rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tokumei.core.attack_rates import AttackRate
from tokumei.core.errors import UsageError
from tokumei.core.measure import Goal
from tokumei.core.messages import Message, join_messages
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.core.registry import required_params
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.attack_aware.pipeline_plan import PipelinePlan, PlanLimits, starting_plans
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import is_number_column
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation_suite import attack_suite, measure_suite
from tokumei.tables.registry import measures

ROUND_ROWS = (150, 600)
"""Released rows that are attacked in each round."""
HALVING_RATE = 3
"""One of so many stays after a round."""
FINALISTS = 3
ROUNDING_TOLERANCE = 1e-9
HOPELESS_FACTOR = 2.0
"""A candidate found so many times as often as the finalists is attacked no further."""


@dataclass(frozen=True, eq=False)
class EvaluatedPlan:
    """A plan, what its release is worth, and how often its worst attack was right when last run."""

    plan: PipelinePlan
    values: dict[str, float]
    worst: float = 1.0
    slack: float = 0.0
    """How far below its bounds it stays; negative: how far it breaks them."""

    @property
    def order(self) -> tuple[float, float]:
        """The least found first; of equals the one that is worth more."""
        return round(self.worst, 6), -self.slack


@dataclass(frozen=True, eq=False)
class BestPipeline:
    """The pipeline that won, its release in the making, and the attacks on all of its rows."""

    methods: tuple[TableMethod, ...]
    step: Step
    case: Comparison
    values: dict[str, float]
    rates: dict[str, AttackRate]
    tried: int
    within: int


@dataclass(frozen=True, eq=False)
class PipelineSearch:
    """A search among pipelines for one table. `least_k`: Mondrian's k is at least this.

    Without `rounds` all of the first candidates that keep the bounds are attacked on all rows.
    """

    table: Table
    bounds: dict[str, float]
    attacks: Sequence[str]
    rng: Randomness
    cross: tuple[str, ...] = ()
    least_k: int = 0
    rounds: tuple[int, ...] = ROUND_ROWS
    _quasi_steps: dict[tuple[bool, int], Step] = field(default_factory=dict, init=False)

    def best(self) -> BestPipeline:
        """The plan whose worst attack finds least of all its rows."""
        evaluated = self._measure_plans(starting_plans(self.limits))
        within_bounds = [candidate for candidate in evaluated if candidate.slack >= 0]
        if not within_bounds:
            raise self._no_plan_error(evaluated)
        for rows in self.rounds:
            within_bounds = self._attack_plans(within_bounds, rows)
            within_bounds = within_bounds[: max(FINALISTS, len(within_bounds) // HALVING_RATE)]
            seen_plans = {candidate.plan for candidate in evaluated}
            new_candidates = self._measure_plans(
                _neighbour_plans(within_bounds[:FINALISTS], seen_plans, self.limits)
            )
            evaluated += new_candidates
            within_bounds += self._attack_plans(
                [candidate for candidate in new_candidates if candidate.slack >= 0], rows
            )
            within_bounds.sort(key=lambda candidate: candidate.order)
        finalists = self._attack_plans(
            within_bounds[:FINALISTS] if self.rounds else within_bounds, self.table.rows
        )
        return self._build_result(
            finalists[0], len(evaluated), sum(candidate.slack >= 0 for candidate in evaluated)
        )

    @property
    def limits(self) -> PlanLimits:
        """What the table allows."""
        schema = self.table.schema
        numbers = [name for name in schema.sa if is_number_column(self.table.frame[name])]
        cross = Comparison(self.table, self.table, np.arange(self.table.rows), self.cross).cross
        spare = [name for name in schema.qi if name not in cross]
        return PlanLimits(
            self.table.rows,
            bool(schema.qi),
            bool(schema.sa),
            numbers == schema.sa,
            bool(numbers),
            tuple(spare),
            self.least_k,
        )

    def made(self, plan: PipelinePlan) -> Step:
        """What the plan makes of the table; the same whenever it is asked."""
        if plan.values_first:
            return self._apply_methods(Step.start(self.table), plan.methods(self.limits), 0)
        cache_key = (plan.unify, plan.k)
        if cache_key not in self._quasi_steps:
            start = Step.start(self.table)
            self._quasi_steps[cache_key] = self._apply_methods(start, plan.quasi(self.limits), 0)
        quasi_count = len(plan.quasi(self.limits))
        return self._apply_methods(
            self._quasi_steps[cache_key], plan.methods(self.limits)[quasi_count:], quasi_count
        )

    def _apply_methods(self, step: Step, methods: Iterable[TableMethod], first_number: int) -> Step:
        for step_number, method in enumerate(methods, first_number):
            step = method.change(step, rng=self.rng.child("release", method.name, step_number))
        return replace(step, searches=())

    def compare_step(self, step: Step) -> Comparison:
        """The table beside a release in the making."""
        return Comparison(self.table, step.table, step.link, self.cross)

    def _measure_plans(self, plans: Sequence[PipelinePlan]) -> list[EvaluatedPlan]:
        evaluated = []
        for plan in track_progress(plans, Message("searching for a defence")):
            scores = measure_suite(self.compare_step(self.made(plan)), list(self.bounds))
            values = {name: score.value for name, score in scores.items()}
            evaluated.append(
                EvaluatedPlan(plan, values, slack=-worst_bound_excess(values, self.bounds))
            )
        return evaluated

    def _attack_plans(self, candidates: Sequence[EvaluatedPlan], rows: int) -> list[EvaluatedPlan]:
        """With their worst attack on so many rows, the least found first."""
        attacked: list[EvaluatedPlan] = []
        for candidate in track_progress(candidates, Message("attacking candidates")):
            lowest_rates = sorted(attacked_plan.worst for attacked_plan in attacked)[:FINALISTS]
            limit = HOPELESS_FACTOR * lowest_rates[-1] if len(lowest_rates) == FINALISTS else 1.0
            attacked.append(replace(candidate, worst=self._worst_rate(candidate.plan, rows, limit)))
        return sorted(attacked, key=lambda candidate: candidate.order)

    def _worst_rate(self, plan: PipelinePlan, rows: int, limit: float) -> float:
        """The largest rate, or the first above the limit."""
        case = self.compare_step(self.made(plan))
        if rows < case.released.rows:
            sampled_rows = self.rng.child("rows", rows).permutation(case.released.rows)[:rows]
            case = replace(
                case, released=case.released.take(sampled_rows), link=case.link[sampled_rows]
            )
        worst = 0.0
        for attack in self.attacks:
            worst = max(worst, self.expected_attack_rates(case, [attack])[attack].rate)
            if worst > limit:
                break
        return worst

    def expected_attack_rates(
        self, case: Comparison, attacks: Sequence[str]
    ) -> dict[str, AttackRate]:
        """Exact expected rates."""
        return attack_suite(case, attacks, rng=self.rng.child("attacks"), expected=True)

    def _build_result(
        self, winner: EvaluatedPlan, tried_count: int, within_count: int
    ) -> BestPipeline:
        step = self.made(winner.plan)
        case = self.compare_step(step)
        rates = self.expected_attack_rates(case, self.attacks)
        assert winner.slack >= 0
        methods = winner.plan.methods(self.limits)
        return BestPipeline(methods, step, case, winner.values, rates, tried_count, within_count)

    def _no_plan_error(self, evaluated: Sequence[EvaluatedPlan]) -> UsageError:
        if not evaluated:
            return UsageError(
                "defend: no pipeline can be made of this table: name quasi-identifiers or "
                "sensitive columns, and a k that the rows allow"
            )
        nearest_plan = max(evaluated, key=lambda candidate: candidate.slack)
        return UsageError(
            "defend: none of {tried} pipelines keeps all bounds; the nearest has {bounds}",
            tried=len(evaluated),
            bounds=describe_bounds(nearest_plan.values, self.bounds),
        )


def _neighbour_plans(
    candidates: Sequence[EvaluatedPlan], seen: set[PipelinePlan], limits: PlanLimits
) -> list[PipelinePlan]:
    """New plans around some."""
    nearby_plans = dict.fromkeys(
        plan for candidate in candidates for plan in candidate.plan.neighbours()
    )
    return [plan for plan in nearby_plans if plan not in seen and limits.allow(plan)]


def require_bounds(bounds: Mapping[str, float]) -> None:
    """Fail unless there is a bound, and every one is on a measure that needs nothing else."""
    if not bounds:
        raise UsageError(
            "defend: name at least one bound, for example U4=0.05; what is not bounded is given up"
        )
    for name in bounds:
        missing_params = required_params(measures.get(name))
        if missing_params:
            raise UsageError(
                "defend: {name} needs the parameter '{parameter}' and cannot be a bound",
                name=name,
                parameter=missing_params[0],
            )


def bound_excess(name: str, value: float, bound: float) -> float:
    """How far a value is on the wrong side of its bound, as a share of it; 0 or less: kept."""
    overshoot = value - bound if measures.get(name).goal is Goal.MINIMIZE else bound - value
    return float(
        (overshoot - ROUNDING_TOLERANCE * max(1.0, abs(value), abs(bound))) / (abs(bound) or 1.0)
    )


def worst_bound_excess(values: Mapping[str, float], bounds: Mapping[str, float]) -> float:
    """The largest of them."""
    return max(bound_excess(name, values[name], bound) for name, bound in bounds.items())


def describe_bounds(values: Mapping[str, float], bounds: Mapping[str, float]) -> Message:
    """Every measure beside its bound."""
    parts = []
    for name, bound in bounds.items():
        is_upper = measures.get(name).goal is Goal.MINIMIZE
        parts.append(
            Message(
                "{measure}: {value:number} (≤ {bound:number})"
                if is_upper
                else "{measure}: {value:number} (≥ {bound:number})",
                measure=name,
                value=float(f"{values[name]:.4g}"),
                bound=bound,
            )
        )
    return join_messages(parts)
