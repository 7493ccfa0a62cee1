"""Enforces m-invariance (Xiao & Tao 2007): a class keeps its set of sensitive values.

Then what several releases show of a person has nothing less in common than each of them shows.
Classes that lost a value are put together with others that showed the same values; who cannot be
helped so waits. No counterfeit rows are made: every released row is somebody's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.tables.engines.protocol import TupleCounts
from tokumei.tables.ledger.earlier_class_methods import ReuseClasses

Signature = tuple[int, ...]
"""A number for each sensitive column; equal only for equal sets of values."""


@dataclass(frozen=True, eq=False)
class MInvariantClasses(ReuseClasses):
    """Last time's classes, each with the values it had then, and at least m of them."""

    name: ClassVar[str] = "invariant"
    title: ClassVar[Message] = Message("Reuse earlier classes with their values")
    sentence: ClassVar[Message] = Message(
        "Gives people the class they had, and only where it shows the same sensitive values."
    )

    m: int = field(kw_only=True)
    shown: np.ndarray = field(repr=False, kw_only=True)
    """For every source row and sensitive column the sum of the codes its earlier class showed."""
    codes: np.ndarray = field(repr=False, kw_only=True)
    """The codes of the rows' own values (64 keyed bits each)."""

    def __post_init__(self) -> None:
        if self.m < 2:
            raise UsageError("--invariant needs at least 2 values, not {m}", m=self.m)

    def groups(self, tuple_counts: TupleCounts, rows: np.ndarray) -> np.ndarray:
        """Those of `ReuseClasses`, put together or left out until all show what they showed."""
        class_of_row = super().groups(tuple_counts, rows)
        parts = _ClassValues(class_of_row, self.codes[rows])
        intact, broken = dict[Signature | None, int](), dict[Signature | None, list[int]]()
        is_known = self.earlier[0][rows] >= 0
        for class_number, first in enumerate(parts.first):
            before = tuple(self.shown[rows[first]].tolist()) if is_known[first] else None
            if self._shows_signature(parts, [class_number], before):
                intact.setdefault(before, class_number)
            else:
                broken.setdefault(before, []).append(class_number)
        label = np.arange(len(parts.first))
        for before, merged in broken.items():
            label[merged] = self._merge_broken_classes(parts, merged, before, intact.get(before))
        kept = np.where(class_of_row >= 0, label[np.maximum(class_of_row, 0)], -1)
        _, dense = np.unique(kept, return_inverse=True)
        return np.asarray(np.where(kept < 0, -1, dense - int((kept < 0).any())))

    def _merge_broken_classes(
        self,
        parts: _ClassValues,
        merged: list[int],
        before: Signature | None,
        intact_class: int | None,
    ) -> int:
        """The class that broken ones become: one of their own, a whole one, or none (they wait)."""
        if self._shows_signature(parts, merged, before):
            return merged[0]
        if intact_class is not None and self._shows_signature(
            parts, [*merged, intact_class], before
        ):
            return intact_class
        return -1

    def _shows_signature(
        self, parts: _ClassValues, merged: list[int], before: Signature | None
    ) -> bool:
        """Whether classes show, together, what they showed (new people: anything) and enough."""
        signature, least = parts.signature(merged)
        return least >= self.m and (before is None or signature == before)

    def describe(self) -> list[dict[str, object]]:
        """The method, k and m; nothing of who was in which class."""
        return [{**step, "m": self.m} for step in super().describe()]


class _ClassValues:
    """Classes of rows with their values: what each shows."""

    def __init__(self, class_of_row: np.ndarray, codes: np.ndarray) -> None:
        order = np.argsort(class_of_row, kind="stable")
        order = order[np.searchsorted(class_of_row[order], 0) :]
        starts = np.flatnonzero(np.diff(class_of_row[order], prepend=-1))
        self._class_rows = np.split(order, starts[1:]) if len(order) else []
        self._value_codes = codes
        self.first = [int(rows[0]) for rows in self._class_rows]

    def signature(self, class_numbers: list[int]) -> tuple[Signature, int]:
        """Of classes put together, and the smallest number of different values."""
        rows = np.concatenate([self._class_rows[element] for element in class_numbers])
        sets = [np.unique(column) for column in self._value_codes[rows].T]
        # Modulo 2^64, as the ledger's check adds them.
        sums = tuple(int(element.sum(dtype=np.uint64)) for element in sets)
        return sums, min(len(element) for element in sets)
