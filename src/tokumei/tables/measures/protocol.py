"""Protocol of measures of tables."""

from __future__ import annotations

from typing import ClassVar, Protocol, TypedDict

import numpy as np

from tokumei.core import measure
from tokumei.core.measure import MissingCellCounts
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.missing_counts import count_missing


class ScoreContext(TypedDict):
    """Notes on a figure: its missing cells, and how many of its columns are texts."""

    gaps: MissingCellCounts | None
    texts: int | None


def score_context(case: Comparison) -> ScoreContext:
    """Count missing cells and text columns among the sensitive columns."""
    counts, gaps = [count_missing(case, name) for name in case.sa], None
    if any(column_counts.before or column_counts.after for column_counts in counts):
        cells = case.released_rows * len(case.sa)
        after, gained, lost = (
            sum(part) for part in zip(*(column_counts[2:] for column_counts in counts), strict=True)
        )
        gaps = MissingCellCounts(cells, cells - after - lost, gained, lost)
    return {"gaps": gaps, "texts": len(case.text_sa) or None}


class Measure(measure.Measure[Comparison], Protocol):
    """Scores one released table against its original."""

    from_counts: ClassVar[bool] = False
    """Whether it needs no link and takes rows that stand for many (`data/weighted_rows.py`)."""
    compares_linked_rows: ClassVar[bool] = False
    """Whether a wrong link gives a wrong figure."""


class UnboundedMeasure(Measure, Protocol):
    """A figure in a unit of its own, from nought upwards, that class counts suffice for."""

    as_percent: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    from_counts: ClassVar[bool] = True


class RiskMeasure(Measure, Protocol):
    """A risk of the release as a share, from its QI classes; measured on request."""

    needs: ClassVar[tuple[str, ...]] = ("qi",)
    safety: ClassVar[bool] = True
    unit: ClassVar[Message] = Message("share")
    from_counts: ClassVar[bool] = True
    on_request: ClassVar[bool] = True
