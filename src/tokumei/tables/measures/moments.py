"""U1 meanMAE and U4 corMAE: how far means and correlations of the sensitive columns moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numbers import held, summable
from tokumei.tables.measures.protocol import Measure, Unbounded, beside
from tokumei.tables.measures.sensitive_values import (
    associations,
    half_distances,
    known_means,
    parts_of,
)


def terms_of(case: Comparison) -> int:
    """How many numbers a sum over rows, over cells of a cross table or over columns has at most."""
    return case.original_rows + case.released_rows + len(case.sa)


@dataclass(frozen=True)
class MeanError(Unbounded):
    """Mean over SA j of |mean(X_j) − mean(Y_j)|; of a text half the L1 distance of frequencies.

    Suppressed cells are left out of the mean, and so are cells that are missing on either side; a
    column without any other cell has mean 0.
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
    of_texts: ClassVar[Text] = Text(
        "Of text it is half the sum of the differences of frequencies.",
        "文字列の列では、頻度の差の合計の半分です。",
    )
    heading: ClassVar[Text] = Text("Means", "平均値")
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    """1 % and 5 % of the mean level; 5 % is also where diagnosis says ×."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    unit: ClassVar[Text] = Text("the column's unit", "列の単位")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa:
            return Score(0.0)
        (before, after), unit = summable(*case.sa_pairs, terms=terms_of(case))
        moved = known_means(before, case.original_counts)
        moved = np.abs(moved - known_means(after, case.released_counts))
        whole = (np.zeros(case.original.rows, np.int64), np.zeros(case.released.rows, np.int64))
        apart = [half_distances(*parts_of(case, name), whole, 1)[0] for name in case.text_sa]
        value = held(float(np.append(moved, np.array(apart) / unit).mean()) * unit, self.name)
        return Score(value, sample=case.released_rows, **beside(case))

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """The mean size of the means of the sensitive columns, of a text 1; None without any."""
        (values,), unit = summable(case.sa_original, terms=terms_of(case))
        means = np.abs(known_means(values))
        levels = np.append(means, np.ones(len(case.text_sa)) / unit)
        return float(levels.mean()) * unit or None if case.sa else None


@dataclass(frozen=True)
class Correlation(Measure):
    """Mean over SA pairs i<j of |cor(X_i,X_j) − cor(Y_i,Y_j)|; a constant column has cor 0.

    Of two texts Cramér's V, of a text and a number the correlation ratio; over the rows with both.
    """

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
    of_texts: ClassVar[Text] = Text(
        "Between texts it is Cramér's V, between text and number the correlation ratio.",
        "文字列どうしではクラメールの V、文字列と数値では相関比です。",
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
        if len(case.sa) < 2:
            return Score(0.0)
        names, numbers = case.sa, case.number_sa
        before = associations(case.original, names, numbers, case.original_counts)
        after = associations(case.released, names, numbers, case.released_counts)
        value = float(np.abs(before - after).mean())
        return Score(value, sample=len(before), **beside(case))
