"""Methods that keep the claims of earlier releases: same classes, no cuts, or unions.

`ReuseClasses` gives last time's classes to the people who had them; people who are new get classes
of their own. `CutKeepingClasses` cuts anew, but never so that an earlier class falls into parts
below k. With `whole`, classes are unions of earlier ones (nested k). Whose earlier class kept fewer
than k cannot be saved by any recoding: with `wait` their rows are held back, and it is said how
many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.messages import Message
from tokumei.ledger.presence_and_invariance import count_remaining_in_class
from tokumei.tables.anonymizers.conditions.guarded_columns import GuardedColumn
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer, RecodedFrame
from tokumei.tables.anonymizers.mondrian import build_value_line
from tokumei.tables.anonymizers.mondrian_cells import class_cells, rank_values
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.engines.protocol import TupleCounts
from tokumei.tables.ledger.cuts_respecting_earlier_classes import cut_between_classes, cut_groups


@dataclass(frozen=True, eq=False)
class EarlierClassMethod(KAnonymizer):
    """Base: who waits, and cells from groups. `earlier` never enters a manifest."""

    earlier: tuple[np.ndarray, ...] = field(default=(), repr=False, kw_only=True)
    """The class of every source row in earlier releases; −1: in none."""
    wait: bool = field(default=False, kw_only=True)
    weights: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    """How much columns matter (default 1)."""

    def groups(self, tuple_counts: TupleCounts, rows: np.ndarray) -> np.ndarray:
        """The class of each of the rows that do not wait; −1: it must wait after all."""
        raise NotImplementedError

    def recode(self, table: Table, columns: list[GuardedColumn]) -> RecodedFrame:
        """Generalize the QI; rows that wait are dropped."""
        if columns:
            raise UsageError(
                "{name}: takes no conditions (l, t, person): classes follow earlier ones",
                name=self.name,
            )
        tuple_counts = engine_for_frame(table.frame).tuples(table.schema.qi)
        assert tuple_counts.rows is not None
        staying = np.flatnonzero(~self.stranded()) if self.wait else np.arange(table.rows)
        group_of_row = self.groups(tuple_counts, staying)
        kept, group_of_row = staying[group_of_row >= 0], group_of_row[group_of_row >= 0]
        if not len(kept):
            raise ClaimError("nobody is left to release")
        parts = TupleCounts(
            tuple_counts.columns,
            tuple_counts.values,
            tuple_counts.codes[tuple_counts.rows[kept]],
            np.ones(len(kept), int),
        )
        cells = {
            name: class_cells(parts, j, group_of_row) for j, name in enumerate(tuple_counts.columns)
        }
        full_columns = {
            name: _scatter_cells(cell, kept, table.rows) for name, cell in cells.items()
        }
        return RecodedFrame(table.frame.with_columns(**full_columns), kept)

    def stranded(self) -> np.ndarray:
        """Who was in an earlier class of which fewer than k are here."""
        is_stranded = np.zeros(len(self.earlier[0]), dtype=bool)
        for class_of_row in self.earlier:
            is_stranded |= (class_of_row >= 0) & (
                count_remaining_in_class(class_of_row, np.ones(len(class_of_row), dtype=bool))
                < self.k
            )
        return is_stranded

    def cut(
        self, tuple_counts: TupleCounts, rows: np.ndarray, earlier: list[np.ndarray], *, whole: bool
    ) -> np.ndarray:
        """Groups of some rows, cut top down."""
        assert tuple_counts.rows is not None
        orders = [rank_values(tuple_counts, j) for j in range(len(tuple_counts.columns))]
        codes = tuple_counts.codes[tuple_counts.rows[rows]]
        places = np.column_stack([rank[codes[:, j]] for j, rank in enumerate(orders)])
        scales = [_weighted_positions(tuple_counts, j, self.weights) for j in range(len(orders))]
        start = np.zeros(len(rows), dtype=np.int64)
        if not whole:
            start = cut_groups(places, scales, earlier=earlier, k=self.k)
        if not earlier:
            return start
        return cut_between_classes(places, scales, earlier=earlier, k=self.k, groups=start)

    def describe(self) -> list[dict[str, object]]:
        """The method and k; nothing of who was in which class."""
        weights = {"weights": dict(self.weights)} if self.weights else {}
        return [{"method": self.name, "k": self.k, "wait": self.wait, **weights}]


@dataclass(frozen=True, eq=False)
class CutKeepingClasses(EarlierClassMethod):
    """Cut anew, no earlier class into parts below k; with `whole`, into no parts at all."""

    name: ClassVar[str] = "apart"
    title: ClassVar[Message] = Message("Keep earlier classes whole")
    sentence: ClassVar[Message] = Message(
        "Cuts the rows so that of every earlier class both sides have none, all, or at least k."
    )

    whole: bool = False

    def groups(self, tuple_counts: TupleCounts, rows: np.ndarray) -> np.ndarray:
        """Everyone who does not wait."""
        return self.cut(
            tuple_counts,
            rows,
            [class_of_row[rows] for class_of_row in self.earlier],
            whole=self.whole,
        )


@dataclass(frozen=True, eq=False)
class ReuseClasses(EarlierClassMethod):
    """Last time's classes; new people get classes of their own, or wait if they are too few."""

    name: ClassVar[str] = "reuse"
    title: ClassVar[Message] = Message("Reuse earlier classes")
    sentence: ClassVar[Message] = Message(
        "Gives people the class they had in an earlier release; new people get classes of their "
        "own."
    )

    def groups(self, tuple_counts: TupleCounts, rows: np.ndarray) -> np.ndarray:
        """Earlier classes that kept k people; the others wait."""
        earlier_class = self.earlier[0][rows]
        enough = count_remaining_in_class(earlier_class, np.ones(len(rows), dtype=bool)) >= self.k
        class_of_row = np.where((earlier_class >= 0) & enough, earlier_class, -1)
        new_people = np.flatnonzero(earlier_class < 0)
        if len(new_people) >= self.k:
            class_of_row[new_people] = (
                int(earlier_class.max())
                + 1
                + self.cut(tuple_counts, rows[new_people], [], whole=False)
            )
        _, dense = np.unique(class_of_row, return_inverse=True)
        return np.asarray(np.where(class_of_row < 0, -1, dense - int((class_of_row < 0).any())))


def _scatter_cells(cells: pl.Series, rows: np.ndarray, number: int) -> pl.Series:
    """Cells of some rows at their places among all."""
    positions = np.zeros(number, dtype=np.int64)
    positions[rows] = np.arange(len(rows))
    return cells.gather(positions)


def _weighted_positions(
    tuple_counts: TupleCounts, j: int, weights: Mapping[str, float]
) -> np.ndarray | float:
    """How far every place of a column lies from the first, times its weight; of sets, a step."""
    values, weight = tuple_counts.values[j], weights.get(tuple_counts.columns[j], 1.0)
    if not (values.dtype.is_numeric() or values.dtype.is_temporal()):
        return weight / max(len(values) - values.null_count() - 1, 1)
    positions = build_value_line(values).positions
    return np.asarray((positions - positions[0]) * weight)


def describe_withheld_rows(rows: int, total: int) -> Message:
    """A note for the data custodian on withheld rows; it is not in the manifest."""
    return Message(
        "{rows} of {total} rows are held back: fewer than k of their earlier class are left, or "
        "they are new and too few",
        rows=rows,
        total=total,
    )
