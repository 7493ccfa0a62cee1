"""Every released row as a noisy copy of somebody: `copy`.

A released row is a copy of a person, whose categories were each redrawn with probability ε and
whose numbers moved by h standard deviations. Cells that stand for several values exclude those who
are not inside, and say no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.kernels.near import Cells, Owners, copied
from tokumei.tables.audit.attacks.protocol import MembershipAttack
from tokumei.tables.audit.columns import Column
from tokumei.tables.audit.seen import Bits, Seen
from tokumei.tables.audit.spaces import scaled

LEAST = 1e-30
CELLS = 1 << 21
"""Pairs of released rows and people that are looked at at once: more would leave the cache."""


@dataclass(frozen=True)
class Copy(MembershipAttack):
    """Shares every released row among the people by the probability that it is their copy."""

    name: ClassVar[str] = "copy"
    title: ClassVar[Text] = Text("noisy copy", "ノイズ入りの写し")
    sentence: ClassVar[Text] = Text(
        "Takes every released row for a copy of somebody in which some cells were changed, and "
        "adds up the probabilities that a person was it.",
        "各公開行を誰かの値の一部が変わった写しとみなし、本人である確率を足し合わせます。",
    )
    formula: ClassVar[str] = "Σ_y P(y | x) / Σ_p P(y | p)"
    rivals_needed: ClassVar[bool] = True

    redrawn: float = 0.2
    moved: float = 0.3

    def scores(self, seen: Seen) -> np.ndarray:
        """By blocks of released rows, each against all people."""
        total = np.zeros(len(seen.people))
        step = max(1, CELLS // max(len(seen.people), 1))
        parts = self._parts(seen)
        for begin in range(0, len(seen.classes), step):
            block = slice(begin, begin + step)
            total += self._block(seen, parts, seen.classes.first[block], block)
        # What single precision cannot tell apart is equal.
        return seen.of_targets(np.round(np.log(np.maximum(total, LEAST)), 4))

    def _block(self, seen: Seen, parts: _Parts, rows: np.ndarray, block: slice) -> np.ndarray:
        logs = copied(parts.cells(rows), parts.owners)
        outside = parts.outside(rows)
        if outside is not None:
            logs[outside] = -np.inf
        top = logs.max(axis=1, keepdims=True, initial=-1e30)
        logs -= top
        chance = np.exp(logs, out=logs)
        rivals = chance @ seen.rivals.astype(np.float32)
        times = seen.classes.times[block].astype(np.float32)
        if seen.together:
            return np.asarray((times / np.maximum(rivals, LEAST)) @ chance, dtype=np.float64)
        return np.asarray(times @ (chance / (chance + rivals[:, None] + LEAST)), dtype=np.float64)

    def _parts(self, seen: Seen) -> _Parts:
        categories = [column for column in seen.columns if not column.numeric]
        numbers = []
        for column in (column for column in seen.columns if column.numeric):
            *both, spread = scaled(column, seen)
            scale = 1 / (self.moved * 2**0.5 * spread)
            middle = float(np.median(both[1]))
            value, cell = (((one - middle) * scale).astype(np.float32) for one in both)
            numbers.append((column, (value[column.known[seen.people.first]], cell)))
        return _Parts(seen, categories, numbers, self.redrawn)


@dataclass(frozen=True, eq=False)
class _Parts:
    """What every block needs: categories, and numbers of people and cells to subtract."""

    seen: Seen
    categories: list[Column]
    numbers: list[tuple[Column, tuple[np.ndarray, np.ndarray]]]
    redrawn: float

    @cached_property
    def owners(self) -> Owners:
        """The people's categories and numbers."""
        people = self.seen.people.first
        codes = [column.known[people] for column in self.categories]
        places = _stacked(codes, len(people), np.int32)
        values = [value for _, (value, _) in self.numbers]
        return Owners(places, _stacked(values, len(people), np.float32))

    @cached_property
    def _bits(self) -> list[Bits]:
        people = self.seen.people.first
        general = (column for column in self.seen.columns if column.general)
        return [Bits(column, column.known[people]) for column in general]

    def cells(self, rows: np.ndarray) -> Cells:
        """The categories of released rows with what equal ones say, and their numbers."""
        categories = [(column, column.released[rows]) for column in self.categories]
        numbers = [(column, cell, column.released[rows]) for column, (_, cell) in self.numbers]
        parts: list[tuple[list[np.ndarray], type]] = [
            ([column.plain[cells] for column, cells in categories], np.int32),
            ([self._gains[column.name][cells] for column, cells in categories], np.float32),
            ([shown[cells] for _, shown, cells in numbers], np.float32),
            ([column.plain[cells] >= 0 for column, _, cells in numbers], np.float32),
        ]
        return Cells(*(_stacked(found, len(rows), kind).T.copy() for found, kind in parts))

    @cached_property
    def _gains(self) -> dict[str, np.ndarray]:
        """log(1 + (1 − ε) / (ε q)) of the cells that are values, by column and cell."""
        found = {}
        for column in self.categories:
            share = np.bincount(column.released, minlength=len(column.plain)) / self.seen.rows
            with np.errstate(divide="ignore"):
                gain = np.log1p((1 - self.redrawn) / (self.redrawn * share))
            found[column.name] = np.where(column.plain >= 0, gain, 0).astype(np.float32)
        return found

    def outside(self, rows: np.ndarray) -> np.ndarray | None:
        """Who is outside a generalized cell of a released row."""
        found = None
        for one in self._bits:
            cells = one.column.released[rows]
            out = np.unpackbits(one.of(cells), axis=1)[:, : len(one.people)] == 0
            out[one.column.plain[cells] >= 0] = False
            found = out if found is None else found | out
        return found


def _stacked(columns: list[np.ndarray], rows: int, kind: type) -> np.ndarray:
    """Columns as the rows of one array."""
    return np.array(columns, dtype=kind) if columns else np.zeros((0, rows), kind)
