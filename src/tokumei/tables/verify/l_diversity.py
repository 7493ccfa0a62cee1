"""Distinct l-diversity: every class shows at least l different values of a sensitive column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.verify.class_rule import AT_LEAST_2, ClassRule, Finding, require_parameter
from tokumei.tables.verify.class_values import ClassValues


@dataclass(frozen=True)
class LDiversity(ClassRule):
    """Counts the distinct values of each sensitive column in every class."""

    name: ClassVar[str] = "l-diversity"
    title: ClassVar[Text] = Text("l-diversity", "l-多様性")
    sentence: ClassVar[Text] = Text(
        "Every class shows at least l different sensitive values.",
        "どのクラスにも、機密属性の値が l 種類以上あります。",
    )

    l: int  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def __post_init__(self) -> None:
        require_parameter(self.l >= 2, "l", self.l, AT_LEAST_2)
        super().__post_init__()

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"every class shows at least {self.l} different values of {sensitive.en}",
            f"どのクラスにも{sensitive.ja}の値が {self.l} 種類以上ある",
        )

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """The fewest values first."""
        numbers = np.bincount(found.owner, minlength=len(found.first))
        for place in found.largest_first(-numbers, numbers < self.l):
            yield Finding(
                place,
                f"{numbers[place]} value(s) of '{found.column}'; l = {self.l} needed",
                f" '{found.column}' が {numbers[place]} 種です。l = {self.l} が必要です",
            )
