"""NCP: how wide the released QI cells are.

Ncp().score(case); Ncp(hierarchies={"age": ages}).score(case)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import Hierarchies, spans_of
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class Ncp(Measure):
    """Mean over QI cells of the normalized certainty penalty; a suppressed or deleted row counts 1.

    With a hierarchy (leaves under the node − 1)/(leaves − 1); numbers without (max − min)/range;
    categories without (values in the set − 1)/(values in the column − 1).
    """

    name: ClassVar[str] = "ncp"
    title: ClassVar[Text] = Text("Width of the QI cells (NCP)", "準識別子の一般化幅 (NCP)")
    sentence: ClassVar[Text] = Text(
        "How wide the published quasi-identifier cells are, along their hierarchies if there are "
        "any.",
        "公開された準識別子のセルの幅を、階層があれば階層に沿って測って示します。",
    )
    formula: ClassVar[str] = "mean_cells (leaves(cell) − 1) / (leaves − 1)"
    says: ClassVar[Text] = Text(
        "A quasi-identifier cell covers {value} of its column's domain on average (NCP).",
        "準識別子の一つのセルは、平均して列の値域の {value} にわたります（NCP）。",
    )
    limits: ClassVar[Limits] = Limits(0.10, 0.30)
    """As for `gcp_sets`, which measures the same: 10 % and 30 % of a column's domain."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    unit: ClassVar[Text] = Text("share of the domain", "値域に対する割合")
    from_counts: ClassVar[bool] = True
    on_request: ClassVar[bool] = True

    hierarchies: Hierarchies = field(default_factory=dict)

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = spans_of(case, self.hierarchies)
        times = 1 if case.released_counts is None else case.released_counts
        losses = [float(np.sum(column.losses[column.released] * times)) for column in columns]
        return Score(mean_with_deleted(case, losses), sample=case.original_rows)


def mean_with_deleted(case: Comparison, sums: list[float]) -> float:
    """Mean over the original's rows and the QI; `sums` per QI over the released rows."""
    rows = case.original_rows
    deleted = rows - case.released_rows
    return float(np.mean([(part + deleted) / rows for part in sums])) if sums else 0.0
