"""SafePub: ε-differential privacy for tables, by a random sample, generalization and suppression.

    SafePub(epsilon=1.0, delta=1e-5, hierarchies="h_{column}.csv", levels={"age": 2, "sex": 0})

A random sample of the rows (each with probability β = 1 − e^−ε) is generalized to levels that do
not depend on the rows; classes with fewer than k rows are left out. This is (ε, δ)-differentially
private with (Li, Qardaji and Su, 2012; Bild, Kuhn and Prasser, SafePub, 2018)

    δ(k) = max over n ≥ ⌈k/γ − 1⌉ of P(Bin(n, β) > γ·n),   γ = (e^ε − 1 + β) / e^ε

and k is the smallest with δ(k) ≤ δ. Without `levels`, half of ε chooses them by the exponential
mechanism: a node's score is the sum over the rows in classes of at least k of 1 − NCP, which one
row more or less changes by k at most.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import bdtrc

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.k_anonymizer import QI_TITLE
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.anonymizers.recoding.condition_merging import visible_classes
from tokumei.tables.anonymizers.recoding.lattice import count_nodes
from tokumei.tables.anonymizers.recoding.lattice_task import NodeEvaluator
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import RecodingResult, label_cells
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies

MAX_SEARCHED_NODES = 20_000
"""Levels that the exponential mechanism compares at most."""
ROUNDING = 1e-9
"""γ·n this close to a whole number counts as less: δ is then rather too large."""
BLOCK = 4096


@dataclass(frozen=True)
class SafePub(TableMethod):
    """A random sample, generalized; classes below the k that ε and δ ask for are left out."""

    name: ClassVar[str] = "safepub"
    title: ClassVar[Message] = Message("Differential privacy (SafePub)")
    sentence: ClassVar[Message] = Message(
        "Publishes a random sample at levels that do not depend on the rows, without small "
        "classes, so that nobody's row changes much what is published."
    )
    leaves_open: ClassVar[Message] = Message(
        "What holds for many people is published, also of those who are not in the table; ε adds "
        "up over all releases, and figures beside the rows are not covered."
    )

    epsilon: float = 1.0
    delta: float = 1e-5
    hierarchies: str | Mapping[str, str] = ""
    levels: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (0 < self.epsilon < 20 and 0 < self.delta < 1):
            raise UsageError(
                "{name}: epsilon must be above 0 and below 20, delta above 0 and below 1",
                name=self.name,
            )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Draw the sample, generalize it, leave small classes out."""
        table, qi = step.table, step.table.schema.qi
        require_columns(self.name, qi, QI_TITLE)
        self._require_private_inputs(table, rng)
        hierarchies = choose_hierarchies(self.hierarchies, table.frame, qi)
        engine = engine_for_frame(table.frame)
        tuple_counts = engine.tuples(qi)
        assert tuple_counts.rows is not None
        problem = RecodingProblem.of(tuple_counts, hierarchies)
        epsilon = self.epsilon if self.levels else self.epsilon / 2
        k, sampling_rate = derive_k(epsilon, self.delta), 1 - math.exp(-epsilon)
        levels = self._given_levels(problem, qi) or draw_levels(
            problem, k, self.epsilon - epsilon, rng.child("levels").generator
        )
        row_levels = np.tile(np.array(levels), (len(problem.counts), 1))
        class_of = visible_classes(problem, row_levels)[tuple_counts.rows]
        is_drawn = rng.child("sample").generator.random(table.rows) < sampling_rate
        kept = large_class_rows(class_of, is_drawn, k)
        if not len(kept):
            raise InputError(
                "{name}: no class of the sample has k = {k} rows; take a larger epsilon or delta, "
                "or coarser levels",
                name=self.name,
                k=k,
            )
        cells = label_cells(tuple_counts, problem, RecodingResult.whole(row_levels), hierarchies)
        recoded = table.with_frame(engine.give(RecodedCells(tuple_counts, cells)).frame)
        params = {"epsilon": epsilon, "delta": self.delta, "k": k, "columns": qi}
        claim = Claim("differential-privacy", params)
        return Step(recoded.take(kept), step.link[kept], (*step.claims, claim))

    def _given_levels(self, problem: RecodingProblem, qi: list[str]) -> tuple[int, ...]:
        """The levels that were given, in the order of the columns; none if none were."""
        for name in self.levels:
            if name not in qi:
                raise UnknownNameError(COLUMN_NOUN, name, qi, where=f"{self.name}.levels")
        if not self.levels:
            return ()
        levels = tuple(int(self.levels.get(name, 0)) for name in qi)
        for name, level, height in zip(qi, levels, problem.heights, strict=True):
            if not 0 <= level <= height:
                raise UsageError(
                    "{name}: column '{column}' has the levels 0 to {height}, not {level}",
                    name=self.name,
                    column=name,
                    height=int(height),
                    level=level,
                )
        return levels

    def _require_private_inputs(self, table: Table, rng: Randomness) -> None:
        """Fail on what would tell more of the rows than ε allows."""
        if rng.seeded:
            raise UsageError(
                "{name}: leave the seed out; whoever finds it can draw the same sample",
                name=self.name,
            )
        specs = [self.hierarchies] if isinstance(self.hierarchies, str) else self.hierarchies
        given = specs if isinstance(specs, list) else [specs.get(q, "") for q in table.schema.qi]
        if any(spec in ("", AUTO) for spec in given):
            raise UsageError(
                "{name}: give files of hierarchies for all columns; hierarchies that are made from "
                "the rows tell something about them",
                name=self.name,
            )
        if others := [name for name in table.schema.names if name not in table.schema.qi]:
            raise UsageError(
                "{name}: every column that is released must be a quasi-identifier; drop {columns} "
                "or make them quasi-identifiers",
                name=self.name,
                columns=join_messages(others),
            )


def delta_of_k(k: int, epsilon: float) -> float:
    """The δ that classes of at least k rows give, with β = 1 − e^−ε."""
    rate = 1 - math.exp(-epsilon)
    gamma = (math.exp(epsilon) - 1 + rate) / math.exp(epsilon)
    divergence = gamma * math.log(gamma / rate) + (1 - gamma) * math.log((1 - gamma) / (1 - rate))
    first, largest = max(math.ceil(k / gamma - 1 - ROUNDING), 1), 0.0
    # P(Bin(n, β) ≥ γ·n) ≤ exp(−n·D(γ‖β)), which falls: what comes later cannot be larger.
    while math.exp(-first * divergence) > largest:
        sizes = np.arange(first, first + BLOCK)
        largest = max(largest, float(bdtrc(np.floor(gamma * sizes - ROUNDING), sizes, rate).max()))
        first += BLOCK
    return largest


def derive_k(epsilon: float, delta: float) -> int:
    """The smallest k with δ(k) ≤ δ; δ(k) never rises with k."""
    low, high = 0, 2
    while delta_of_k(high, epsilon) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if delta_of_k(middle, epsilon) <= delta else (middle, high)
    return max(high, 2)


def large_class_rows(class_of: np.ndarray, is_drawn: np.ndarray, k: int) -> np.ndarray:
    """The drawn rows whose classes have at least k drawn rows."""
    drawn_counts = np.bincount(class_of[is_drawn], minlength=int(class_of.max(initial=-1)) + 1)
    return np.flatnonzero(is_drawn & (drawn_counts[class_of] >= k))


def draw_levels(
    problem: RecodingProblem, k: int, epsilon: float, generator: np.random.Generator
) -> tuple[int, ...]:
    """Levels by the exponential mechanism: probability ∝ exp(ε · score / 2k)."""
    if count_nodes(problem.heights) > MAX_SEARCHED_NODES:
        raise UsageError(
            "safepub: the hierarchies have more than {limit:,} combinations of levels; give the "
            "levels",
            limit=MAX_SEARCHED_NODES,
        )
    nodes = list(np.ndindex(*(int(height) + 1 for height in problem.heights)))
    scores = np.array(score_nodes(problem, nodes, k))
    draws = epsilon * scores / (2 * k) + generator.gumbel(size=len(nodes))
    return nodes[int(np.argmax(draws))]


def score_nodes(problem: RecodingProblem, nodes: list[tuple[int, ...]], k: int) -> list[float]:
    """Of every node, the sum over the rows in classes of at least k of 1 − NCP."""
    evaluator, scores = NodeEvaluator(problem, k), []
    for levels in nodes:
        node = evaluator.node(levels)
        firsts, sizes = node.firsts[node.kept], node.sizes[node.kept]
        costs = problem.costs(np.tile(np.array(levels), (len(firsts), 1)), problem.codes[firsts])
        scores.append(float(sizes @ (1 - costs / problem.columns)))
    return scores
