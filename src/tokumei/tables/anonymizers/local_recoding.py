"""Local recoding: every class of rows at its own levels, for the lowest loss."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.progress import meter, threads
from tokumei.core.text import Text
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.k_anonymizer import LEFT_OPEN
from tokumei.tables.anonymizers.recoding.cell_suppression import suppress_locally
from tokumei.tables.anonymizers.recoding.clustering import k_member, one_pass
from tokumei.tables.anonymizers.recoding.local import recode_locally
from tokumei.tables.anonymizers.recoding.local_conditions import merge_until_allowed
from tokumei.tables.anonymizers.recoding.problem import Boxes, Classes, RecodingProblem
from tokumei.tables.anonymizers.recoding_method import Recoding, RecodingMethod

SEED = 0
"""The searches' own: which rows form a class is no secret."""
VISITED_ALL = Text("the best classes found", "見つかった最良のクラス")
VISITED_SOME = Text(
    "the best classes found from a sample of level combinations (there are too many for all)",
    "レベルの組み合わせが多すぎるため標本から見つけた最良のクラス",
)


@dataclass(frozen=True)
class LocalRecodingMethod(RecodingMethod):
    """Cheapest classes first, then improved; `effort` high takes about a minute.

    `suppression` is the share of rows that may become `*` in every QI.
    """

    name: ClassVar[str] = "local"
    title: ClassVar[Text] = Text("Local recoding (least loss)", "局所的再符号化 (損失最小化)")
    sentence: ClassVar[Text] = Text(
        "Makes classes of at least k rows along hierarchies so that as little as possible is lost.",
        "階層に沿って k 行以上のクラスを作り、情報の損失をできるだけ小さくします。",
    )
    leaves_open: ClassVar[Text] = Text(
        f"{LEFT_OPEN.en} Classes are chosen where they cost least, so that whoever knows the "
        "method can often tell which of several fitting classes somebody is in.",
        f"{LEFT_OPEN.ja}クラスは損失が最小になるように選ばれるため、手法を知る人は、当てはまる複数の"
        "クラスのどれに属するかを見分けられることがあります。",
    )

    effort: Literal["normal", "high"] = "normal"
    suppression: float = 0.0

    def prepare(self) -> None:
        """Load the compiled search, which takes longer than the search in a small table."""
        recode_locally(RecodingProblem.tiny(), 2)

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
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
        made = _held(problem, found, guard, self.suppression)
        return replace(made, how=VISITED_ALL if found.complete else VISITED_SOME)


@dataclass(frozen=True)
class KMember(RecodingMethod):
    """Greedy clusters of k rows (Byun et al. 2007). For comparison with `local`."""

    name: ClassVar[str] = "k-member"
    title: ClassVar[Text] = Text("k-member clustering", "k-member クラスタリング")
    sentence: ClassVar[Text] = Text(
        "Collects clusters of k similar rows one by one; for comparison with local recoding.",
        "似た k 行のまとまりを一つずつ作ります。局所的再符号化との比較用です。",
    )

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
        """Cluster the tuples."""
        return _held(problem, k_member(problem, self.k, seed=SEED), guard)


@dataclass(frozen=True)
class OnePass(RecodingMethod):
    """One-pass k-means (Lin and Wei 2008). For comparison with `local`."""

    name: ClassVar[str] = "one-pass"
    title: ClassVar[Text] = Text("One-pass k-means", "ワンパス k-means")
    sentence: ClassVar[Text] = Text(
        "Clusters the rows in a single pass; for comparison with local recoding.",
        "一度の走査で行をまとめます。局所的再符号化との比較用です。",
    )

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
        """Cluster the tuples."""
        return _held(problem, one_pass(problem, self.k, seed=SEED), guard)


@dataclass(frozen=True)
class CellSuppression(RecodingMethod):
    """Single cells become `*`, nothing else is generalized (as in μ-Argus)."""

    name: ClassVar[str] = "local-suppression"
    title: ClassVar[Text] = Text("Suppress single cells", "セルの局所抑圧")
    sentence: ClassVar[Text] = Text(
        "Replaces single cells by * until every class has k rows; nothing else is generalized.",
        "どのクラスも k 行以上になるまで個々のセルを * にし、それ以外は一般化しません。",
    )

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
        """Give cells up."""
        found = suppress_locally(problem, self.k)
        flat = RecodingProblem(
            problem.codes,
            problem.counts,
            tuple(up[[0, -1]] for up in problem.up),
            tuple(cost[[0, -1]] for cost in problem.cost),
        )
        made = _held(flat, replace(found, levels=(found.levels > 0).astype(np.int64)), guard)
        return Recoding.whole(np.where(made.levels > 0, problem.heights, 0))


def _held(
    problem: RecodingProblem, found: Classes, guard: Guard, suppression: float = 0.0
) -> Recoding:
    """The classes, or those that merging makes of them if some break a condition."""
    levels, class_of = found.levels, found.class_of
    if guard:
        budget = int(suppression * problem.rows + 1e-9)
        class_of = merge_until_allowed(problem, class_of, guard, budget)
        inside = class_of >= 0
        levels = np.tile(problem.heights, (len(class_of), 1))
        levels[inside] = Boxes.around(problem, class_of).levels[class_of[inside]]
    return Recoding(levels, class_of < 0)
