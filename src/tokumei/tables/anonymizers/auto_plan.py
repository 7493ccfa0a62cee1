"""What `auto` runs in a budget of seconds, estimated from the size of the problem alone.

plan = Plan.of(problem, seconds=60)
plan.effort, plan.nodes, plan.clusters
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.tables.anonymizers.recoding.clusters import BLOCK
from tokumei.tables.anonymizers.recoding.lattice_board import ENUMERABLE, nodes_of
from tokumei.tables.anonymizers.recoding.local import VECTORS_AT_MOST
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

LOCAL_SHARE, LATTICE_SHARE, CLUSTER_SHARE = 0.75, 0.15, 0.1
FEWEST_NODES = 100
# Seconds on two quiet cores: of high effort per tuple, of the others per tuple and column.
HIGH_EFFORT = 4.5e-4
HIGH_EFFORT_AT_MOST = 12_500
ROUNDS = 1e-4
VECTOR = 2e-9
NODE = 1.4e-8
PAIR = 2.6e-9


@dataclass(frozen=True)
class Plan:
    """The effort of local recoding, the nodes of the lattice to visit, whether to cluster."""

    effort: Literal["normal", "high"]
    nodes: int
    clusters: bool
    seconds: float

    @classmethod
    def of(cls, problem: RecodingProblem, seconds: float) -> Plan:
        """What fits; local recoding with normal effort is always run."""
        if not seconds > 0:
            raise UsageError(Text("seconds must be above 0", "seconds は正の数にしてください"))
        tuples, columns = len(problem.counts), problem.columns
        high = start_seconds(problem) + high_seconds(tuples, columns)
        nodes = int(min(LATTICE_SHARE * seconds / (NODE * tuples * columns), ENUMERABLE))
        return cls(
            effort="high" if high <= LOCAL_SHARE * seconds else "normal",
            nodes=nodes if nodes >= min(FEWEST_NODES, nodes_of(problem.heights)) else 0,
            clusters=cluster_seconds(tuples, columns) <= CLUSTER_SHARE * seconds,
            seconds=seconds,
        )

    def told(self, winner: str) -> Text:
        """What was run, what was left out, and what won."""
        en, ja = [f"local with {self.effort} effort"], [f"local (労力 {self.effort})"]
        left = [] if self.effort == "high" else ["local with high effort"]
        if self.nodes:
            en.append(f"flash up to {self.nodes} nodes")
            ja.append(f"flash ({self.nodes} ノードまで)")
        if self.clusters:
            en.append("k-member")
            ja.append("k-member")
        left += [] if self.nodes else ["flash"]
        left += [] if self.clusters else ["k-member"]
        left_ja = [name.replace(" with high effort", " (探索 high)") for name in left]
        return Text(
            f"{winner} lost least of {', '.join(en)}"
            + (f"; did not fit into {self.seconds:g} s: {', '.join(left)}" if left else ""),
            f"{'、'.join(ja)} のうち {winner} の損失が最小"
            + (f"。{self.seconds:g} 秒に収まらず省いたもの: {'、'.join(left_ja)}" if left else ""),
        )


def start_seconds(problem: RecodingProblem) -> float:
    """Visiting level vectors, cheapest first."""
    vectors = min(nodes_of(problem.heights), VECTORS_AT_MOST)
    return VECTOR * vectors * len(problem.counts) * problem.columns


def high_seconds(tuples: int, columns: int) -> float:
    """Annealing with high effort: its moves are limited, but every round starts all tuples anew."""
    moves = HIGH_EFFORT * min(tuples, HIGH_EFFORT_AT_MOST) * (columns + 8) / 2
    return moves + ROUNDS * tuples


def cluster_seconds(tuples: int, columns: int) -> float:
    """Comparing every tuple with every other of its block."""
    return PAIR * tuples * min(tuples, BLOCK) * columns
