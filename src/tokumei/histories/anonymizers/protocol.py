"""What an anonymizer of histories is, and what all of them share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness, content_digest
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text
from tokumei.core.words import Anonymizer
from tokumei.histories.anonymizers.generalize import generalize
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease

SAME_ROW = Text(
    "The matched rows become one: day, price and quantity the interval from the smallest to the "
    "largest, the item the set of all items. Rows without a partner are left out.",
    "対応付けた行を一つにします。購入日・単価・数量は最小から最大までの区間、商品は全商品の集合に"
    "なります。相手のない行は削除します。",
)
PSEUDONYM = Text(
    "Every customer gets a random pseudonym. All k histories of a group are identical, so even "
    "someone who knows every purchase can only guess among k people.",
    "顧客には無作為な仮名を付けます。グループの k 人の履歴はすべて同じなので、全購買を知る人でも "
    "k 人の中から無作為に選ぶしかありません。",
)


class GroupingMethod(Anonymizer):
    """Base of the methods that give k customers identical histories; `groups` does the work."""

    give_up: ClassVar[bool]
    explained: ClassVar[tuple[Text, ...]] = ()
    """How it works, step by step, for somebody who has never heard of it."""
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
        if rng.seeded:
            rng = bound_to_people(rng, source.customers, source.counts, self.describe())
            if source.recoded:
                # Other item names make another release, which must not share its pseudonyms.
                rng = rng.bound_to(content_digest(source.item_names.to_frame()))
        rows = generalize(source, groups, rng=rng, give_up=self.give_up)
        claims = (Claim("identical-histories", {"k": self.k}),)
        provenance = Provenance((self.describe(),), sha256, rng.seed)
        return HistoryRelease(rows, source.customers, claims, provenance)

    def describe(self) -> dict[str, Any]:
        """The method and its parameters as plain data."""
        return {"method": self.name, **dataclasses.asdict(self)}


def bound_to_people(
    rng: Randomness, customers: pl.Series, rows: np.ndarray, made: Mapping[str, Any]
) -> Randomness:
    """Chance that also depends on who the customers are, how much each bought, and the method."""
    people = pl.DataFrame({"customer": customers.cast(pl.String), "rows": rows.astype(np.int64)})
    return rng.bound_to(content_digest(people), made)


def require_k(k: int, customers: int) -> None:
    """Fail unless k customers can be made alike."""
    if k < 2:
        raise UsageError(f"k must be at least 2, not {k}", f"k は 2 以上でなければなりません ({k})")
    if k > customers:
        raise UsageError(
            f"k = {k} needs at least {k} customers; there are {customers}",
            f"k = {k} には {k} 人以上の顧客が必要です ({customers} 人しかいません)",
        )
