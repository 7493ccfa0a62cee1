"""A hierarchy: every leaf and its ancestors, level by level, up to `*`.

    sex = Hierarchy.of("sex", [["Male", "*"], ["Female", "*"]])
    sex.height                          # 1
    sex.leaf_codes(table["sex"])        # the leaf of every row; a value without one is an error
    sex.ncp()[level, leaf]              # 0 for a leaf of its own, 1 for `*`

Levels are nested: all leaves of a node of level l share one node of level l + 1. Kernels work on
`up` and the arrays made from it; names matter only where cells are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.fields import field_value
from tokumei.core.message_lines import locate_problem
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.leaf_lookup import NULL_LEAVES, find_leaf_places, missing_leaf_error
from tokumei.tables.hierarchies.level_checks import LevelExamination, examine_levels
from tokumei.tables.hierarchies.level_rows import LevelRows, level_frame


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Names of all nodes by level, and the place of every leaf's ancestor in them.

    `names[0]` are the leaves, `names[-1]` is `["*"]`; `up[l, leaf]` is a place in `names[l]`.
    """

    column: str
    names: tuple[pl.Series, ...]
    up: np.ndarray

    def __post_init__(self) -> None:
        if self.up.shape != (len(self.names), len(self.names[0])):
            raise ValueError("one row of `up` per level, one column per leaf")

    @classmethod
    def of(
        cls, column: str, rows: LevelRows | Sequence[Sequence[str]], *, complete: bool = False
    ) -> Hierarchy:
        """From rows of labels, the leaf first; an InputError lists all that is wrong with them.

        `complete` adds what is missing: a last level `*`, and for a row that stops early (or
        reaches `*` early) its last label again on the levels it has not.
        """
        level_rows = rows if isinstance(rows, LevelRows) else LevelRows.of(rows)
        examination = examine_levels(level_rows, column=column, complete=complete)
        if examination.faults:
            raise unusable_hierarchy_error(examination, level_rows)
        names = (pl.Series(str(level), names) for level, names in enumerate(examination.names))
        return cls(column, tuple(names), np.stack(examination.codes).astype(np.int32))

    @property
    def height(self) -> int:
        """How many steps from a leaf to `*`: levels − 1."""
        return len(self.names) - 1

    @property
    def leaves(self) -> pl.Series:
        """The names of the leaves, in the hierarchy's order."""
        return self.names[0]

    def leaf_codes(self, values: pl.Series) -> np.ndarray:
        """The leaf of every value; an InputError lists the values that have none.

        Values and leaves are compared as canonical text, so 1.0 finds the leaf `1`. A missing
        value has a leaf only if there is one named by empty text or NULL (see
        `add_missing_leaves`).
        """
        leaf_places = find_leaf_places(self.leaves, values)
        if leaf_places.null_count():
            raise missing_leaf_error(self.column, values.filter(leaf_places.is_null()), self.leaves)
        return leaf_places.to_numpy().astype(np.int32)

    def with_missing(self) -> Hierarchy:
        """The same with a leaf for missing values, which stays empty up to `*`, if it has none."""
        if self.leaves.is_in(NULL_LEAVES).any():
            return self
        missing_places = [len(names) for names in self.names[:-1]]
        names = [
            pl.concat([level_names, pl.Series(level_names.name, [""])])
            for level_names in self.names[:-1]
        ]
        up = np.column_stack([self.up, np.array([*missing_places, 0], dtype=self.up.dtype)])
        return Hierarchy(self.column, (*names, self.names[-1]), up)

    def widths(self) -> np.ndarray:
        """How many leaves lie under the ancestor, by level and leaf."""
        return np.stack([np.bincount(places)[places] for places in self.up]).astype(np.int32)

    def ncp(self) -> np.ndarray:
        """(leaves under the ancestor − 1) / (leaves − 1), by level and leaf; 0 for one leaf."""
        return (self.widths() - 1) / max(len(self.leaves) - 1, 1)

    def label(self, level: int, node: int) -> str:
        """The name of a node."""
        return str(self.names[level][int(node)])

    def labels(self, level: int) -> pl.Series:
        """The name of every leaf's ancestor on a level."""
        return self.names[level].gather(self.up[level])

    def parents(self, level: int) -> np.ndarray:
        """For every node of a level the place of its parent on the next."""
        parent_places = np.empty(len(self.names[level]), dtype=np.int32)
        parent_places[self.up[level]] = self.up[level + 1]
        return parent_places

    def frame(self) -> pl.DataFrame:
        """A row per leaf, a column per level: what an ARX file holds."""
        return level_frame(self.labels(level) for level in range(len(self.names)))


def unusable_hierarchy_error(examination: LevelExamination, level_rows: LevelRows) -> InputError:
    """The error for rows with faults; says if completing them would be enough."""
    problem = Message("the hierarchy of '{column}' cannot be used", column=examination.column)
    if not examine_levels(level_rows, column=examination.column, complete=True).faults:
        problem = Message(
            "the hierarchy of '{column}' cannot be used; completing it ({option}) would be enough",
            column=examination.column,
            option=field_value("complete", True),
        )
    return InputError(
        locate_problem(problem, level_rows.where),
        faults=examination.faults,
        total=examination.total,
    )
