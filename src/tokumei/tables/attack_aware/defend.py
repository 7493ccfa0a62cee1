"""defend: the pipeline that attacks find least, within bounds on utility.

tk.anonymize(people, "defend", bounds={"U4": 0.086, "U5": 0.046})
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tokumei.core.attack_rates import AttackRate
from tokumei.core.errors import UsageError
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.core.provenance import SearchOutcome as Ended
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod
from tokumei.tables.attack_aware.pipeline_search import (
    BestPipeline,
    PipelineSearch,
    describe_bounds,
    require_bounds,
)
from tokumei.tables.data.schema import Schema
from tokumei.tables.evaluation_suite import find_strongest_attack
from tokumei.tables.registry import attackers

SEARCH_ATTACKS = ("linkage", "E4", "E2", "EUC2", "EUC1", "E3", "E1")
"""The strongest as a rule first: what it finds often need not be attacked further."""
HOLDOUT_ATTACKS = ("everything", "ensemble")


def default_bounds() -> dict[str, float]:
    """Correlations and values within .05, quasi-identifiers at most 30 % of their range wide."""
    return {"U4": 0.05, "U5": 0.05, "ncp": 0.3}


@dataclass(frozen=True)
class Defend(TableMethod):
    """min over pipelines of max over attacks of the rate found, subject to `bounds` on measures.

    The search (successive halving, `search.py`) uses `attacks`; `holdout` are run on the winner
    only, so that they show whether it defends against more than it was searched against. With `k`
    every candidate is k-anonymous. What no bound protects is given up if that helps.
    """

    name: ClassVar[str] = "defend"
    title: ClassVar[Message] = Message("Searched against the attacks", "攻撃に対して探索した加工")
    sentence: ClassVar[Message] = Message(
        "Searches for the pipeline whose strongest attack finds least, within bounds on measures.",
        "指標の上限を守りながら、最も強い攻撃でも特定が最少となる手法の組み合わせを探します。",
    )
    leaves_open: ClassVar[Message] = Message(
        "Attacks unlike those that it was searched and tested with. Only what is claimed is a "
        "guarantee: swapped and noisy values are protected by no claim.",
        "探索と検査に使っていない種類の攻撃は防げるとは限りません。保証されるのは主張の内容だけで、"
        "入れ替えやノイズによる保護は主張に含まれません。",
    )

    bounds: dict[str, float] = field(default_factory=default_bounds)
    attacks: tuple[str, ...] = SEARCH_ATTACKS
    holdout: tuple[str, ...] = HOLDOUT_ATTACKS
    k: int | None = None
    cross: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_bounds(self.bounds)
        for name in (*self.attacks, *self.holdout):
            attackers.get(name)
        if not self.attacks or set(self.attacks) & set(self.holdout):
            raise UsageError(
                "defend: name at least one attack to search with, and none of them as held out",
                "defend: 探索に使う攻撃を一つ以上指定し、holdout と重ならないようにしてください",
            )

    def done(self) -> Message:
        """Within which bounds it was searched."""
        bounds_text = ", ".join(f"{name} {bound:g}" for name, bound in self.bounds.items())
        return Message(
            f"Search the steps below against {len(self.attacks)} attacks within {bounds_text}",
            f"{len(self.attacks)} 種類の攻撃に対し、{bounds_text} の範囲で以下の手順を探索する",
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Search, and apply what was found."""
        table = step.table
        table.schema.require(self.cross, where=self.name)
        usable_attacks = [name for name in self.attacks if _has_needed_columns(name, table.schema)]
        search = PipelineSearch(table, self.bounds, usable_attacks, rng, self.cross, self.k or 0)
        best_pipeline = search.best()
        holdout_attacks = [name for name in self.holdout if _has_needed_columns(name, table.schema)]
        holdout_rates = (
            search.expected_attack_rates(best_pipeline.case, holdout_attacks)
            if holdout_attacks
            else {}
        )
        note = describe_search(best_pipeline, holdout_rates, self.bounds)
        worst_rate = find_strongest_attack(best_pipeline.rates).rate
        method_descriptions = tuple(
            part for method in best_pipeline.methods for part in method.describe()
        )
        return Step(
            best_pipeline.step.table,
            step.link[best_pipeline.step.link],
            (*step.claims, *best_pipeline.step.claims),
            (Ended(self.name, False, worst_rate, note),),
            None if step.origin is None else step.origin[best_pipeline.step.link],
            method_descriptions,
        )


def _has_needed_columns(attack: str, schema: Schema) -> bool:
    """Whether there are columns of every role that an attack needs."""
    return all(getattr(schema, role) for role in attackers.get(attack).needs)


def describe_search(
    best_pipeline: BestPipeline, holdout_rates: dict[str, AttackRate], bounds: dict[str, float]
) -> Message:
    """What was found, how it stands against the attacks, and what it is worth."""
    steps = [method.done() for method in best_pipeline.methods]
    worst_attack, bounds_text = (
        find_strongest_attack(best_pipeline.rates),
        describe_bounds(best_pipeline.values, bounds),
    )
    holdout_text = ", ".join(
        f"{name} {format_percent(rate.rate)}" for name, rate in holdout_rates.items()
    )
    interval = f"{format_percent(worst_attack.low)}–{format_percent(worst_attack.high)}"
    rate = f"{format_percent(worst_attack.rate)} [{interval}]"
    english = (
        f"defend: {best_pipeline.tried} pipelines tried, {best_pipeline.within} within the bounds. "
    )
    japanese = (
        f"defend: {best_pipeline.tried} 通りを試し、{best_pipeline.within} 通りが上限内でした。"
    )
    english += f"Chosen: {'; '.join(step_text.en for step_text in steps) or 'no change'}. "
    japanese += f"採用: {'、'.join(step_text.ja for step_text in steps) or '変更なし'}。"
    english += f"Strongest attack of the search on all rows: {worst_attack.attack} {rate}; "
    japanese += f"探索に使った攻撃のうち最も強いもの (全行): {worst_attack.attack} {rate}。"
    english += f"attacks that the search never used: {holdout_text or 'none run'}. {bounds_text.en}"
    japanese += f"探索に使っていない攻撃: {holdout_text or '実行なし'}。{bounds_text.ja}"
    return Message(english, japanese)
