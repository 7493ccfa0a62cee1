"""Mondrian on a cluster with too many distinct tuples for the driver.

    made = recode_in_fragments(table, Mondrian(k=5), look, ["age", "zip"], fragments=8, rng=rng)

Mondrian's own first cuts, learned on a sample, divide the table; leaves with fewer than k rows join
their neighbours. Every worker cuts on inside its fragments, measured by the dictionaries of the
whole table, so its cuts are those that Mondrian would make in the whole table below the first ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.randomness import Randomness
from tokumei.files.spark.column_scan import ColumnScan
from tokumei.files.spark.distinct_tuples import count_tuples
from tokumei.files.spark.table_files import SparkTable, column_by_name
from tokumei.kernels.mondrian.hierarchy_free import CutChoice, CutColumns, best_cut
from tokumei.tables.anonymization.default_hierarchies import add_default_hierarchies
from tokumei.tables.anonymizers.mondrian import Mondrian, build_value_line
from tokumei.tables.anonymizers.mondrian_cells import rank_values
from tokumei.tables.data.column_encoding import number_tuples
from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.engines.local import CountedEngine
from tokumei.tables.engines.protocol import TupleCounts
from tokumei.tables.engines.spark import group_apply

if TYPE_CHECKING:
    from pyspark.sql import Column


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


SAMPLE_ROWS = 200_000
"""How many rows the first cuts are learned on."""
FRAGMENT_TUPLES = 250_000
"""How many distinct tuples a fragment has, unless the number of fragments is given."""
_CASTS = {pl.Int64(): "bigint", pl.Float64(): "double", pl.Date(): "date"}
_LEAF = "tokumei_leaf"


@dataclass(frozen=True)
class FragmentedTable:
    """The recoded rows, in how many fragments, and the rows of the smallest of them."""

    table: SparkTable
    fragments: int
    smallest: int
    method: Mondrian


def recode_in_fragments(
    table: SparkTable,
    method: Mondrian,
    look: ColumnScan,
    qi: Sequence[str],
    *,
    kinds: Mapping[str, str],
    fragments: int | None = None,
    rng: Randomness,
    sets: Sequence[str] = (),
) -> FragmentedTable:
    """Recode fragment by fragment; about so many, of about equally many rows."""
    fragment_count = fragments or max(2, -(-look.tuples // FRAGMENT_TUPLES))
    dictionaries = []
    for name in qi:
        tuples = count_tuples(table, [name])
        cells = cast_to_kinds(tuples.cells, {name: kinds[name]} if name in kinds else {})
        tuple_counts = CountedEngine(cells).tuples([name])
        dictionaries.append(
            ColumnDictionary.of(tuples.source[name], tuple_counts, method.order.get(name))
        )
    method = _add_text_hierarchies(method, dictionaries, sets)
    tree = _learn_on_sample(table, method, dictionaries, look.rows, fragment_count, rng)
    cuts = _CutConditions(table, dictionaries, kinds)
    leaves = tree.leaves()
    leaf = cuts.numbered(tree, range(len(leaves))).alias(_LEAF)
    counts: dict[int, int] = dict(table.frame.groupBy(leaf).count().collect())
    rows = [int(counts.get(number, 0)) for number in range(len(leaves))]
    fragment_of_leaf = merge_small_leaves(rows, method.k)
    work = FragmentRecoder(method, tuple(dictionaries)).recode
    recoded_table = group_apply(table, cuts.numbered(tree, fragment_of_leaf), work, text=list(qi))
    return FragmentedTable(
        recoded_table,
        fragment_of_leaf[-1] + 1,
        int(np.bincount(fragment_of_leaf, rows).min()),
        method,
    )


def _add_text_hierarchies(
    method: Mondrian, dictionaries: Sequence[ColumnDictionary], sets: Sequence[str]
) -> Mondrian:
    """With the hierarchies that texts need, column by column: their values are all there."""
    methods = [
        add_default_hierarchies(method, Table(frame, schema_for(frame, qi=[dictionary.name])), sets)
        for dictionary in dictionaries
        for frame in [dictionary.values.to_frame(dictionary.name)]
    ]
    hierarchies = {
        name: tree
        for dictionary in methods
        for name, tree in cast(Mondrian, dictionary).hierarchies.items()
    }
    return replace(method, hierarchies=hierarchies)


def _learn_on_sample(
    table: SparkTable,
    method: Mondrian,
    dictionaries: Sequence[ColumnDictionary],
    rows: int,
    fragment_count: int,
    rng: Randomness,
) -> CutTree:
    names = [dictionary.name for dictionary in dictionaries]
    share = min(1.0, SAMPLE_ROWS / rows)
    if share < 1:
        seed = int(rng.integers(2**31, 1)[0])
        table = table.with_frame(table.frame.sample(fraction=share, seed=seed))
    sample = count_tuples(table, names)
    tuple_counts = TupleCounts(
        tuple(names),
        tuple(dictionary.values for dictionary in dictionaries),
        np.column_stack(
            [dictionary.coded(sample.source[dictionary.name]) for dictionary in dictionaries]
        ),
        sample.cells[COUNT_COLUMN].to_numpy(),
    )
    k = max(1, round(method.k * share))
    return learn_first_cuts(
        tuple_counts, dictionaries, k=k, cut=method.cut, most=-(-sample.rows // fragment_count)
    )


@dataclass(frozen=True, eq=False)
class _CutConditions:
    """Cuts of a tree as conditions on the cells of a row."""

    table: SparkTable
    dictionaries: Sequence[ColumnDictionary]
    kinds: Mapping[str, str]

    def numbered(self, tree: CutTree, numbers: Sequence[int]) -> Column:
        """The number of the leaf that a row belongs to; `numbers` are those of the leaves."""
        from pyspark.sql import functions as f

        if not tree.parts:
            return f.lit(numbers[0])
        below, above = tree.parts
        half = len(below.leaves())
        first = self.numbered(below, numbers[:half])
        return f.when(self._below_condition(tree), first).otherwise(
            self.numbered(above, numbers[half:])
        )

    def _below_condition(self, tree: CutTree) -> Column:
        """Whether a row goes below; a missing value stands first."""
        from pyspark.sql import functions as f

        dictionary = self.dictionaries[tree.column]
        cell, dtype = column_by_name(dictionary.name), dictionary.values.dtype
        ordered = dtype.is_numeric() or dtype.is_temporal()
        if ordered and dictionary.name not in self.kinds:
            typed = cell.cast(_CASTS[dtype]) if self.table.is_text else cell
            within = typed <= f.lit(dictionary.values[tree.border])
        else:
            low_values = dictionary.source.filter(
                pl.Series(dictionary.places[dictionary.codes] <= tree.border)
            )
            within = cell.isin(low_values.drop_nulls().to_list())
        return f.coalesce(within, f.lit(True))
