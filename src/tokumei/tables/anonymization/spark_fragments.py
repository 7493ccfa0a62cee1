"""Mondrian on a cluster with too many distinct tuples for the driver.

    made = recode_in_fragments(table, Mondrian(k=5), look, ["age", "zip"], fragments=8, rng=rng)

Mondrian's own first cuts, learned on a sample, divide the table; leaves with fewer than k rows join
their neighbours. Every worker cuts on inside its fragments, measured by the dictionaries of the
whole table, so its cuts are those that Mondrian would make in the whole table below the first ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.files.spark.column_scan import ColumnScan
from tokumei.files.spark.distinct_tuples import count_tuples
from tokumei.files.spark.table_files import SparkTable, column_by_name
from tokumei.tables.anonymization.default_hierarchies import add_default_hierarchies
from tokumei.tables.anonymization.fragment_cuts import (
    ColumnDictionary,
    CutTree,
    FragmentRecoder,
    learn_first_cuts,
    merge_small_leaves,
)
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.engines.local import CountedEngine
from tokumei.tables.engines.protocol import TupleCounts
from tokumei.tables.engines.spark import group_apply

if TYPE_CHECKING:
    from pyspark.sql import Column


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
