"""What an anonymizer of histories is, and what all of them share."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text
from tokumei.histories.anonymizers.generalize import generalize
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease


class GroupingMethod:
    """Base of the methods that give k customers identical histories; `groups` does the work."""

    name: ClassVar[str]
    title: ClassVar[Text]
    give_up: ClassVar[bool]
    k: int

    def prepare(self, history: History) -> Any:
        """What releases of one history with different k can share; None if nothing."""
        return None

    def groups(self, history: History, *, rng: Randomness, prepared: Any = None) -> np.ndarray:
        """Row numbers, groups × k: in every group one row of each customer of a cluster."""
        raise NotImplementedError

    def anonymize(
        self,
        source: History,
        *,
        rng: Randomness,
        sha256: str | None = None,
        prepared: Any = None,
    ) -> HistoryRelease:
        """Group the rows, make every group one generalized row, give out pseudonyms."""
        require_k(self.k, len(source.customers))
        groups = self.groups(source, rng=rng.child(self.name), prepared=prepared)
        rows = generalize(source, groups, rng=rng, give_up=self.give_up)
        claims = (Claim("identical-histories", {"k": self.k}),)
        provenance = Provenance((self.describe(),), sha256, rng.seed)
        return HistoryRelease(rows, source.customers, claims, provenance)

    def describe(self) -> dict[str, Any]:
        """The method and its parameters as plain data."""
        return {"method": self.name, **dataclasses.asdict(self)}  # type: ignore[call-overload]


def require_k(k: int, customers: int) -> None:
    """Fail unless k customers can be made alike."""
    if k < 2:
        raise UsageError(
            Text(f"k must be at least 2, not {k}", f"k は 2 以上でなければなりません ({k})")
        )
    if k > customers:
        raise UsageError(
            Text(
                f"k = {k} needs at least {k} customers; there are {customers}",
                f"k = {k} には {k} 人以上の顧客が必要です ({customers} 人しかいません)",
            )
        )
