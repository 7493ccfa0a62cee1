"""Small tables generalized by random hierarchies, with a plain-Python reading of every cell."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import polars as pl
from hypothesis import strategies as st

from support.hierarchy_trees import trees
from tokumei.core.generalized_cells import canonicalize_value
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy

Path = list[str]


@dataclass(frozen=True)
class Generalized:
    """Per QI its tree; per original row a path in each tree; released rows by link and level."""

    trees: list[list[Path]]
    original: list[list[int]]
    link: list[int]
    levels: list[list[int]]

    @property
    def names(self) -> list[str]:
        """The QI."""
        return [f"q{j}" for j in range(len(self.trees))]

    def hierarchies(self) -> dict[str, Hierarchy]:
        """By QI."""
        pairs = zip(self.names, self.trees, strict=True)
        return {name: Hierarchy.of(name, tree) for name, tree in pairs}

    def case(self) -> Comparison:
        """Original against release."""
        x = [[self.trees[j][leaf][0] for j, leaf in enumerate(row)] for row in self.original]
        y = [
            [self.path(row, j)[level] for j, level in enumerate(levels)]
            for row, levels in enumerate(self.levels)
        ]
        tables = []
        for rows in (x, y):
            schema = dict.fromkeys(self.names, pl.String)
            tables.append(Table.of(pl.DataFrame(rows, schema=schema, orient="row"), qi=self.names))
        return Comparison(tables[0], tables[1], np.array(self.link))

    def path(self, row: int, j: int) -> Path:
        """The true path of a released row's cell."""
        return self.trees[j][self.original[self.link[row]][j]]

    def shown_level(self, row: int, j: int) -> int:
        """The lowest level whose label on the true path is the cell's."""
        path = self.path(row, j)
        cell = canonicalize_value(path[self.levels[row][j]])
        return [canonicalize_value(label) for label in path].index(cell)

    def leaves(self, row: int, j: int) -> list[int]:
        """The leaves behind a cell."""
        level = self.shown_level(row, j)
        label = self.path(row, j)[level]
        return [leaf for leaf, path in enumerate(self.trees[j]) if path[level] == label]


@st.composite
def generalized_tables(draw: st.DrawFn, *, columns: int = 2, rows: int = 7) -> Generalized:
    """Random trees, rows, deletions and levels."""
    made = [draw(trees(5)) for _ in range(columns)]
    chance = random.Random(draw(st.integers(0, 2**32)))
    size = chance.randint(1, rows)
    original = [[chance.randrange(len(tree)) for tree in made] for _ in range(size)]
    link = chance.sample(range(size), chance.randint(1, size))
    levels = [[chance.randrange(len(tree[0])) for tree in made] for _ in link]
    return Generalized(made, original, link, levels)
