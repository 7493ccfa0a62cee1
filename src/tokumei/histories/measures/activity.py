"""Who is left: rows kept by customers' activity, and customers kept at all.

    rows_by_activity(case)      # decile, customers, rows, kept: for the report
    CustomersKept().score(case)

A loss over all rows hides whose rows are gone: the paper's method deletes the surplus of the most
active customer of a cluster, and the least active customers altogether.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.codes import rank_classes
from tokumei.core.measure import SHARE_LIMITS, Goal, Limits, Score
from tokumei.core.text import Text
from tokumei.histories.data.general import DELETED
from tokumei.histories.measures.protocol import HistoryCase, HistoryMeasure

DECILES = 10


@dataclass(frozen=True)
class CustomersKept(HistoryMeasure):
    """The share of customers with at least one released row."""

    name: ClassVar[str] = "customers_kept"
    title: ClassVar[Text] = Text("Share of customers kept", "残った顧客の割合")
    sentence: ClassVar[Text] = Text(
        "The share of customers who still have at least one released row.",
        "公開後も 1 行以上残っている顧客の割合を示します。",
    )
    formula: ClassVar[str] = "|customers released| / |customers|"
    says: ClassVar[Text] = Text(
        "{value} of the customers still have at least one row.",
        "{value} の顧客に、少なくとも 1 行が残っています。",
    )
    limits: ClassVar[Limits] = SHARE_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Text] = Text("share", "割合")

    def score(self, case: HistoryCase) -> Score:
        """The figure."""
        kept = case.pseudonym != DELETED
        return Score(float(kept.mean()), sample=len(kept))


def rows_by_activity(case: HistoryCase) -> pl.DataFrame:
    """Per decile of customers by number of rows (1 the fewest): customers, rows, share kept.

    A decile that ties leave without customers is not listed.
    """
    decile = rank_classes(case.original.counts, DECILES)
    owner = decile[case.original.customer_codes]
    customers = np.bincount(decile)
    rows = np.bincount(owner)
    kept = np.bincount(owner[case.released.kept], minlength=len(rows))
    found = np.flatnonzero(customers)
    return pl.DataFrame(
        {
            "decile": found,
            "customers": customers[found],
            "rows": rows[found],
            "kept": kept[found] / rows[found],
        }
    )
