"""(α,k)-anonymity: at least k rows in every class, no sensitive value in more than a share α."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_values import (
    TOLERANCE,
    ClassValues,
    class_values,
    require_parameter,
    require_roles,
)
from tokumei.tables.verify.k_anonymity import KAnonymity


@dataclass(frozen=True)
class AlphaK:
    """Limits the share of every sensitive value; α < 1 alone already asks for two rows."""

    name: ClassVar[str] = "alpha-k"

    alpha: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int = 2

    def __post_init__(self) -> None:
        between = Text("above 0 and below 1", " 0 より大きく 1 より小さい数")
        require_parameter(0 < self.alpha < 1, "alpha", self.alpha, between)
        require_parameter(self.k >= 2, "k", self.k, Text("at least 2", " 2 以上"))
        require_roles(self.name, self.columns, self.sensitive)

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
