"""Mondrian on a cluster when the distinct tuples are too many for the driver.

    made = in_fragments(table, Mondrian(k=5), look, ["age", "zip"], fragments=8, rng=rng)

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

from tokumei.core.cells import canonical
from tokumei.core.randomness import Randomness
from tokumei.files.spark.files import SparkTable, quoted
from tokumei.files.spark.look import Look
from tokumei.files.spark.tuples import count_tuples
from tokumei.kernels.mondrian.kernel import Columns, Cut, best_cut
from tokumei.tables.anonymizers.mondrian import Mondrian, line
from tokumei.tables.anonymizers.mondrian_cells import ranks
from tokumei.tables.data.codes import number_tuples
from tokumei.tables.data.column_kinds import as_kinds, schema_for
from tokumei.tables.data.counted import COUNT
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import CountedEngine
from tokumei.tables.engines.protocol import Frequencies
from tokumei.tables.engines.spark import group_apply
from tokumei.tables.releasing.known_columns import with_hierarchies

if TYPE_CHECKING:
    from pyspark.sql import Column


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
        codes = [one.coded(frame[one.name]) for one in self.dictionaries]
        rows, number = number_tuples(codes, [len(one.values) for one in self.dictionaries])
        one_of = np.empty(number, dtype=np.int64)
        one_of[rows] = np.arange(frame.height)
        found = Frequencies(
            tuple(one.name for one in self.dictionaries),
            tuple(one.values for one in self.dictionaries),
            np.column_stack([column[one_of] for column in codes]),
            np.bincount(rows, minlength=number),
        )
        _, cells = self.method.cut_cells(found, [one.places for one in self.dictionaries])
        return frame.with_columns(
            (cell if cell.dtype == pl.String else canonical(cell)).gather(rows).alias(name)
            for name, cell in cells.items()
        )


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
    method: Mondrian


def in_fragments(
    table: SparkTable,
    method: Mondrian,
    look: Look,
    qi: Sequence[str],
    *,
    kinds: Mapping[str, str],
    fragments: int | None = None,
    rng: Randomness,
    sets: Sequence[str] = (),
) -> Fragmented:
    """Recode fragment by fragment; about so many, of about equally many rows."""
    wanted = fragments or max(2, -(-look.tuples // FRAGMENT))
    dictionaries = []
    for name in qi:
        tuples = count_tuples(table, [name])
        cells = as_kinds(tuples.cells, {name: kinds[name]} if name in kinds else {})
        found = CountedEngine(cells).tuples([name])
        dictionaries.append(Dictionary.of(tuples.source[name], found, method.order.get(name)))
    method = _labelled(method, dictionaries, sets)
    tree = _learned(table, method, dictionaries, look.rows, wanted, rng)
    cuts = _Cuts(table, dictionaries, kinds)
    leaves = tree.leaves()
    leaf = cuts.numbered(tree, range(len(leaves))).alias(_LEAF)
    counts: dict[int, int] = dict(table.frame.groupBy(leaf).count().collect())
    rows = [int(counts.get(number, 0)) for number in range(len(leaves))]
    home = merged(rows, method.k)
    work = Fragment(method, tuple(dictionaries)).recode
    made = group_apply(table, cuts.numbered(tree, home), work, text=list(qi))
    return Fragmented(made, home[-1] + 1, int(np.bincount(home, rows).min()), method)


def _labelled(
    method: Mondrian, dictionaries: Sequence[Dictionary], sets: Sequence[str]
) -> Mondrian:
    """With the hierarchies that texts need, column by column: their values are all there."""
    found = [
        with_hierarchies(method, Table(frame, schema_for(frame, qi=[one.name])), sets)
        for one in dictionaries
        for frame in [one.values.to_frame(one.name)]
    ]
    named = {name: tree for one in found for name, tree in cast(Mondrian, one).hierarchies.items()}
    return replace(method, hierarchies=named)


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
    if share < 1:
        seed = int(rng.integers(2**31, 1)[0])
        table = table.with_frame(table.frame.sample(fraction=share, seed=seed))
    sample = count_tuples(table, names)
    found = Frequencies(
        tuple(names),
        tuple(one.values for one in dictionaries),
        np.column_stack([one.coded(sample.source[one.name]) for one in dictionaries]),
        sample.cells[COUNT].to_numpy(),
    )
    k = max(1, round(method.k * share))
    return learn(found, dictionaries, k=k, cut=method.cut, most=-(-sample.rows // wanted))


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
        cell, dtype = quoted(one.name), one.values.dtype
        ordered = dtype.is_numeric() or dtype.is_temporal()
        if ordered and one.name not in self.kinds:
            typed = cell.cast(_CASTS[dtype]) if self.table.is_text else cell
            within = typed <= f.lit(one.values[tree.border])
        else:
            low = one.source.filter(pl.Series(one.places[one.codes] <= tree.border))
            within = cell.isin(low.drop_nulls().to_list())
        return f.coalesce(within, f.lit(True))
