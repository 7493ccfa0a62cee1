"""Local recoding: generalizes each class to its own levels, for the lowest loss."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.messages import Message, join_sentences
from tokumei.core.progress import progress_bar, thread_count
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.k_anonymizer import REMAINING_RISKS
from tokumei.tables.anonymizers.recoding.cell_suppression import suppress_locally
from tokumei.tables.anonymizers.recoding.clustering import k_member, one_pass
from tokumei.tables.anonymizers.recoding.condition_merging import merge_until_allowed
from tokumei.tables.anonymizers.recoding.local_search import recode_locally
from tokumei.tables.anonymizers.recoding.recoding_problem import (
    ClassBoxes,
    RecodedClasses,
    RecodingProblem,
)
from tokumei.tables.anonymizers.recoding_method import RecodingMethod, RecodingResult

SEARCH_SEED = 0
"""The searches' own: which rows form a class is no secret."""
FULL_SEARCH_NOTE = Message("the best classes found")
SAMPLED_SEARCH_NOTE = Message(
    "the best classes found from a sample of level combinations (there are too many for all)"
)


@dataclass(frozen=True)
class LocalRecodingMethod(RecodingMethod):
    """Cheapest classes first, then improved; `effort` high takes about a minute.

    `suppression` is the share of rows that may become `*` in every QI.
    """

    name: ClassVar[str] = "local"
    title: ClassVar[Message] = Message("Local recoding (least loss)")
    sentence: ClassVar[Message] = Message(
        "Makes classes of at least k rows along hierarchies so that as little as possible is lost."
    )
    leaves_open: ClassVar[Message] = join_sentences(
        [
            REMAINING_RISKS,
            Message(
                "Classes are chosen where they cost least, so that whoever knows the method can "
                "often tell which of several fitting classes somebody is in."
            ),
        ]
    )

    effort: Literal["normal", "high"] = "normal"
    suppression: float = 0.0

    def prepare(self) -> None:
        """Load the compiled search, which takes longer than the search in a small table."""
        recode_locally(RecodingProblem.tiny(), 2)

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Search classes."""
        with progress_bar(Message("local recoding")) as advance:
            classes = recode_locally(
                problem,
                self.k,
                effort=self.effort,
                seed=SEARCH_SEED,
                suppression=self.suppression,
                threads=thread_count(),
                progress=advance,
            )
        recoding = _enforce_conditions(problem, classes, guard, self.suppression)
        return replace(recoding, how=FULL_SEARCH_NOTE if classes.complete else SAMPLED_SEARCH_NOTE)


@dataclass(frozen=True)
class KMember(RecodingMethod):
    """Greedy clusters of k rows (Byun et al. 2007). For comparison with `local`."""

    name: ClassVar[str] = "k-member"
    title: ClassVar[Message] = Message("k-member clustering")
    sentence: ClassVar[Message] = Message(
        "Collects clusters of k similar rows one by one; for comparison with local recoding."
    )

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Cluster the tuples."""
        return _enforce_conditions(problem, k_member(problem, self.k, seed=SEARCH_SEED), guard)


@dataclass(frozen=True)
class OnePass(RecodingMethod):
    """One-pass k-means (Lin and Wei 2008). For comparison with `local`."""

    name: ClassVar[str] = "one-pass"
    title: ClassVar[Message] = Message("One-pass k-means")
    sentence: ClassVar[Message] = Message(
        "Clusters the rows in a single pass; for comparison with local recoding."
    )

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Cluster the tuples."""
        return _enforce_conditions(problem, one_pass(problem, self.k, seed=SEARCH_SEED), guard)


@dataclass(frozen=True)
class CellSuppression(RecodingMethod):
    """Single cells become `*`, nothing else is generalized (as in μ-Argus)."""

    name: ClassVar[str] = "local-suppression"
    title: ClassVar[Message] = Message("Suppress single cells")
    sentence: ClassVar[Message] = Message(
        "Replaces single cells by * until every class has k rows; nothing else is generalized."
    )

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Give cells up."""
        classes = suppress_locally(problem, self.k)
        two_level_problem = RecodingProblem(
            problem.codes,
            problem.counts,
            tuple(up[[0, -1]] for up in problem.up),
            tuple(cost[[0, -1]] for cost in problem.cost),
        )
        recoding = _enforce_conditions(
            two_level_problem, replace(classes, levels=(classes.levels > 0).astype(np.int64)), guard
        )
        return RecodingResult.whole(np.where(recoding.levels > 0, problem.heights, 0))


def _enforce_conditions(
    problem: RecodingProblem, classes: RecodedClasses, guard: Guard, suppression: float = 0.0
) -> RecodingResult:
    """The classes, or those that merging makes of them if some break a condition."""
    levels, class_of = classes.levels, classes.class_of
    if guard:
        budget = int(suppression * problem.rows + 1e-9)
        class_of = merge_until_allowed(problem, class_of, guard, budget)
        is_released = class_of >= 0
        levels = np.tile(problem.heights, (len(class_of), 1))
        levels[is_released] = ClassBoxes.around(problem, class_of).levels[class_of[is_released]]
    return RecodingResult(levels, class_of < 0)
