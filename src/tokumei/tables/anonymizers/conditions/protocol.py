"""What a condition is, and what all conditions share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.kernels.verdict import Checks, Demands, classes_hold

Levels = tuple[tuple[int, ...], ...]


class Condition:
    """A demand on the sensitive values of every class; parameters are dataclass fields.

    `monotone`: the union of two classes that fulfil it fulfils it too, as long as `totals` stay
    the same. A search may then stop at the first coarsening that holds, and need not look above
    it; without it, it must test every candidate. Dropping rows changes `totals`: conditions that
    compare with them (closeness, likeness) must be tested anew.
    """

    monotone: ClassVar[bool]
    rule: ClassVar[str]
    """The rule that verifies the release; its parameters are `params` and the columns."""
    kind: ClassVar[int]
    """Which formula of `verdict`."""
    levels: Levels = ()
    """For each value its node, level by level up to the root, if the condition has a hierarchy."""

    def holds(self, histograms: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Which classes fulfil it; an empty class does.

        `histograms[i, v]` counts the rows of class i with value v, `sizes[i]` its rows, and
        `totals[v]` the rows of the whole release with value v.
        """
        if histograms.shape != (len(sizes), len(totals)):
            raise ValueError("histograms must have a row per size and a column per total")
        classes, values = np.nonzero(histograms)
        starts = np.searchsorted(classes, np.arange(len(sizes) + 1))
        demands = demands_of([(self, 0, len(totals))], np.asarray(totals))
        counts = np.asarray(histograms)[classes, values]
        checks = Checks.of(demands, starts, values, counts, np.asarray(sizes))
        return classes_hold(checks, np.arange(len(sizes)))

    @property
    def params(self) -> dict[str, Any]:
        """The rule's parameters that this condition decides, as plain data: its own numbers."""
        return {name: value for name, value in vars(self).items() if name != "levels"}

    @property
    def limits(self) -> tuple[float, float]:
        """The numbers of the formula; nought if it has one only."""
        first, second = [*(vars(self)[name] for name in vars(self) if name != "levels"), 0.0][:2]
        return first, second


def demands_of(wanted: Sequence[tuple[Condition, int, int]], totals: np.ndarray) -> Demands:
    """Conditions as arrays, each with the stretch of values that it is about."""
    first, end = (np.array([one[at] for one in wanted], dtype=np.int64) for at in (1, 2))
    trees = [_parents(condition.levels) for condition, _, _ in wanted]
    sizes = np.array([tree.size for tree in trees], dtype=np.int64)
    rows = [int(totals[low:high].sum()) for _, low, high in wanted]
    return Demands(
        kinds=np.array([condition.kind for condition, _, _ in wanted], dtype=np.int64),
        limits=np.array([one[0].limits for one in wanted], dtype=np.float64).reshape(-1, 2),
        first=first,
        end=end,
        rows=np.array(rows, dtype=np.int64),
        totals=totals.astype(np.int64),
        heights=np.array([len(tree) for tree in trees], dtype=np.int64),
        trees=np.cumsum(sizes) - sizes,
        parents=np.concatenate([np.zeros(0, np.int64), *(tree.ravel() for tree in trees)]),
    )


def _parents(levels: Levels) -> np.ndarray:
    """For each level, the parent of every node of the one below; nodes numbered from 0."""
    width = len(levels[0]) if levels else 0
    parents, below = np.zeros((len(levels), width), dtype=np.int64), np.arange(width)
    for height, level in enumerate(levels):
        nodes = np.unique(np.array(level), return_inverse=True)[1]
        parents[height, below] = nodes
        below = nodes
    return parents


def require_limit(good: bool, condition: str, value: float, needed: Text) -> None:
    """Fail on a limit that demands nothing or cannot be met."""
    if not good:
        raise UsageError(
            f"{condition}: {value:g} is not {needed.en}",
            f"{condition}: {value:g} は{needed.ja}ではありません",
        )
