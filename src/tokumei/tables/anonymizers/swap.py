"""G: inside each QI vector, permute every sensitive column on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.cells import class_codes
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns


@dataclass(frozen=True)
class Swap(TableMethod):
    """Keeps every class's values column by column, breaks which of them belong together.

    Rows that are alone in their class keep their values: swap protects nobody unique.
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

    def done(self) -> Text:
        """There is only one way."""
        return Text(
            "Shuffle each sensitive column among the rows with the same quasi-identifiers",
            "準識別子が同じ行の中で、機密属性を列ごとに入れ替える",
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Permute each SA column inside the classes."""
        table = step.table
        require_columns(self.name, table.schema.sa, Text("sensitive (SA)", "機密属性"))
        classes = class_codes(table.frame, table.schema.qi)
        places = np.argsort(classes, kind="stable")
        swapped = []
        for name in table.schema.sa:
            shuffled = rng.child(name).permutation(table.rows)
            sources = shuffled[np.argsort(classes[shuffled], kind="stable")]
            take = np.empty(table.rows, dtype=np.int64)
            take[places] = sources
            swapped.append(table.frame[name].gather(take))
        return Step(table.with_frame(table.frame.with_columns(swapped)), step.link, step.claims)
