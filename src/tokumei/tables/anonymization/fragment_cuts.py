"""Cuts a table into fragments by the first cuts of Mondrian, and recodes a fragment on its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_column
from tokumei.kernels.mondrian.hierarchy_free import CutChoice, CutColumns, best_cut
from tokumei.tables.anonymizers.mondrian import Mondrian, build_value_line
from tokumei.tables.anonymizers.mondrian_cells import rank_values
from tokumei.tables.data.column_encoding import number_tuples
from tokumei.tables.engines.protocol import TupleCounts

_CODE = "tokumei_code"


@dataclass(frozen=True, eq=False)
class ColumnDictionary:
    """A column of the whole table: its cells as they stand there, their codes, the values.

    `places[c]`: where code c stands on the line along which the column is cut.
    """

    name: str
    source: pl.Series
    codes: np.ndarray
    values: pl.Series
    places: np.ndarray

    @classmethod
    def of(
        cls, source: pl.Series, found: TupleCounts, order: Sequence[object] | None = None
    ) -> ColumnDictionary:
        """From the frequencies of one column, whose `rows` are the codes of `source`."""
        assert found.rows is not None
        (values,) = found.values
        return cls(source.name, source, found.rows, values, rank_values(found, 0, order))

    def coded(self, cells: pl.Series) -> np.ndarray:
        """The code of every cell, written as in the table."""
        dictionary = pl.DataFrame({"cell": self.source, _CODE: self.codes})
        wanted_cells = pl.DataFrame({"cell": cells.cast(self.source.dtype)})
        joined = wanted_cells.join(
            dictionary, on="cell", how="left", nulls_equal=True, maintain_order="left"
        )
        return joined[_CODE].to_numpy().astype(np.int32)


@dataclass(eq=False)
class CutTree:
    """Rows to be cut: a leaf, or the column and the last place that goes `below`."""

    tuples: np.ndarray
    rows: int
    column: int = -1
    border: int = -1
    parts: list[CutTree] = field(default_factory=list)

    def leaves(self) -> list[CutTree]:
        """All leaves, those below first."""
        return [leaf for part in self.parts for leaf in part.leaves()] if self.parts else [self]


def learn_first_cuts(
    frequencies: TupleCounts,
    dictionaries: Sequence[ColumnDictionary],
    *,
    k: int,
    cut: CutChoice,
    most: int,
) -> CutTree:
    """Cut the largest leaf until every one has at most `most` rows, or none can be cut."""
    codes = np.column_stack(
        [part.places[frequencies.codes[:, j]] for j, part in enumerate(dictionaries)]
    ).astype(np.int32)
    counts, columns = (
        frequencies.counts,
        CutColumns.of([build_value_line(part.values) for part in dictionaries]),
    )
    tree = CutTree(np.arange(len(codes)), int(counts.sum()))
    uncut = [tree]
    while uncut and (leaf := max(uncut, key=lambda part: part.rows)).rows > most:
        uncut.remove(leaf)
        cut_place = best_cut(codes[leaf.tuples], counts[leaf.tuples], columns, k=k, cut=cut)
        if cut_place is None:
            continue
        leaf.column, leaf.border = cut_place
        below = codes[leaf.tuples, leaf.column] <= leaf.border
        for tuples in (leaf.tuples[below], leaf.tuples[~below]):
            leaf.parts.append(CutTree(tuples, int(counts[tuples].sum())))
        uncut += leaf.parts
    return tree


def merge_small_leaves(rows: Sequence[int], k: int) -> list[int]:
    """The fragment of every leaf: neighbours in the tree share one until it has k rows."""
    fragments: list[int] = []
    number, rows_inside = 0, 0
    for count in rows:
        if rows_inside >= k:
            number, rows_inside = number + 1, 0
        fragments.append(number)
        rows_inside += count
    if rows_inside < k and number:
        fragments = [min(fragment, number - 1) for fragment in fragments]
    return fragments


@dataclass(frozen=True, eq=False)
class FragmentRecoder:
    """The method and the dictionaries of the whole table, to be sent to wherever rows are."""

    method: Mondrian
    dictionaries: tuple[ColumnDictionary, ...]

    def recode(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows of one fragment with their QI generalized, as text."""
        codes = [dictionary.coded(frame[dictionary.name]) for dictionary in self.dictionaries]
        rows, number = number_tuples(
            codes, [len(dictionary.values) for dictionary in self.dictionaries]
        )
        example_row = np.empty(number, dtype=np.int64)
        example_row[rows] = np.arange(frame.height)
        tuple_counts = TupleCounts(
            tuple(dictionary.name for dictionary in self.dictionaries),
            tuple(dictionary.values for dictionary in self.dictionaries),
            np.column_stack([column[example_row] for column in codes]),
            np.bincount(rows, minlength=number),
        )
        _, cells = self.method.cut_cells(
            tuple_counts, [dictionary.places for dictionary in self.dictionaries]
        )
        return frame.with_columns(
            (cell if cell.dtype == pl.String else canonicalize_column(cell))
            .gather(rows)
            .alias(name)
            for name, cell in cells.items()
        )
