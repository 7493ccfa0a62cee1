"""(α,k)-anonymity: at least k rows in every class, no sensitive value in more than a share α."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_rule import AT_LEAST_2, ClassRule, Finding, require_parameter
from tokumei.tables.verify.class_values import TOLERANCE, ClassValues
from tokumei.tables.verify.k_anonymity import KAnonymity


@dataclass(frozen=True)
class AlphaK(ClassRule):
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
        require_parameter(self.k >= 2, "k", self.k, AT_LEAST_2)
        super().__post_init__()

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
        return [replace(fault, rule=self.name) for fault in small] + super().check(submission)

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """The most frequent value first."""
        shares = found.count / found.size[found.owner]
        worst = found.worst_entries(shares)
        limit = self.alpha * (1 + TOLERANCE)
        for place in found.largest_first(shares[worst], shares[worst] > limit):
            share = shares[worst[place]]
            value = f"{found.column}={found.value_of(worst[place])}"
            yield Finding(
                place,
                f"{value} in a share of {share:.6g} of its rows; "
                f"at most alpha = {self.alpha:g} allowed",
                f" {value} の割合が {share:.6g} です。上限は alpha = {self.alpha:g} です",
            )
