"""U1 meanMAE and U4 corMAE: how far means and correlations of the sensitive columns moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.protocol import Measure, Unbounded


@dataclass(frozen=True)
class MeanError(Unbounded):
    """Mean over SA j of |mean(X_j) − mean(Y_j)|.

    Suppressed cells are left out of the mean; a column without any other cell has mean 0.
    """

    name: ClassVar[str] = "U1"
    title: ClassVar[Text] = Text("Error of the means", "平均値の誤差")
    sentence: ClassVar[Text] = Text(
        "How far the means of the sensitive columns have moved.",
        "機密属性の平均値がどれだけずれたかを示します。",
    )
    formula: ClassVar[str] = "mean_j |mean(X_j) − mean(Y_j)|"
    says: ClassVar[Text] = Text(
        "The means of the sensitive columns move by {value} on average{relative}.",
        "機密属性の平均値は、平均して {value} ずれます{relative}。",
    )
    unchanged: ClassVar[Text] = Text(
        "The means of the sensitive columns are unchanged.", "機密属性の平均値は変わりません。"
    )
    relative: ClassVar[Text] = Text("their level", "水準")
    heading: ClassVar[Text] = Text("Means", "平均値")
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    """1 % and 5 % of the mean level; 5 % is also where diagnosis says ×."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    unit: ClassVar[Text] = Text("the column's unit", "列の単位")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa:
            return Score(0.0)
        before = known_means(case.sa_original, case.original_counts)
        moved = before - known_means(case.sa_released, case.released_counts)
        return Score(float(np.abs(moved).mean()), sample=case.released_rows)

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """The mean level of the sensitive columns."""
        return mean_level(case)


def mean_level(case: Comparison) -> float | None:
    """The mean size of the means of the sensitive columns; None without any."""
    return float(np.abs(case.sa_original.mean(axis=0)).mean()) or None if case.sa else None


def known_means(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Mean of each column without its NaN, 0 if nothing is left; row i counts `counts[i]` times."""
    known = ~np.isnan(values)
    if counts is None:
        return np.asarray(values.sum(axis=0, where=known) / np.maximum(known.sum(axis=0), 1))
    weights = counts[:, None] * known
    return np.asarray(
        np.where(known, values * weights, 0.0).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    )


@dataclass(frozen=True)
class Correlation(Measure):
    """Mean over SA pairs i<j of |cor(X_i,X_j) − cor(Y_i,Y_j)|; a constant column has cor 0."""

    name: ClassVar[str] = "U4"
    title: ClassVar[Text] = Text("Error of the correlations", "相関係数の誤差")
    sentence: ClassVar[Text] = Text(
        "How far the correlations between sensitive columns have moved.",
        "機密属性どうしの相関係数がどれだけ変わったかを示します。",
    )
    formula: ClassVar[str] = "mean_i<j |cor(X_i, X_j) − cor(Y_i, Y_j)|"
    says: ClassVar[Text] = Text(
        "Correlations between sensitive columns change by {value} on average (1 is the most).",
        "機密属性どうしの相関係数は、平均して {value} 変わります（相関の最大は 1）。",
    )
    unchanged: ClassVar[Text] = Text(
        "Correlations between sensitive columns are unchanged.",
        "機密属性どうしの相関は変わりません。",
    )
    heading: ClassVar[Text] = Text("Correlations", "相関")
    limits: ClassVar[Limits] = Limits(0.05, 0.15)
    """A move by .05 seldom changes a conclusion, one by .15 often does."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    as_percent: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)
    unit: ClassVar[Text] = Text("correlation", "相関")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        pairs = np.triu_indices(len(case.sa), k=1)
        if not len(pairs[0]):
            return Score(0.0)
        before = correlations(case.sa_original, case.original_counts)
        moved = before[pairs] - correlations(case.sa_released, case.released_counts)[pairs]
        return Score(float(np.abs(moved).mean()), sample=len(pairs[0]))


def correlations(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Pearson correlations of the columns, 0 where one is constant; NaN counts as the mean.

    Row i counts `counts[i]` times.
    """
    centred = values - known_means(values, counts)
    centred = np.where(np.isnan(centred), 0.0, centred)
    rows = len(values) if counts is None else int(counts.sum())
    if counts is not None:
        centred *= np.sqrt(counts)[:, None]
    # Rounding leaves a constant column a spread of some 1e-16 of its size; that is not a signal.
    floor = 1e-12 * np.sqrt(rows) * np.nanmax(np.abs(values), axis=0, initial=0.0)
    norms = np.sqrt((centred**2).sum(axis=0))
    flat = norms <= floor
    unit = np.where(flat, 0.0, centred / np.where(flat, 1.0, norms))
    return np.asarray(unit.T @ unit)
