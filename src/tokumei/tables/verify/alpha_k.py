"""(α,k)-anonymity: at least k rows in every class, no sensitive value in more than a share α."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_values import (
    TOLERANCE,
    ClassValues,
    class_values,
    require_parameter,
    require_roles,
)
from tokumei.tables.verify.k_anonymity import KAnonymity
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class AlphaK(Rule):
    """Limits the share of every sensitive value; α < 1 alone already asks for two rows."""

    name: ClassVar[str] = "alpha-k"
    title: ClassVar[Text] = Text("(α,k)-anonymity", "(α,k)-匿名性")
    sentence: ClassVar[Text] = Text(
        "Every class has k rows, and no sensitive value more than the share α of them.",
        "どのクラスも k 行以上あり、一つの機密属性の値が占める割合は α 以下です。",
    )

    alpha: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int = 2

    def __post_init__(self) -> None:
        between = Text("above 0 and below 1", " 0 より大きく 1 より小さい数")
        require_parameter(0 < self.alpha < 1, "alpha", self.alpha, between)
        require_parameter(self.k >= 2, "k", self.k, Text("at least 2", " 2 以上"))
        require_roles(self.name, self.columns, self.sensitive)

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"every class has at least {self.k} rows, and no value of {sensitive.en} more than "
            f"{percent(self.alpha)} of them",
            f"どのクラスも {self.k} 行以上あり、{sensitive.ja}の一つの値の割合は "
            f"{percent(self.alpha)} 以下である",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class that is too small, then one per class with too frequent a value."""
        small = KAnonymity(self.k, self.columns).check(submission)
        found = class_values(submission, self.columns, self.sensitive)
        faults = [fault for column in found for fault in self._column(column)]
        return [Fault(rule=self.name, line=f.line, message=f.message) for f in small] + faults

    def _column(self, found: ClassValues) -> list[Fault]:
        share = found.count / found.size[found.owner]
        worst = found.worst_entries(share)
        bad = share[worst] > self.alpha * (1 + TOLERANCE)
        places = found.largest_first(share[worst], bad)
        return [self._fault(found, i, found.value[worst[i]], share[worst[i]]) for i in places]

    def _fault(self, found: ClassValues, place: int, value: int, share: float) -> Fault:
        finding = Text(
            f"{found.column}={found.values[int(value)]} in a share of {share:.6g} of its rows; "
            f"at most alpha = {self.alpha:g} allowed",
            f" {found.column}={found.values[int(value)]} の割合が {share:.6g} です。"
            f"上限は alpha = {self.alpha:g} です",
        )
        return found.fault(self.name, place, finding)
