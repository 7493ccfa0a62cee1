"""defend: the pipeline that attacks find least, within bounds on utility.

tk.anonymize(people, "defend", bounds={"U4": 0.086, "U5": 0.046})
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from tokumei.core.attack_rates import AttackRate
from tokumei.core.errors import UsageError
from tokumei.core.messages import SEMICOLON, Message, join_messages, join_sentences
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
    title: ClassVar[Message] = Message("Searched against the attacks")
    sentence: ClassVar[Message] = Message(
        "Searches for the pipeline whose strongest attack finds least, within bounds on measures."
    )
    leaves_open: ClassVar[Message] = Message(
        "Attacks unlike those that it was searched and tested with. Only what is claimed is a "
        "guarantee: swapped and noisy values are protected by no claim."
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
                "defend: name at least one attack to search with, and none of them as held out"
            )

    def done(self) -> Message:
        """Within which bounds it was searched."""
        return Message(
            "Search the steps below against {count} attack within {bounds}",
            plural="Search the steps below against {count} attacks within {bounds}",
            count=len(self.attacks),
            bounds=join_messages(f"{name} {bound:g}" for name, bound in self.bounds.items()),
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
    worst_attack = find_strongest_attack(best_pipeline.rates)
    holdout = [
        Message("{attack}: {rate:percent}", attack=name, rate=rate.rate)
        for name, rate in holdout_rates.items()
    ]
    unused = Message("Attacks that the search never used: none run.")
    if holdout:
        unused = Message(
            "Attacks that the search never used: {attacks}.", attacks=join_messages(holdout)
        )
    return join_sentences(
        [
            Message(
                "defend: {tried} pipelines tried, {within} within the bounds.",
                tried=best_pipeline.tried,
                within=best_pipeline.within,
            ),
            Message("Chosen: {steps}.", steps=join_messages(steps, SEMICOLON))
            if steps
            else Message("Chosen: no change."),
            Message(
                "Strongest attack of the search on all rows: {attack} {rate:percent} "
                "[{low:percent}–{high:percent}].",
                attack=worst_attack.attack,
                rate=worst_attack.rate,
                low=worst_attack.low,
                high=worst_attack.high,
            ),
            unused,
            describe_bounds(best_pipeline.values, bounds),
        ]
    )
