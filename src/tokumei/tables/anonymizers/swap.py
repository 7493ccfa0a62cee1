"""G: inside each QI vector, permute every sensitive column on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.cells import class_codes
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.anonymizers.near_rows import groups_in_classes, points_of
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns


@dataclass(frozen=True)
class Swap(TableMethod):
    """Keeps every class's values column by column, breaks which of them belong together.

    Rows that are alone in their class keep their values: swap protects nobody unique. With
    `groups="near"` values are exchanged only among k to 2k − 1 rows of a class with similar
    sensitive values (MDAV), so that they move less and keep more of their correlations.
    """

    name: ClassVar[str] = "swap"
    title: ClassVar[Text] = Text("Swap values", "QI 内スワップ")
    sentence: ClassVar[Text] = Text(
        "Shuffles each sensitive column among the rows with the same quasi-identifiers.",
        "準識別子が同じ行の中で、機密属性を列ごとに入れ替えます。",
    )
    leaves_open: ClassVar[Text] = Text(
        "Rows alone with their quasi-identifiers keep their values; whoever knows all values of a "
        "class learns who is in it.",
        "準識別子の組み合わせが一人だけの行は、値がそのまま残ります。クラス内の値をすべて知る人には、"
        "誰が含まれるかが分かります。",
    )

    groups: Literal["qi", "near"] = "qi"
    k: int = 5

    def __post_init__(self) -> None:
        if self.k < 2:
            raise UsageError(
                f"swap: k must be at least 2, not {self.k}",
                f"swap: k は 2 以上でなければなりません ({self.k})",
            )

    def done(self) -> Text:
        """Among which rows values are exchanged."""
        if self.groups == "near":
            return Text(
                f"Shuffle each sensitive column among {self.k} or more similar rows with the same "
                "quasi-identifiers",
                f"準識別子が同じで値の似た {self.k} 行以上の中で、機密属性を列ごとに入れ替える",
            )
        return Text(
            "Shuffle each sensitive column among the rows with the same quasi-identifiers",
            "準識別子が同じ行の中で、機密属性を列ごとに入れ替える",
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Permute each SA column inside the classes, or inside their groups of similar rows."""
        table = step.table
        require_columns(self.name, table.schema.sa, Text("sensitive (SA)", "機密属性"))
        classes = class_codes(table.frame, table.schema.qi)
        if self.groups == "near":
            classes = groups_in_classes(points_of(table, table.schema.sa), classes, self.k)
        places = np.argsort(classes, kind="stable")
        swapped = []
        for name in table.schema.sa:
            shuffled = rng.child(name).permutation(table.rows)
            sources = shuffled[np.argsort(classes[shuffled], kind="stable")]
            take = np.empty(table.rows, dtype=np.int64)
            take[places] = sources
            swapped.append(table.frame[name].gather(take))
        return Step(table.with_frame(table.frame.with_columns(swapped)), step.link, step.claims)
