"""Several recoding methods, of which the one with the least loss is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tokumei.core.progress import track
from tokumei.core.text import Text
from tokumei.tables.anonymizers.auto_plan import Plan
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.anonymizers.local_recoding import KMember, LocalRecodingMethod
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
