"""Several recoding methods, of which the one with the least loss is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.anonymizers.full_domain import Flash
from tokumei.anonymizers.local_recoding import KMember, LocalRecodingMethod
from tokumei.anonymizers.recoding.clusters import ncp_of
from tokumei.anonymizers.recoding.problem import RecodingProblem
from tokumei.anonymizers.recoding_method import Recoding, RecodingMethod
from tokumei.progress import track
from tokumei.text import Text

NODES = {"normal": 2_000, "high": 100_000}
CLUSTERED = 20_000
"""Tuples above which clustering, whose time grows with their square, is left out."""


@dataclass(frozen=True)
class Auto(RecodingMethod):
    """Full-domain search, local recoding and, for small tables, clustering; the least NCP wins.

    `effort` bounds the work of each in steps, not in seconds, so that the winner is the same on
    every machine. None of them is proven to be the best local recoding there is.
    """

    name: ClassVar[str] = "auto"
    title: ClassVar[Text] = Text("Best of several recodings", "再符号化手法の自動選択")

    effort: Literal["normal", "high"] = "normal"
    suppression: float = 0.0

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Try all, keep the best; of equals the first."""
        found = [method.solve(problem) for method in track(self._tried(problem), self.title)]
        return min(found, key=lambda made: recoding_loss(problem, made))

    def _tried(self, problem: RecodingProblem) -> list[RecodingMethod]:
        share, nodes = self.suppression, NODES[self.effort]
        tried: list[RecodingMethod] = [
            LocalRecodingMethod(self.k, effort=self.effort, suppression=share),
            Flash(self.k, suppression=share, budget=nodes),
        ]
        return [*tried, KMember(self.k)] if len(problem.counts) <= CLUSTERED else tried


def recoding_loss(problem: RecodingProblem, made: Recoding) -> float:
    """The mean NCP of a cell; a suppressed row counts 1 in every column."""
    top = np.where(made.suppressed[:, None], problem.heights[None, :], made.levels)
    return ncp_of(problem, top)
