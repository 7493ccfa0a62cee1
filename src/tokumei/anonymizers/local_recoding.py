"""Local recoding: every class of rows at its own levels, for the lowest loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tokumei.anonymizers.recoding.cell_suppression import suppress_locally
from tokumei.anonymizers.recoding.k_member import k_member
from tokumei.anonymizers.recoding.local import recode_locally
from tokumei.anonymizers.recoding.one_pass import one_pass
from tokumei.anonymizers.recoding.problem import RecodingProblem
from tokumei.anonymizers.recoding_method import Recoding, RecodingMethod
from tokumei.data.threads import threads
from tokumei.progress import meter
from tokumei.text import Text

SEED = 0
"""The searches' own: which rows form a class is no secret."""


@dataclass(frozen=True)
class LocalRecodingMethod(RecodingMethod):
    """Cheapest classes first, then improved; `effort` high takes about a minute.

    `suppression` is the share of rows that may become `*` in every QI.
    """

    name: ClassVar[str] = "local"
    title: ClassVar[Text] = Text("Local recoding (least loss)", "局所的再符号化 (損失最小化)")

    effort: Literal["normal", "high"] = "normal"
    suppression: float = 0.0

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Search classes."""
        with meter(Text("local recoding", "局所的再符号化")) as advance:
            found = recode_locally(
                problem,
                self.k,
                effort=self.effort,
                seed=SEED,
                suppression=self.suppression,
                threads=threads(),
                progress=advance,
            )
        return Recoding(found.levels, found.class_of < 0)


@dataclass(frozen=True)
class KMember(RecodingMethod):
    """Greedy clusters of k rows (Byun et al. 2007). For comparison with `local`."""

    name: ClassVar[str] = "k-member"
    title: ClassVar[Text] = Text("k-member clustering", "k-member クラスタリング")

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Cluster the tuples."""
        return Recoding.whole(k_member(problem, self.k, seed=SEED).levels)


@dataclass(frozen=True)
class OnePass(RecodingMethod):
    """One-pass k-means (Lin and Wei 2008). For comparison with `local`."""

    name: ClassVar[str] = "one-pass"
    title: ClassVar[Text] = Text("One-pass k-means", "ワンパス k-means")

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Cluster the tuples."""
        return Recoding.whole(one_pass(problem, self.k, seed=SEED).levels)


@dataclass(frozen=True)
class CellSuppression(RecodingMethod):
    """Single cells become `*`, nothing else is generalized (as in μ-Argus)."""

    name: ClassVar[str] = "local-suppression"
    title: ClassVar[Text] = Text("Suppress single cells", "セルの局所抑圧")

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Give cells up."""
        return Recoding.whole(suppress_locally(problem, self.k).levels)
