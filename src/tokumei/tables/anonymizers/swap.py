"""G: permutes every sensitive column on its own inside each QI vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.anonymizers.similar_rows import encode_points, group_within_classes


@dataclass(frozen=True)
class Swap(TableMethod):
    """Keeps every class's values column by column, breaks which of them belong together.

    Rows that are alone in their class keep their values: swap protects nobody unique. With
    `groups="near"` values are exchanged only among k to 2k − 1 rows of a class with similar
    sensitive values (MDAV), so that they move less and keep more of their correlations.
    """

    name: ClassVar[str] = "swap"
    title: ClassVar[Message] = Message("Swap values")
    sentence: ClassVar[Message] = Message(
        "Shuffles each sensitive column among the rows with the same quasi-identifiers."
    )
    leaves_open: ClassVar[Message] = Message(
        "Rows alone with their quasi-identifiers keep their values; whoever knows all values of a "
        "class learns who is in it."
    )

    groups: Literal["qi", "near"] = "qi"
    k: int = 5

    def __post_init__(self) -> None:
        if self.k < 2:
            raise UsageError("swap: k must be at least 2, not {k}", k=self.k)

    def done(self) -> Message:
        """Among which rows values are exchanged."""
        if self.groups == "near":
            return Message(
                "Shuffle each sensitive column among {k} or more similar rows with the same "
                "quasi-identifiers",
                k=self.k,
            )
        return Message(
            "Shuffle each sensitive column among the rows with the same quasi-identifiers"
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Permute each SA column inside the classes, or inside their groups of similar rows."""
        table = step.table
        require_columns(self.name, table.schema.sa, Message("sensitive (SA)"))
        classes = equivalence_class_codes(table.frame, table.schema.qi)
        if self.groups == "near":
            classes = group_within_classes(encode_points(table, table.schema.sa), classes, self.k)
        class_order = np.argsort(classes, kind="stable")
        swapped = []
        for name in table.schema.sa:
            shuffled = rng.child(name).permutation(table.rows)
            sources = shuffled[np.argsort(classes[shuffled], kind="stable")]
            source_rows = np.empty(table.rows, dtype=np.int64)
            source_rows[class_order] = sources
            swapped.append(table.frame[name].gather(source_rows))
        return Step(table.with_frame(table.frame.with_columns(swapped)), step.link, step.claims)
