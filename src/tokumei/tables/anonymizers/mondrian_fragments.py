"""A table cut into fragments by Mondrian's own first cuts, learned on a sample of its rows.

    dictionary = Dictionary.of(source, found)           # one per column, of the whole table
    tree = learn(codes, counts, dictionaries, k=5, cut="gain", most=1000)
    merged(tree.rows, k=5)                              # which leaves become one fragment
    Fragment(method, dictionaries).recode(frame)        # the same kernel on one fragment

Every fragment is measured by the dictionaries of the whole table, so its cuts are those that
Mondrian would make in the whole table below the first ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.kernels.mondrian.kernel import Columns, Cut, best_cut
from tokumei.tables.anonymizers.category_order import ranks
from tokumei.tables.anonymizers.mondrian import Mondrian, line
from tokumei.tables.data.codes import number_tuples
from tokumei.tables.engines.protocol import Frequencies

_CODE = "tokumei_code"


@dataclass(frozen=True, eq=False)
class Dictionary:
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
        cls, source: pl.Series, found: Frequencies, order: Sequence[object] | None = None
    ) -> Dictionary:
        """From the frequencies of one column, whose `rows` are the codes of `source`."""
        assert found.rows is not None
        (values,) = found.values
        return cls(source.name, source, found.rows, values, ranks(found, 0, order))

    def coded(self, cells: pl.Series) -> np.ndarray:
        """The code of every cell, written as in the table."""
        known = pl.DataFrame({"cell": self.source, _CODE: self.codes})
        sought = pl.DataFrame({"cell": cells.cast(self.source.dtype)})
        found = sought.join(known, on="cell", how="left", nulls_equal=True, maintain_order="left")
        return found[_CODE].to_numpy().astype(np.int32)


@dataclass(eq=False)
class Tree:
    """Rows to be cut: a leaf, or the column and the last place that goes `below`."""

    tuples: np.ndarray
    rows: int
    column: int = -1
    border: int = -1
    parts: list[Tree] = field(default_factory=list)

    def leaves(self) -> list[Tree]:
        """All leaves, those below first."""
        return [leaf for part in self.parts for leaf in part.leaves()] if self.parts else [self]


def learn(
    frequencies: Frequencies, dictionaries: Sequence[Dictionary], *, k: int, cut: Cut, most: int
) -> Tree:
    """Cut the largest leaf until every one has at most `most` rows, or none can be cut."""
    codes = np.column_stack(
        [one.places[frequencies.codes[:, j]] for j, one in enumerate(dictionaries)]
    ).astype(np.int32)
    counts, columns = frequencies.counts, Columns.of([line(one.values) for one in dictionaries])
    tree = Tree(np.arange(len(codes)), int(counts.sum()))
    whole = [tree]
    while whole and (leaf := max(whole, key=lambda one: one.rows)).rows > most:
        whole.remove(leaf)
        found = best_cut(codes[leaf.tuples], counts[leaf.tuples], columns, k=k, cut=cut)
        if found is None:
            continue
        leaf.column, leaf.border = found
        below = codes[leaf.tuples, leaf.column] <= leaf.border
        for tuples in (leaf.tuples[below], leaf.tuples[~below]):
            leaf.parts.append(Tree(tuples, int(counts[tuples].sum())))
        whole += leaf.parts
    return tree


def merged(rows: Sequence[int], k: int) -> list[int]:
    """The fragment of every leaf: neighbours in the tree share one until it has k rows."""
    fragments: list[int] = []
    number, inside = 0, 0
    for count in rows:
        if inside >= k:
            number, inside = number + 1, 0
        fragments.append(number)
        inside += count
    if inside < k and number:
        fragments = [min(one, number - 1) for one in fragments]
    return fragments


@dataclass(frozen=True, eq=False)
class Fragment:
    """The method and the dictionaries of the whole table, to be sent to wherever rows are."""

    method: Mondrian
    dictionaries: tuple[Dictionary, ...]

    def recode(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows of one fragment with their QI generalized, as text."""
        names = [one.name for one in self.dictionaries]
        codes = [one.coded(frame[one.name]) for one in self.dictionaries]
        rows, number = number_tuples(codes, [len(one.values) for one in self.dictionaries])
        one_of = np.empty(number, dtype=np.int64)
        one_of[rows] = np.arange(frame.height)
        found = Frequencies(
            tuple(names),
            tuple(one.values for one in self.dictionaries),
            np.column_stack([column[one_of] for column in codes]),
            np.bincount(rows, minlength=number),
        )
        _, cells = self.method.cut_cells(found, [one.places for one in self.dictionaries])
        return frame.with_columns(
            _text(cell).gather(rows).alias(name) for name, cell in cells.items()
        )


def _text(cells: pl.Series) -> pl.Series:
    return cells if cells.dtype == pl.String else canonical(cells)
