"""Several recoding methods, of which the one with the least loss is kept.

What runs in a budget of seconds (`Plan`) is estimated from the size of the problem alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from tokumei.core.errors import UsageError
from tokumei.core.progress import track
from tokumei.core.text import Text
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.anonymizers.local_recoding import KMember, LocalRecodingMethod
from tokumei.tables.anonymizers.recoding.clustering import BLOCK
from tokumei.tables.anonymizers.recoding.lattice import ENUMERABLE, nodes_of
from tokumei.tables.anonymizers.recoding.local import VECTORS_AT_MOST
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import Recoding, RecodingMethod


@dataclass(frozen=True)
class Auto(RecodingMethod):
    """Local recoding, full-domain search and clustering, as far as they fit; the least NCP wins.

    What fits into `seconds` is estimated from the table's size for two quiet cores. No clock is
    looked at: the same table gives the same release everywhere, on a slow machine only later.
    """

    name: ClassVar[str] = "auto"
    title: ClassVar[Text] = Text("Best of several recodings", "再符号化手法の自動選択")
    sentence: ClassVar[Text] = Text(
        "Tries the recodings that fit the table's size and keeps the one with the least loss.",
        "表の大きさに合った再符号化手法を試し、損失が最も小さいものを採用します。",
    )

    seconds: float = 20.0
    suppression: float = 0.0

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
        """Try what fits, keep the best; of equals the first."""
        plan = Plan.of(problem, self.seconds)
        tried = self._tried(plan)
        found = [method.solve(problem, guard) for method in track(tried, self.title)]
        losses = [made.loss(problem) for made in found]
        best = losses.index(min(losses))
        return replace(found[best], optimal=False, how=plan.told(tried[best].name))

    def _tried(self, plan: Plan) -> list[RecodingMethod]:
        share = self.suppression
        tried: list[RecodingMethod] = [
            LocalRecodingMethod(self.k, effort=plan.effort, suppression=share)
        ]
        if plan.nodes:
            tried.append(Flash(self.k, suppression=share, budget=plan.nodes))
        if plan.clusters:
            tried.append(KMember(self.k))
        return tried


LOCAL_SHARE, LATTICE_SHARE, CLUSTER_SHARE = 0.75, 0.15, 0.1
FEWEST_NODES = 100
# Seconds on two quiet cores: of high effort per tuple, of the others per tuple and column.
HIGH_EFFORT = 4.5e-4
HIGH_EFFORT_AT_MOST = 12_500
ROUNDS = 1e-4
VECTOR = 2e-9
LOCAL_CELL = 1.2e-5
NODE = 1.4e-8
STEPS_OF_NODE = {False: 4e-4, True: 3e-3}
"""Besides the tuples, by whether the lattice is too large to hold: what is passed on the way."""
PAIR = 2.6e-9


@dataclass(frozen=True)
class Plan:
    """The effort of local recoding, the nodes of the lattice to visit, whether to cluster."""

    effort: Literal["normal", "high"]
    nodes: int
    clusters: bool
    seconds: float
    longer: bool = False
    """Local recoding alone may take longer; it is run all the same."""

    @classmethod
    def of(cls, problem: RecodingProblem, seconds: float) -> Plan:
        """What fits; local recoding with normal effort is always run."""
        if not seconds > 0:
            raise UsageError("seconds must be above 0", "seconds は正の数にしてください")
        tuples, columns, all_nodes = len(problem.counts), problem.columns, nodes_of(problem.heights)
        # Level vectors are visited; moves are limited, but every round starts all tuples anew.
        visits = VECTOR * min(all_nodes, VECTORS_AT_MOST) * tuples * columns
        moves = HIGH_EFFORT * min(tuples, HIGH_EFFORT_AT_MOST) * (columns + 8) / 2
        high = visits + (moves + ROUNDS * tuples)
        node = NODE * tuples * columns + STEPS_OF_NODE[all_nodes > ENUMERABLE]
        nodes = int(min(LATTICE_SHARE * seconds / node, ENUMERABLE))
        # Every tuple is compared with every other of its block.
        pairs = PAIR * tuples * min(tuples, BLOCK) * columns
        return cls(
            effort="high" if high <= LOCAL_SHARE * seconds else "normal",
            nodes=nodes if nodes >= min(FEWEST_NODES, all_nodes) else 0,
            clusters=pairs <= CLUSTER_SHARE * seconds,
            seconds=seconds,
            longer=LOCAL_CELL * tuples * columns > seconds,
        )

    def told(self, winner: str) -> Text:
        """What was run, what was left out, and what won."""
        run = [Text(f"local with {self.effort} effort", f"local (探索 {self.effort})")]
        left = []
        if self.effort != "high":
            left.append(Text("local with high effort", "local (探索 high)"))
        if self.nodes:
            run.append(Text(f"flash up to {self.nodes} nodes", f"flash ({self.nodes} ノードまで)"))
        else:
            left.append(Text("flash", "flash"))
        (run if self.clusters else left).append(Text("k-member", "k-member"))
        late = Text("", "")
        if self.longer:
            late = Text(
                f"; local itself, which is always run, may take longer than {self.seconds:g} s",
                f"。常に実行する local だけで {self.seconds:g} 秒を超えることがあります",
            )
        en, left_en = (", ".join(one.en for one in some) for some in (run, left))
        ja, left_ja = ("、".join(one.ja for one in some) for some in (run, left))
        return Text(
            f"{winner} lost least of {en}"
            + (f"; did not fit into {self.seconds:g} s: {left_en}" if left else "")
            + late.en,
            f"{ja} のうち {winner} の損失が最小"
            + (f"。{self.seconds:g} 秒に収まらず省いたもの: {left_ja}" if left else "")
            + late.ja,
        )
