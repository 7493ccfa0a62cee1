"""Non-uniform entropy (Gionis and Tassa 2009): how many bits about the true values are gone.

EntropyLoss(hierarchies={"age": ages}).score(case)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import ColumnSpans, Hierarchies, spans_of
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class EntropyLoss(Measure):
    """Mean over QI of Σ_rows log₂(p(cell)/p(value)) / Σ_rows log₂(1/p(value)).

    p = share in the original column: a frequent value hidden among rare ones loses little. A
    deleted row, and a cell that does not cover the true value, count as `*`. A QI with one value
    loses nothing.
    """

    name: ClassVar[str] = "entropy_loss"
    title: ClassVar[Text] = Text("Entropy lost in the QI", "準識別子の情報量損失")
    sentence: ClassVar[Text] = Text(
        "How much of the information in the quasi-identifiers is gone.",
        "準識別子の情報量がどれだけ失われたかを示します。",
    )
    formula: ClassVar[str] = "mean_j Σ log₂(p(cell) / p(x)) / Σ log₂(1 / p(x))"
    says: ClassVar[Text] = Text(
        "{value} of the information in the quasi-identifiers is gone.",
        "準識別子の情報量の {value} が失われています。",
    )
    limits: ClassVar[Limits] = Limits(0.10, 0.30)
    """As for NCP, counted in bits: 10 % and 30 %."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    unit: ClassVar[Text] = Text("share of the bits", "ビット数に対する割合")
    on_request: ClassVar[bool] = True

    hierarchies: Hierarchies = field(default_factory=dict)

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = spans_of(case, self.hierarchies)
        losses = [column_loss(column, case.link) for column in columns]
        return Score(float(np.mean(losses)) if losses else 0.0, sample=case.original.rows)


def column_loss(column: ColumnSpans, link: np.ndarray) -> float:
    """Share of the column's bits that the release does not tell."""
    share = np.bincount(column.original, minlength=column.leaves) / len(column.original)
    held = np.array([share[leaves].sum() for leaves in column.spans])
    bits = -np.log2(share[column.original])
    left = bits.copy()
    told = column.hold(column.released, column.original[link])
    hidden = bits[link] + np.log2(np.where(told, held[column.released], 1.0))
    # Sums of shares may exceed their parts in the last bit only: no loss is below 0.
    left[link] = np.maximum(hidden, 0.0)
    total = float(bits.sum())
    return min(float(left.sum()) / total, 1.0) if total else 0.0
