"""Mondrian on a cluster when the distinct tuples are too many for the driver.

    made = in_fragments(table, Mondrian(k=5), look, ["age", "zip"], fragments=8, rng=rng)

Cuts learned on a sample divide the table; every worker cuts on inside its fragments, measured by
the dictionaries of the whole table. Leaves with fewer than k rows join their neighbours first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.files.spark.files import SparkTable, quoted
from tokumei.files.spark.look import Look
from tokumei.files.spark.tuples import count_tuples
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.mondrian_fragments import Dictionary, Fragment, Tree, learn, merged
from tokumei.tables.data.column_kinds import as_kinds
from tokumei.tables.data.counted import COUNT
from tokumei.tables.engines.counted import CountedEngine
from tokumei.tables.engines.protocol import Frequencies
from tokumei.tables.engines.spark import group_apply, sampled

if TYPE_CHECKING:
    from pyspark.sql import Column

SAMPLE = 200_000
"""How many rows the first cuts are learned on."""
FRAGMENT = 250_000
"""How many distinct tuples a fragment has, unless the number of fragments is given."""
_CASTS = {pl.Int64(): "bigint", pl.Float64(): "double", pl.Date(): "date"}
_LEAF = "tokumei_leaf"


@dataclass(frozen=True)
class Fragmented:
    """The recoded rows, in how many fragments, and the rows of the smallest of them."""

    table: SparkTable
    fragments: int
    smallest: int


def in_fragments(
    table: SparkTable,
    method: Mondrian,
    look: Look,
    qi: Sequence[str],
    *,
    kinds: Mapping[str, str],
    fragments: int | None = None,
    rng: Randomness,
) -> Fragmented:
    """Recode fragment by fragment; about so many, of about equally many rows."""
    wanted = fragments or max(2, -(-look.tuples // FRAGMENT))
    dictionaries = [_dictionary(table, name, method, kinds) for name in qi]
    tree = _learned(table, method, dictionaries, look.rows, wanted, rng)
    cuts = _Cuts(table, dictionaries, kinds)
    leaves = tree.leaves()
    rows = _rows_of(table, cuts.numbered(tree, range(len(leaves))), len(leaves))
    home = merged(rows, method.k)
    work = Fragment(method, tuple(dictionaries)).recode
    made = group_apply(table, cuts.numbered(tree, home), work, text=list(qi))
    return Fragmented(made, home[-1] + 1, int(np.bincount(home, rows).min()))


def _dictionary(
    table: SparkTable, name: str, method: Mondrian, kinds: Mapping[str, str]
) -> Dictionary:
    tuples = count_tuples(table, [name])
    cells = as_kinds(tuples.cells, {name: kinds[name]} if name in kinds else {})
    found = CountedEngine(cells).tuples([name])
    return Dictionary.of(tuples.source[name], found, method.order.get(name))


def _learned(
    table: SparkTable,
    method: Mondrian,
    dictionaries: Sequence[Dictionary],
    rows: int,
    wanted: int,
    rng: Randomness,
) -> Tree:
    names = [one.name for one in dictionaries]
    share = min(1.0, SAMPLE / rows)
    sample = count_tuples(sampled(table, share, rng=rng), names)
    found = Frequencies(
        tuple(names),
        tuple(one.values for one in dictionaries),
        np.column_stack([one.coded(sample.source[one.name]) for one in dictionaries]),
        sample.cells[COUNT].to_numpy(),
    )
    k = max(1, round(method.k * share))
    return learn(found, dictionaries, k=k, cut=method.cut, most=-(-sample.rows // wanted))


def _rows_of(table: SparkTable, leaf: Column, leaves: int) -> list[int]:
    found = table.frame.groupBy(leaf.alias(_LEAF)).count().collect()
    rows = np.zeros(leaves, dtype=np.int64)
    for number, count in found:
        rows[number] = count
    return [int(count) for count in rows]


@dataclass(frozen=True, eq=False)
class _Cuts:
    """Cuts of a tree as conditions on the cells of a row."""

    table: SparkTable
    dictionaries: Sequence[Dictionary]
    kinds: Mapping[str, str]

    def numbered(self, tree: Tree, numbers: Sequence[int]) -> Column:
        """The number of the leaf that a row belongs to; `numbers` are those of the leaves."""
        from pyspark.sql import functions as f

        if not tree.parts:
            return f.lit(numbers[0])
        below, above = tree.parts
        half = len(below.leaves())
        first = self.numbered(below, numbers[:half])
        return f.when(self._below(tree), first).otherwise(self.numbered(above, numbers[half:]))

    def _below(self, tree: Tree) -> Column:
        """Whether a row goes below; a missing value stands first."""
        from pyspark.sql import functions as f

        one = self.dictionaries[tree.column]
        cell = quoted(one.name)
        dtype = one.values.dtype
        ordered = dtype.is_numeric() or dtype.is_temporal()
        if ordered and one.name not in self.kinds:
            typed = cell.cast(_CASTS[dtype]) if self.table.is_text else cell
            within = typed <= f.lit(one.values[tree.border])
        else:
            low = one.source.filter(pl.Series(one.places[one.codes] <= tree.border))
            within = cell.isin(low.drop_nulls().to_list())
        return f.coalesce(within, f.lit(True))
