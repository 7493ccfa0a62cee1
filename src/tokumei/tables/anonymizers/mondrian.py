"""A: k-anonymity by hierarchy-free Mondrian.

Mondrian(k=5).anonymize(table, rng=Randomness())
Mondrian(k=5, cut="median")                               # LeFevre et al. 2006
Mondrian(k=5, order={"size": ["S", "M", "L"]})            # a category that has an order
Mondrian(k=5, conditions=("l=3",))                        # three values of every SA in each class
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.generalized_cells import cell_bounds
from tokumei.core.messages import Message, join_sentences
from tokumei.kernels.condition_checks import NO_CHECKS, Checks
from tokumei.kernels.mondrian.hierarchy_free import (
    ClassPieces,
    CutChoice,
    CutColumn,
    CutColumns,
    cut_up,
)
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.conditions.guarded_columns import GuardedColumn
from tokumei.tables.anonymizers.k_anonymizer import REMAINING_RISKS, KAnonymizer, RecodedFrame
from tokumei.tables.anonymizers.mondrian_cells import (
    class_cells,
    hierarchy_cells,
    rank_by_hierarchy,
    rank_values,
)
from tokumei.tables.data.numeric_columns import scale_for_distances
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.engines.protocol import RecodedCells, TupleCounts
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True)
class Mondrian(KAnonymizer):
    """Every QI vector occurs at least k times: numbers become `[a;b]`, categories `{x;y}`.

    Protects against linking by the QI alone. Sensitive values are untouched: whoever knows them
    still finds the row; without `conditions`, a class whose members share a value gives it away.

    `cut`: where a group is cut in two (see `cut_up`); `order`: the order of a category's values,
    otherwise the most frequent come first. `hierarchies`: columns of texts whose cells are nodes of
    a hierarchy instead of sets (named as for other methods). A relaxed cut may put equal tuples
    into two classes.
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[Message] = Message("Mondrian (k-anonymity)")
    sentence: ClassVar[Message] = Message(
        "Cuts the rows into groups of at least k and publishes ranges and sets instead of "
        "quasi-identifiers."
    )
    leaves_open: ClassVar[Message] = join_sentences(
        [
            REMAINING_RISKS,
            Message(
                "Ends of ranges are true values of the class: on Adult (8 QI) they single out "
                "4,010 of 30,162 people at k = 5; at k = 2 the classes of two rows that differ in "
                "one column show 4,024 people's exact records. With l = 2 and two sensitive "
                "values, knowing the method may make a value certain."
            ),
        ]
    )
    unsaid: ClassVar[tuple[str, ...]] = (*KAnonymizer.unsaid, "hierarchies")

    cut: CutChoice = "gain"
    order: Mapping[str, list[object]] = field(default_factory=dict)
    hierarchies: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    def recode(self, table: Table, columns: list[GuardedColumn]) -> RecodedFrame:
        """Generalize the QI."""
        frame, qi = table.frame, table.schema.qi
        engine = engine_for_frame(frame)
        self._require_options_name_qi(qi)
        if columns and self.cut == "relaxed":
            raise UsageError(
                "{name}: a relaxed cut divides equal rows without looking at their sensitive "
                "values or persons; use cut 'gain' or 'median'",
                name=self.name,
            )
        tuple_counts = engine.tuples(qi)
        guard = Guard.of(engine, tuple_counts, columns)
        trees = self.trees(tuple_counts)
        value_ranks = [
            rank_by_hierarchy(tuple_counts, j, trees[name])
            if name in trees
            else rank_values(tuple_counts, j, self.order.get(name))
            for j, name in enumerate(qi)
        ]
        pieces, cells = self.cut_cells(tuple_counts, value_ranks, guard.checks)
        if self.cut == "relaxed":
            return RecodedFrame(_cells_by_row(frame, tuple_counts, pieces, cells))
        return RecodedFrame(engine.give(RecodedCells(tuple_counts, cells)).frame)

    def cut_cells(
        self,
        tuple_counts: TupleCounts,
        value_ranks: Sequence[np.ndarray],
        checks: Checks = NO_CHECKS,
    ) -> tuple[ClassPieces, dict[str, pl.Series]]:
        """The pieces of the tuples and their cells; `places[j]`: where column j's codes stand.

        Dictionaries may hold values that no tuple has.
        """
        codes = np.column_stack(
            [rank[tuple_counts.codes[:, j]] for j, rank in enumerate(value_ranks)]
        )
        columns = CutColumns.of([build_value_line(values) for values in tuple_counts.values])
        pieces = cut_up(codes, tuple_counts.counts, columns, k=self.k, cut=self.cut, checks=checks)
        piece_counts = TupleCounts(
            tuple_counts.columns,
            tuple_counts.values,
            tuple_counts.codes[pieces.tuples],
            pieces.counts,
        )
        trees = self.trees(tuple_counts)
        cells = {
            name: hierarchy_cells(piece_counts, j, pieces.classes, trees[name])
            if name in trees
            else class_cells(piece_counts, j, pieces.classes)
            for j, name in enumerate(tuple_counts.columns)
        }
        return pieces, cells

    def trees(self, tuple_counts: TupleCounts) -> dict[str, Hierarchy]:
        """The hierarchies of the columns that have one, over all values of these dictionaries."""
        return {
            name: choose_hierarchies({name: self.hierarchies[name]}, cells.to_frame(name), [name])[
                name
            ]
            for name, cells in zip(tuple_counts.columns, tuple_counts.values, strict=True)
            if name in self.hierarchies
        }

    def _require_options_name_qi(self, qi: Sequence[str]) -> None:
        for field_name in ("order", "hierarchies"):
            for name in getattr(self, field_name):
                if name not in qi:
                    raise UnknownNameError(COLUMN_NOUN, name, qi, where=f"{self.name}.{field_name}")


def build_value_line(values: pl.Series) -> CutColumn:
    """Where each value lies between 0 and 1: numbers by value, categories by rank.

    A missing value lies a whole width below the lowest, so that it is cut off first; beside known
    ones it costs as much as one value more.
    """
    is_measured = values.dtype.is_numeric() or values.dtype.is_temporal()
    positions = cell_bounds(values)[0] if is_measured else np.arange(len(values), dtype=np.float64)
    (positions,), missing = scale_for_distances(positions), values.null_count()
    known_positions = positions[missing:]
    low = known_positions.min(initial=np.inf)
    width = float(known_positions.max(initial=-np.inf) - low) if len(known_positions) else 0.0
    scaled = (positions - low) / width if width > 0 else np.zeros(len(values))
    scaled[:missing] = -1.0
    gap = 1 / max(len(known_positions) - 1, 1) if missing else 0.0
    return CutColumn(scaled, 0 if is_measured else len(known_positions), gap)


def _cells_by_row(
    frame: pl.DataFrame, tuple_counts: TupleCounts, pieces: ClassPieces, cells: dict[str, pl.Series]
) -> pl.DataFrame:
    """Cells where rows of one tuple may differ: its first rows get its first piece."""
    assert tuple_counts.rows is not None
    rows_by_tuple = np.argsort(tuple_counts.rows, kind="stable")
    row_pieces = np.empty(frame.height, dtype=np.int64)
    row_pieces[rows_by_tuple] = np.repeat(np.arange(len(pieces.counts)), pieces.counts)
    return frame.with_columns(**{name: cell.gather(row_pieces) for name, cell in cells.items()})
