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
from tokumei.tables.audit.attacks.protocol import MembershipAttack
from tokumei.tables.audit.columns import Column
from tokumei.tables.audit.fits import Bits
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import scaled

LEAST = 1e-30
MOST_VALUES = 500
"""Columns with more values are compared one by one: as 0 and 1 they would fill the memory."""
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
        logs = parts.matches(rows)
        for column, (value, cell) in parts.numbers:
            gap = cell[column.released[rows], None] - value
            gap *= gap
            gap[column.plain[column.released[rows]] < 0] = 0
            logs -= gap
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
    """What every block needs: categories as 0 and 1, numbers of people and cells to subtract."""

    seen: Seen
    categories: list[Column]
    numbers: list[tuple[Column, tuple[np.ndarray, np.ndarray]]]
    redrawn: float

    @cached_property
    def known(self) -> np.ndarray:
        """The people's categories, as 0 and 1."""
        people = self.seen.people.first
        ones = [_ones(column.known[people], column.values) for column in self._narrow]
        return np.concatenate([np.zeros((len(people), 0), np.float32), *ones], axis=1)

    @cached_property
    def _bits(self) -> list[Bits]:
        people = self.seen.people.first
        general = (column for column in self.seen.columns if column.general)
        return [Bits(column, column.known[people]) for column in general]

    @property
    def _narrow(self) -> list[Column]:
        return [column for column in self.categories if column.values <= MOST_VALUES]

    def matches(self, rows: np.ndarray) -> np.ndarray:
        """For released rows and people the sum of what equal categories say."""
        found = [np.zeros((len(rows), 0), np.float32)]
        for column in self._narrow:
            cells = column.released[rows]
            gain, place = self._gains[column.name][cells], column.plain[cells]
            found.append(_ones(np.maximum(place, 0), column.values) * gain[:, None])
        logs: np.ndarray = np.concatenate(found, axis=1) @ self.known.T
        for column in self.categories:
            if column.values > MOST_VALUES:
                cells = column.released[rows]
                equal = column.plain[cells, None] == column.known[self.seen.people.first]
                logs += equal * self._gains[column.name][cells, None]
        return logs

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


def _ones(places: np.ndarray, width: int) -> np.ndarray:
    found = np.zeros((len(places), width), dtype=np.float32)
    found[np.arange(len(places)), places] = 1
    return found
