"""H: delete rows, at random or the most exposed first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.cells import class_codes
from tokumei.core.figures import percent
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.anonymizers.near_rows import tamed
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_share
from tokumei.tables.data.numbers import are_numbers
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class Delete(TableMethod):
    """Drop a share of the rows. At least one row always stays."""

    name: ClassVar[str] = "delete"
    title: ClassVar[Text] = Text("Delete rows", "行の削除")
    sentence: ClassVar[Text] = Text(
        "Deletes a share of the rows, at random or the most exposed first.",
        "一部の行を、無作為に、または目立つ行から順に削除します。",
    )
    leaves_open: ClassVar[Text] = Text(
        "The rows that remain are unchanged: whoever knows one finds it.",
        "残った行は元のままです。その行を知る人は特定できます。",
    )

    share: float = 0.1
    choose: Literal["random", "exposed"] = "random"

    def __post_init__(self) -> None:
        require_share(self.name, self.share)

    def done(self) -> Text:
        """How many rows go, and which."""
        share = percent(self.share)
        if self.choose == "exposed":
            return Text(
                f"Delete the most exposed {share} of the rows",
                f"特定されやすい行から順に {share} を削除",
            )
        return Text(f"Delete {share} of the rows at random", f"無作為に選んだ {share} の行を削除")

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Keep the rows that are not chosen, in their order."""
        rows = step.table.rows
        count = min(round(self.share * rows), rows - 1)
        order = rng.permutation(rows)
        if self.choose == "exposed":
            order = order[most_exposed_first(step.table.take(order))]
        keep = np.sort(order[count:])
        return Step(step.table.take(keep), step.link[keep], step.claims)


def most_exposed_first(table: Table) -> np.ndarray:
    """Row numbers: smallest QI class first, then farthest from the middle, then as they come.

    A gap is in the middle of its column, and a text says nothing.
    """
    classes = class_codes(table.frame, table.schema.qi)
    size = np.bincount(classes)[classes]
    values = table.numbers([name for name in table.schema.sa if are_numbers(table.frame[name])])
    if np.isnan(values).any():
        there = [column[~np.isnan(column)] for column in values.T]
        middles = [np.median(one) if len(one) else 0.0 for one in there]
        values = np.where(np.isnan(values), middles, values)
    values = tamed(values)
    sd = values.std(axis=0)
    spread = (values - np.median(values, axis=0)) / np.where(sd > 0, sd, 1.0)
    distance = (spread**2).sum(axis=1)
    return np.lexsort((-distance, size))
