"""Membership attack that treats released rows as noisy copies of people: `copy`.

A released row is a copy of a person, whose categories were each redrawn with probability ε and
whose numbers moved by h standard deviations. Cells that stand for several values exclude those who
are not inside, and say no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from tokumei.core.messages import Message
from tokumei.kernels.nearest import PersonCells, ReleasedCells, copy_log_likelihoods
from tokumei.tables.audit.attacker_view import AttackerObservation, CellBits
from tokumei.tables.audit.attacks.membership_attack import MembershipAttack
from tokumei.tables.audit.distance_spaces import scale_column
from tokumei.tables.audit.released_columns import ReleasedColumn

MIN_CHANCE = 1e-30
PAIRS_PER_BLOCK = 1 << 21
"""Pairs of released rows and people that are looked at at once: more would leave the cache."""


@dataclass(frozen=True)
class NoisyCopyAttack(MembershipAttack):
    """Shares every released row among the people by the probability that it is their copy."""

    name: ClassVar[str] = "copy"
    title: ClassVar[Message] = Message("noisy copy")
    sentence: ClassVar[Message] = Message(
        "Takes every released row for a copy of a person's row with some cells changed, and adds "
        "up the probabilities that it is this person's."
    )
    formula: ClassVar[str] = "Σ_y P(y | x) / Σ_p P(y | p)"
    rivals_needed: ClassVar[bool] = True

    redrawn: float = 0.2
    moved: float = 0.3

    def scores(self, seen: AttackerObservation) -> np.ndarray:
        """By blocks of released rows, each against all people."""
        total = np.zeros(len(seen.people))
        step = max(1, PAIRS_PER_BLOCK // max(len(seen.people), 1))
        model = self._build_model(seen)
        for begin in range(0, len(seen.classes), step):
            block = slice(begin, begin + step)
            total += self._score_block(seen, model, seen.classes.first[block], block)
        # What single precision cannot tell apart is equal.
        return seen.scores_of_targets(np.round(np.log(np.maximum(total, MIN_CHANCE)), 4))

    def _score_block(
        self, seen: AttackerObservation, model: _CopyModel, rows: np.ndarray, block: slice
    ) -> np.ndarray:
        logs = copy_log_likelihoods(model.cells(rows), model.owners)
        outside = model.outside(rows)
        if outside is not None:
            logs[outside] = -np.inf
        row_maxima = logs.max(axis=1, keepdims=True, initial=-1e30)
        logs -= row_maxima
        chance = np.exp(logs, out=logs)
        rivals = chance @ seen.rivals.astype(np.float32)
        times = seen.classes.times[block].astype(np.float32)
        if seen.together:
            return np.asarray((times / np.maximum(rivals, MIN_CHANCE)) @ chance, dtype=np.float64)
        return np.asarray(
            times @ (chance / (chance + rivals[:, None] + MIN_CHANCE)), dtype=np.float64
        )

    def _build_model(self, seen: AttackerObservation) -> _CopyModel:
        categories = [column for column in seen.columns if not column.numeric]
        numbers = []
        for column in (column for column in seen.columns if column.numeric):
            *scaled_sides, spread = scale_column(column, seen)
            scale = 1 / (self.moved * 2**0.5 * spread)
            middle = float(np.median(scaled_sides[1]))
            value, cell = (
                ((numbers_side - middle) * scale).astype(np.float32)
                for numbers_side in scaled_sides
            )
            numbers.append((column, (value[column.known[seen.people.first]], cell)))
        return _CopyModel(seen, categories, numbers, self.redrawn)


@dataclass(frozen=True, eq=False)
class _CopyModel:
    """What every block needs: categories, and numbers of people and cells to subtract."""

    seen: AttackerObservation
    categories: list[ReleasedColumn]
    numbers: list[tuple[ReleasedColumn, tuple[np.ndarray, np.ndarray]]]
    redrawn: float

    @cached_property
    def owners(self) -> PersonCells:
        """The people's categories and numbers."""
        people = self.seen.people.first
        codes = [column.known[people] for column in self.categories]
        places = _stack_columns(codes, len(people), np.int32)
        values = [value for _, (value, _) in self.numbers]
        return PersonCells(places, _stack_columns(values, len(people), np.float32))

    @cached_property
    def _cell_bits(self) -> list[CellBits]:
        people = self.seen.people.first
        general = (column for column in self.seen.columns if column.general)
        return [CellBits(column, column.known[people]) for column in general]

    def cells(self, rows: np.ndarray) -> ReleasedCells:
        """The categories of released rows with what equal ones say, and their numbers."""
        categories = [(column, column.released[rows]) for column in self.categories]
        numbers = [(column, cell, column.released[rows]) for column, (_, cell) in self.numbers]
        parts: list[tuple[list[np.ndarray], type]] = [
            ([column.plain[cells] for column, cells in categories], np.int32),
            ([self._match_gains[column.name][cells] for column, cells in categories], np.float32),
            ([cell_numbers[cells] for _, cell_numbers, cells in numbers], np.float32),
            ([column.plain[cells] >= 0 for column, _, cells in numbers], np.float32),
        ]
        return ReleasedCells(
            *(_stack_columns(arrays, len(rows), kind).T.copy() for arrays, kind in parts)
        )

    @cached_property
    def _match_gains(self) -> dict[str, np.ndarray]:
        """log(1 + (1 − ε) / (ε q)) of the cells that are values, by column and cell."""
        gains = {}
        for column in self.categories:
            share = np.bincount(column.released, minlength=len(column.plain)) / self.seen.rows
            with np.errstate(divide="ignore"):
                gain = np.log1p((1 - self.redrawn) / (self.redrawn * share))
            gains[column.name] = np.where(column.plain >= 0, gain, 0).astype(np.float32)
        return gains

    def outside(self, rows: np.ndarray) -> np.ndarray | None:
        """Who is outside a generalized cell of a released row."""
        is_outside = None
        for bit_table in self._cell_bits:
            cells = bit_table.column.released[rows]
            is_outside_column = (
                np.unpackbits(bit_table.of(cells), axis=1)[:, : len(bit_table.people)] == 0
            )
            is_outside_column[bit_table.column.plain[cells] >= 0] = False
            is_outside = is_outside_column if is_outside is None else is_outside | is_outside_column
        return is_outside


def _stack_columns(columns: list[np.ndarray], rows: int, kind: type) -> np.ndarray:
    """Columns as the rows of one array."""
    return np.array(columns, dtype=kind) if columns else np.zeros((0, rows), kind)
