"""Prec (Sweeney 2002): how few steps up their hierarchies the cells went.

Prec(hierarchies={"age": ages, "sex": sexes}).score(case)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Goal, Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import Hierarchies, spans_of
from tokumei.tables.measures.ncp import mean_with_deleted
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class Prec(Measure):
    """1 − Σ_ij h_ij/H_j / (N·|A|); a suppressed or deleted row counts as `*` in every QI.

    A QI without a hierarchy has two levels, the value and everything else. A label on several
    levels counts as the lowest that holds the row's true value. An interval or set counts as the
    lowest node that holds all of it.
    """

    name: ClassVar[str] = "prec"
    title: ClassVar[Text] = Text("Precision (Prec)", "精度 (Prec)")
    sentence: ClassVar[Text] = Text(
        "How much of the hierarchies' precision is left.",
        "階層の細かさがどれだけ保たれているかを示します。",
    )
    formula: ClassVar[str] = "1 − mean_cells level(cell) / height"
    says: ClassVar[Text] = Text(
        "{value} of the precision of the hierarchies is kept (Prec).",
        "階層の細かさの {value} が保たれています（Prec）。",
    )
    limits: ClassVar[Limits] = Limits(0.90, 0.70, more_is_better=True)
    """The other side of NCP's limits: 10 % and 30 % of the levels lost."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Text] = Text("share of the levels", "階層段数に対する割合")
    from_counts: ClassVar[bool] = True
    on_request: ClassVar[bool] = True

    hierarchies: Hierarchies = field(default_factory=dict)

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = spans_of(case, self.hierarchies)
        times = 1 if case.released_counts is None else case.released_counts
        steps = [float(np.sum(column.levels[column.released] * times)) for column in columns]
        return Score(1 - mean_with_deleted(case, steps), sample=case.original_rows)
