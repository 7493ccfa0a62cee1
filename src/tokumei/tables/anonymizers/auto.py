"""Runs several recoding methods and keeps the result of least loss.

What runs in a budget of seconds (`EffortPlan`) is estimated from the size of the problem alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.progress import track_progress
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.anonymizers.local_recoding import KMember, LocalRecodingMethod
from tokumei.tables.anonymizers.recoding.clustering import BLOCK
from tokumei.tables.anonymizers.recoding.lattice import ENUMERABLE, count_nodes
from tokumei.tables.anonymizers.recoding.local_search import MAX_VECTORS
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import RecodingMethod, RecodingResult


@dataclass(frozen=True)
class Auto(RecodingMethod):
    """Local recoding, full-domain search and clustering, as far as they fit; the least NCP wins.

    What fits into `seconds` is estimated from the table's size for two quiet cores. No clock is
    looked at: the same table gives the same release everywhere, on a slow machine only later.
    """

    name: ClassVar[str] = "auto"
    title: ClassVar[Message] = Message("Best of several recodings")
    sentence: ClassVar[Message] = Message(
        "Tries the recodings that fit the table's size and keeps the one with the least loss."
    )

    seconds: float = 20.0
    suppression: float = 0.0

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Try what fits, keep the best; of equals the first."""
        plan = EffortPlan.of(problem, self.seconds)
        methods = self._methods_to_try(plan)
        results = [method.solve(problem, guard) for method in track_progress(methods, self.title)]
        losses = [result.loss(problem) for result in results]
        best_index = losses.index(min(losses))
        return replace(results[best_index], optimal=False, how=plan.told(methods[best_index].name))

    def _methods_to_try(self, plan: EffortPlan) -> list[RecodingMethod]:
        max_suppression = self.suppression
        methods: list[RecodingMethod] = [
            LocalRecodingMethod(self.k, effort=plan.effort, suppression=max_suppression)
        ]
        if plan.nodes:
            methods.append(Flash(self.k, suppression=max_suppression, budget=plan.nodes))
        if plan.clusters:
            methods.append(KMember(self.k))
        return methods


LOCAL_SHARE, LATTICE_SHARE, CLUSTER_SHARE = 0.75, 0.15, 0.1
MIN_NODES = 100
# Seconds on two quiet cores: of high effort per tuple, of the others per tuple and column.
HIGH_EFFORT_SECONDS = 4.5e-4
MAX_HIGH_EFFORT_TUPLES = 12_500
ROUND_SECONDS = 1e-4
VECTOR_SECONDS = 2e-9
LOCAL_CELL_SECONDS = 1.2e-5
NODE_SECONDS = 1.4e-8
NODE_OVERHEAD_SECONDS = {False: 4e-4, True: 3e-3}
"""Besides the tuples, by whether the lattice is too large to hold: what is passed on the way."""
PAIR_SECONDS = 2.6e-9


@dataclass(frozen=True)
class EffortPlan:
    """The effort of local recoding, the nodes of the lattice to visit, whether to cluster."""

    effort: Literal["normal", "high"]
    nodes: int
    clusters: bool
    seconds: float
    longer: bool = False
    """Local recoding alone may take longer; it is run all the same."""

    @classmethod
    def of(cls, problem: RecodingProblem, seconds: float) -> EffortPlan:
        """What fits; local recoding with normal effort is always run."""
        if not seconds > 0:
            raise UsageError("seconds must be above 0")
        tuples, columns, all_nodes = (
            len(problem.counts),
            problem.columns,
            count_nodes(problem.heights),
        )
        # Level vectors are visited; moves are limited, but every round starts all tuples anew.
        visits = VECTOR_SECONDS * min(all_nodes, MAX_VECTORS) * tuples * columns
        moves = HIGH_EFFORT_SECONDS * min(tuples, MAX_HIGH_EFFORT_TUPLES) * (columns + 8) / 2
        high_effort_seconds = visits + (moves + ROUND_SECONDS * tuples)
        seconds_per_node = (
            NODE_SECONDS * tuples * columns + NODE_OVERHEAD_SECONDS[all_nodes > ENUMERABLE]
        )
        nodes = int(min(LATTICE_SHARE * seconds / seconds_per_node, ENUMERABLE))
        # Every tuple is compared with every other of its block.
        pairs = PAIR_SECONDS * tuples * min(tuples, BLOCK) * columns
        return cls(
            effort="high" if high_effort_seconds <= LOCAL_SHARE * seconds else "normal",
            nodes=nodes if nodes >= min(MIN_NODES, all_nodes) else 0,
            clusters=pairs <= CLUSTER_SHARE * seconds,
            seconds=seconds,
            longer=LOCAL_CELL_SECONDS * tuples * columns > seconds,
        )

    def told(self, winner: str) -> Message:
        """What was run, what was left out, and what won."""
        run_texts = [Message("local with {effort} effort", effort=self.effort)]
        skipped_texts = []
        if self.effort != "high":
            skipped_texts.append(Message("local with high effort"))
        if self.nodes:
            run_texts.append(Message("flash up to {nodes} nodes", nodes=self.nodes))
        else:
            skipped_texts.append(Message.verbatim("flash"))
        (run_texts if self.clusters else skipped_texts).append(Message.verbatim("k-member"))
        told = Message(
            "{winner} lost least of {tried}", winner=winner, tried=join_messages(run_texts)
        )
        if skipped_texts:
            told = Message(
                "{result}; did not fit into {seconds:g} s: {skipped}",
                result=told,
                seconds=self.seconds,
                skipped=join_messages(skipped_texts),
            )
        if self.longer:
            told = Message(
                "{result}; local itself, which is always run, may take longer than {seconds:g} s",
                result=told,
                seconds=self.seconds,
            )
        return told
