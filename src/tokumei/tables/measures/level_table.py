"""How high the cells of a release stand in their hierarchies, and how many people share that.

table = level_table(release.frame, hierarchies)
table[0].levels, table[0].people    # (0, 3, 2, 1), 92: the form of the paper's Tables 7 to 12
prec(table, heights)                # Sweeney's Prec
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.core.text import Text
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.missing import NULL_LEAVES
from tokumei.tables.rules.attribute import Attribute


class LevelRow(NamedTuple):
    """The level of each column (0: the leaf, its height: `*`) and the people who have them."""

    levels: tuple[int, ...]
    people: int


def level_table(frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> list[LevelRow]:
    """The level vectors in a release, by people, the most first."""
    names = list(hierarchies)
    levels = frame.select(_levels(frame[name], hierarchies[name]) for name in names)
    return count_levels(levels.to_numpy())


def count_levels(levels: np.ndarray) -> list[LevelRow]:
    """The same from a level per person and column."""
    vectors, counts = np.unique(levels, axis=0, return_counts=True)
    rows = [LevelRow(tuple(v), n) for v, n in zip(vectors.tolist(), counts.tolist(), strict=True)]
    return sorted(rows, key=lambda row: (-row.people, row.levels))


def prec(table: Sequence[LevelRow], heights: Sequence[int]) -> float:
    """1 − the mean over all cells of level/height."""
    people = sum(row.people for row in table)
    lost = sum(
        row.people * sum(level / height for level, height in zip(row.levels, heights, strict=True))
        for row in table
    )
    return 1 - lost / (people * len(heights))


def _levels(cells: pl.Series, hierarchy: Hierarchy) -> pl.Series:
    """The level of each cell: the lowest that has a node of that name."""
    nodes = {name: places[0][0] for name, places in Attribute(hierarchy).nodes.items()}
    missing = next((name for name in NULL_LEAVES if name in nodes), "")
    texts = canonical(cells).fill_null(missing)
    strange = [text for text in texts.unique(maintain_order=True) if text not in nodes]
    if strange:
        raise _no_nodes(cells.name, strange)
    return texts.replace_strict(nodes, return_dtype=pl.Int64).alias(cells.name)


def _no_nodes(column: str, cells: Sequence[str]) -> InputError:
    faults = [
        Fault(
            rule="hierarchy-node",
            column=column,
            message=Text(f"'{text}' is not a node", f"'{text}' という節はありません"),
        )
        for text in cells[:FAULTS_SHOWN]
    ]
    return InputError(
        f"column '{column}' has cells that are not nodes of its hierarchy",
        f"列 '{column}' に階層の節でないセルがあります",
        faults=faults,
        total=len(cells),
    )
