"""m-invariance enforced (Xiao & Tao 2007): a class shows the sensitive values it showed before.

Then what several releases show of a person has nothing less in common than each of them shows.
Classes that lost a value are put together with others that showed the same values; who cannot be
helped so waits. No counterfeit rows are made: every released row is somebody's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.tables.engines.protocol import Frequencies
from tokumei.tables.ledger.defences import Again

Signature = tuple[int, ...]
"""What only the same sets of values give, a number for each sensitive column."""


@dataclass(frozen=True, eq=False)
class Invariant(Again):
    """Last time's classes, each with the values it had then, and at least m of them."""

    name: ClassVar[str] = "invariant"
    title: ClassVar[Text] = Text("The same classes and values again", "同じクラスと値を再び")
    sentence: ClassVar[Text] = Text(
        "Gives people the class they had, and only where it shows the same sensitive values.",
        "同じ機密属性の値がそろうクラスだけを、以前と同じクラスで公開します。",
    )

    m: int = field(kw_only=True)
    shown: np.ndarray = field(repr=False, kw_only=True)
    """For every source row and sensitive column the sum of the codes its earlier class showed."""
    codes: np.ndarray = field(repr=False, kw_only=True)
    """The codes of the rows' own values (64 keyed bits each)."""

    def __post_init__(self) -> None:
        if self.m < 2:
            raise UsageError(
                f"--invariant needs at least 2 values, not {self.m}",
                f"--invariant は 2 以上です ({self.m})",
            )

    def groups(self, found: Frequencies, rows: np.ndarray) -> np.ndarray:
        """Those of `Again`, put together or left out until all show what they showed."""
        of = super().groups(found, rows)
        parts = _Parts(of, self.codes[rows])
        wanted, broken = dict[Signature | None, int](), dict[Signature | None, list[int]]()
        known = self.earlier[0][rows] >= 0
        for one, first in enumerate(parts.first):
            before = tuple(self.shown[rows[first]].tolist()) if known[first] else None
            if self._holds(parts, [one], before):
                wanted.setdefault(before, one)
            else:
                broken.setdefault(before, []).append(one)
        label = np.arange(len(parts.first))
        for before, together in broken.items():
            label[together] = self._mended(parts, together, before, wanted.get(before))
        kept = np.where(of >= 0, label[np.maximum(of, 0)], -1)
        _, dense = np.unique(kept, return_inverse=True)
        return np.asarray(np.where(kept < 0, -1, dense - int((kept < 0).any())))

    def _mended(
        self, parts: _Parts, together: list[int], before: Signature | None, other: int | None
    ) -> int:
        """The class that broken ones become: one of their own, a whole one, or none (they wait)."""
        if self._holds(parts, together, before):
            return together[0]
        if other is not None and self._holds(parts, [*together, other], before):
            return other
        return -1

    def _holds(self, parts: _Parts, together: list[int], before: Signature | None) -> bool:
        """Whether classes show, together, what they showed (new people: anything) and enough."""
        signature, least = parts.signature(together)
        return least >= self.m and (before is None or signature == before)

    def describe(self) -> list[dict[str, Any]]:
        """The method, k and m; nothing of who was in which class."""
        return [{**one, "m": self.m} for one in super().describe()]


class _Parts:
    """Classes of rows with their values: what each shows."""

    def __init__(self, of: np.ndarray, codes: np.ndarray) -> None:
        order = np.argsort(of, kind="stable")
        order = order[np.searchsorted(of[order], 0) :]
        starts = np.flatnonzero(np.diff(of[order], prepend=-1))
        self._rows = np.split(order, starts[1:]) if len(order) else []
        self._codes = codes
        self.first = [int(rows[0]) for rows in self._rows]

    def signature(self, together: list[int]) -> tuple[Signature, int]:
        """Of classes put together, and the smallest number of different values."""
        rows = np.concatenate([self._rows[one] for one in together])
        sets = [np.unique(column) for column in self._codes[rows].T]
        # Modulo 2^64, as the ledger's check adds them.
        sums = tuple(int(one.sum(dtype=np.uint64)) for one in sets)
        return sums, min(len(one) for one in sets)
