"""H: deletes rows, at random or the most exposed first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_share
from tokumei.tables.anonymizers.similar_rows import scale_down_large
from tokumei.tables.data.numeric_columns import has_only_numbers
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class Delete(TableMethod):
    """Drop a share of the rows. At least one row always stays."""

    name: ClassVar[str] = "delete"
    title: ClassVar[Message] = Message("Delete rows")
    sentence: ClassVar[Message] = Message(
        "Deletes a share of the rows, at random or the most exposed first."
    )
    leaves_open: ClassVar[Message] = Message(
        "The remaining rows are unchanged: anyone who knows one of them can find it."
    )

    share: float = 0.1
    choose: Literal["random", "exposed"] = "random"

    def __post_init__(self) -> None:
        require_share(self.name, self.share)

    def done(self) -> Message:
        """How many rows go, and which."""
        if self.choose == "exposed":
            return Message("Delete the most exposed {share:percent} of the rows", share=self.share)
        return Message("Delete {share:percent} of the rows at random", share=self.share)

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Keep the rows that are not chosen, in their order."""
        rows = step.table.rows
        count = min(round(self.share * rows), rows - 1)
        order = rng.permutation(rows)
        if self.choose == "exposed":
            order = order[order_by_exposure(step.table.take(order))]
        keep = np.sort(order[count:])
        return Step(step.table.take(keep), step.link[keep], step.claims)


def order_by_exposure(table: Table) -> np.ndarray:
    """Row numbers: smallest QI class first, then farthest from the middle, then as they come.

    A gap is in the middle of its column, and a text says nothing.
    """
    classes = equivalence_class_codes(table.frame, table.schema.qi)
    size = np.bincount(classes)[classes]
    values = table.numbers(
        [name for name in table.schema.sa if has_only_numbers(table.frame[name])]
    )
    if np.isnan(values).any():
        known_values = [column[~np.isnan(column)] for column in values.T]
        medians = [
            np.median(column_values) if len(column_values) else 0.0
            for column_values in known_values
        ]
        values = np.where(np.isnan(values), medians, values)
    values = scale_down_large(values)
    sd = values.std(axis=0)
    spread = (values - np.median(values, axis=0)) / np.where(sd > 0, sd, 1.0)
    distance = (spread**2).sum(axis=1)
    return np.lexsort((-distance, size))
