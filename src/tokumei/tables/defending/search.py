"""Successive halving: many pipelines attacked on few rows, the best of them on more.

found = Search(table, bounds, attacks, rng=rng).best()

Every candidate is made of all rows, and its worth is measured on all rows; candidates that break a
bound are attacked no further. Attacks know the whole original and answer for a sample of the
released rows; after each round the best third goes on, joined by neighbours of the very best. The
last few are attacked on all rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.figures import plain
from tokumei.core.measure import Goal
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.rates import AttackRate
from tokumei.core.registry import required_params
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numbers import is_number_column
from tokumei.tables.data.table import Table
from tokumei.tables.defending.plan import Limits, Plan, coarse
from tokumei.tables.registry import measures
from tokumei.tables.suite import attack_suite, measure_suite

ROUNDS = (150, 600)
"""Released rows that are attacked in each round."""
STAY = 3
"""One of so many stays after a round."""
FINALISTS = 3
ROUNDING = 1e-9
HOPELESS = 2.0
"""A candidate found so many times as often as the finalists is attacked no further."""


@dataclass(frozen=True, eq=False)
class Tried:
    """A plan, what its release is worth, and how often its worst attack was right when last run."""

    plan: Plan
    values: dict[str, float]
    worst: float = 1.0
    slack: float = 0.0
    """How far below its bounds it stays; negative: how far it breaks them."""

    @property
    def order(self) -> tuple[float, float]:
        """The least found first; of equals the one that is worth more."""
        return round(self.worst, 6), -self.slack


@dataclass(frozen=True, eq=False)
class Found:
    """The pipeline that won, its release in the making, and the attacks on all of its rows."""

    methods: tuple[TableMethod, ...]
    step: Step
    case: Comparison
    values: dict[str, float]
    rates: dict[str, AttackRate]
    tried: int
    within: int


@dataclass(frozen=True, eq=False)
class Search:
    """A search among pipelines for one table. `least_k`: Mondrian's k is at least this.

    Without `rounds` all of the first candidates that keep the bounds are attacked on all rows.
    """

    table: Table
    bounds: dict[str, float]
    attacks: Sequence[str]
    rng: Randomness
    cross: tuple[str, ...] = ()
    least_k: int = 0
    rounds: tuple[int, ...] = ROUNDS
    _started: dict[tuple[bool, int], Step] = field(default_factory=dict, init=False)

    def best(self) -> Found:
        """The plan whose worst attack finds least of all its rows."""
        tried = self._measured(coarse(self.limits))
        good = [one for one in tried if one.slack >= 0]
        if not good:
            raise self._nothing(tried)
        for rows in self.rounds:
            good = self._attacked(good, rows)
            good = good[: max(FINALISTS, len(good) // STAY)]
            seen = {one.plan for one in tried}
            new = self._measured(_neighbours(good[:FINALISTS], seen, self.limits))
            tried += new
            good += self._attacked([one for one in new if one.slack >= 0], rows)
            good.sort(key=lambda one: one.order)
        last = self._attacked(good[:FINALISTS] if self.rounds else good, self.table.rows)
        return self._found(last[0], len(tried), sum(one.slack >= 0 for one in tried))

    @property
    def limits(self) -> Limits:
        """What the table allows."""
        schema = self.table.schema
        numbers = [name for name in schema.sa if is_number_column(self.table.frame[name])]
        cross = Comparison(self.table, self.table, np.arange(self.table.rows), self.cross).cross
        spare = [name for name in schema.qi if name not in cross]
        return Limits(
            self.table.rows,
            bool(schema.qi),
            bool(schema.sa),
            numbers == schema.sa,
            bool(numbers),
            tuple(spare),
            self.least_k,
        )

    def made(self, plan: Plan) -> Step:
        """What the plan makes of the table; the same whenever it is asked."""
        if plan.values_first:
            return self._through(Step.start(self.table), plan.methods(self.limits), 0)
        head = (plan.unify, plan.k)
        if head not in self._started:
            start = Step.start(self.table)
            self._started[head] = self._through(start, plan.quasi(self.limits), 0)
        begun = len(plan.quasi(self.limits))
        return self._through(self._started[head], plan.methods(self.limits)[begun:], begun)

    def _through(self, step: Step, methods: Iterable[TableMethod], begun: int) -> Step:
        for place, method in enumerate(methods, begun):
            step = method.change(step, rng=self.rng.child("release", method.name, place))
        return replace(step, searches=())

    def case(self, step: Step) -> Comparison:
        """The table beside a release in the making."""
        return Comparison(self.table, step.table, step.link, self.cross)

    def _measured(self, plans: Sequence[Plan]) -> list[Tried]:
        found = []
        for plan in track(plans, Text("searching for a defence", "防御策を探索中")):
            scores = measure_suite(self.case(self.made(plan)), list(self.bounds))
            values = {name: score.value for name, score in scores.items()}
            found.append(Tried(plan, values, slack=-worst_excess(values, self.bounds)))
        return found

    def _attacked(self, some: Sequence[Tried], rows: int) -> list[Tried]:
        """With their worst attack on so many rows, the least found first."""
        found: list[Tried] = []
        for one in track(some, Text("attacking candidates", "候補を攻撃中")):
            best = sorted(other.worst for other in found)[:FINALISTS]
            limit = HOPELESS * best[-1] if len(best) == FINALISTS else 1.0
            found.append(replace(one, worst=self._worst(one.plan, rows, limit)))
        return sorted(found, key=lambda one: one.order)

    def _worst(self, plan: Plan, rows: int, limit: float) -> float:
        """The largest rate, or the first above the limit."""
        case = self.case(self.made(plan))
        if rows < case.released.rows:
            some = self.rng.child("rows", rows).permutation(case.released.rows)[:rows]
            case = replace(case, released=case.released.take(some), link=case.link[some])
        worst = 0.0
        for attack in self.attacks:
            worst = max(worst, self.rates(case, [attack])[attack].rate)
            if worst > limit:
                break
        return worst

    def rates(self, case: Comparison, attacks: Sequence[str]) -> dict[str, AttackRate]:
        """Exact expected rates."""
        return attack_suite(case, attacks, rng=self.rng.child("attacks"), expected=True)

    def _found(self, winner: Tried, tried: int, within: int) -> Found:
        step = self.made(winner.plan)
        case = self.case(step)
        rates = self.rates(case, self.attacks)
        assert winner.slack >= 0
        methods = winner.plan.methods(self.limits)
        return Found(methods, step, case, winner.values, rates, tried, within)

    def _nothing(self, tried: Sequence[Tried]) -> UsageError:
        if not tried:
            return UsageError(
                "defend: no pipeline can be made of this table: name quasi-identifiers or "
                "sensitive columns, and a k that the rows allow",
                "defend: この表に使える手法がありません。準識別子か機密属性と、行数に合う k を"
                "指定してください",
            )
        near = max(tried, key=lambda one: one.slack)
        told = bounds_words(near.values, self.bounds)
        return UsageError(
            f"defend: none of {len(tried)} pipelines keeps all bounds; the nearest has {told.en}",
            f"defend: {len(tried)} 通りのどれも上限を満たしません。最も近いもの: {told.ja}",
        )


def _neighbours(some: Sequence[Tried], seen: set[Plan], limits: Limits) -> list[Plan]:
    """New plans around some."""
    near = dict.fromkeys(plan for one in some for plan in one.plan.neighbours())
    return [plan for plan in near if plan not in seen and limits.allow(plan)]


def require_bounds(bounds: Mapping[str, float]) -> None:
    """Fail unless there is a bound, and every one is on a measure that needs nothing else."""
    if not bounds:
        raise UsageError(
            "defend: name at least one bound, for example U4=0.05; what is not bounded is given up",
            "defend: 上限を一つ以上指定してください (例 U4=0.05)。上限のないものは犠牲になります",
        )
    for name in bounds:
        lacking = required_params(measures.get(name))
        if lacking:
            raise UsageError(
                f"defend: {name} needs the parameter '{lacking[0]}' and cannot be a bound",
                f"defend: {name} にはパラメータ '{lacking[0]}' が必要なため、上限にできません",
            )


def excess(name: str, value: float, bound: float) -> float:
    """How far a value is on the wrong side of its bound, as a share of it; 0 or less: kept."""
    over = value - bound if measures.get(name).goal is Goal.MINIMIZE else bound - value
    return float((over - ROUNDING * max(1.0, abs(value), abs(bound))) / (abs(bound) or 1.0))


def worst_excess(values: Mapping[str, float], bounds: Mapping[str, float]) -> float:
    """The largest of them."""
    return max(excess(name, values[name], bound) for name, bound in bounds.items())


def bounds_words(values: Mapping[str, float], bounds: Mapping[str, float]) -> Text:
    """Every measure beside its bound."""
    parts = []
    for name, bound in bounds.items():
        sign = "≤" if measures.get(name).goal is Goal.MINIMIZE else "≥"
        parts.append(f"{name} {plain(float(f'{values[name]:.4g}'))} ({sign} {plain(bound)})")
    return Text(", ".join(parts), "、".join(parts))
