"""Share of people for whom a rule can be decided from a release, by level.

    decided = decidability(release.frame, hierarchies, rules)
    decided["charm"].share              # people of whom it is certain whether the rule targets them
    kept(release.frame, ["birth"])      # {"birth": 0.998}: people whose birth is not `*`
    table = level_table(release.frame, hierarchies)
    table[0].levels, table[0].people    # (0, 3, 2, 1), 92: the form of the paper's Tables 7 to 12
    prec(table, heights)                # Sweeney's Prec

Cells may be nodes of the hierarchies; for rules also intervals, sets or `*`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, Violation
from tokumei.core.generalized_cells import SUPPRESSED_CELL, canonicalize_column
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaf_lookup import NULL_LEAVES
from tokumei.tables.recommendation_rules.attribute_leaves import RuleAttribute
from tokumei.tables.recommendation_rules.leaf_boxes import LeafBox, LeafRule


@dataclass(frozen=True)
class DecidedPeopleShares:
    """Shares of the people: certainly targeted, certainly not targeted."""

    targeted: float
    excluded: float

    @property
    def share(self) -> float:
        """For how many the rule can be decided."""
        return self.targeted + self.excluded


def decidability(
    frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy], rules: Sequence[LeafRule]
) -> dict[str, DecidedPeopleShares]:
    """By rule; the rules' boxes are over the columns of `hierarchies`, in that order."""
    names = list(hierarchies)
    cells = frame.select(canonicalize_column(frame[name]).alias(name) for name in names)
    groups = cells.group_by(names).agg(pl.len().alias("tokumei_count")).sort(names)
    counts = groups["tokumei_count"].to_numpy() / max(frame.height, 1)
    views = [_ColumnView(RuleAttribute(hierarchies[name]), groups[name]) for name in names]
    by_rule = {}
    for rule in rules:
        inside, outside = _decide_groups(rule, views, groups.height)
        by_rule[rule.name] = DecidedPeopleShares(
            float(counts[inside].sum()), float(counts[outside].sum())
        )
    return by_rule


def surely_targeted(
    frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy], rules: Sequence[LeafRule]
) -> np.ndarray:
    """`[row, rule]`: whether the release shows for certain that the rule targets the person."""
    names = list(hierarchies)
    cells = frame.select(canonicalize_column(frame[name]).alias(name) for name in names)
    groups = cells.unique(maintain_order=True).with_row_index("tokumei_group")
    joined = cells.join(groups, on=names, how="left", nulls_equal=True, maintain_order="left")
    views = [_ColumnView(RuleAttribute(hierarchies[name]), groups[name]) for name in names]
    inside = [_decide_groups(rule, views, groups.height)[0] for rule in rules]
    targeted = np.array(inside, dtype=bool).reshape(len(rules), groups.height)
    return np.asarray(targeted.T[joined["tokumei_group"].to_numpy()])


def kept(frame: pl.DataFrame, columns: Sequence[str]) -> dict[str, float]:
    """By column the share of people whose cell is not `*`."""
    rows = max(frame.height, 1)
    return {
        name: 1 - int((canonicalize_column(frame[name]) == SUPPRESSED_CELL).sum()) / rows
        for name in columns
    }


class _ColumnView:
    """One column of the distinct released vectors: the leaves behind each of its cells."""

    def __init__(self, attribute: RuleAttribute, cells: pl.Series) -> None:
        distinct = cells.unique(maintain_order=True)
        place = {text: number for number, text in enumerate(distinct)}
        self.leaves = [attribute.cell(text) for text in distinct]
        self.of_group = np.array([place[text] for text in cells], dtype=np.int64)

    def region(self, group: int) -> np.ndarray:
        return self.leaves[int(self.of_group[group])]

    def overlaps(self, wanted: np.ndarray) -> np.ndarray:
        """Whether the cell of each group may hold a wanted leaf."""
        return np.array([(leaves & wanted).any() for leaves in self.leaves])[self.of_group]

    def within(self, wanted: np.ndarray) -> np.ndarray:
        """Whether the cell of each group holds only wanted leaves."""
        return np.array([wanted[leaves].all() for leaves in self.leaves])[self.of_group]


def _decide_groups(
    rule: LeafRule, views: Sequence[_ColumnView], groups: int
) -> tuple[np.ndarray, np.ndarray]:
    """Which groups lie wholly inside the rule's boxes, and which wholly outside."""
    touched, inside = np.zeros(groups, dtype=bool), np.zeros(groups, dtype=bool)
    for box in rule.insides:
        pairs = list(zip(views, box, strict=True))
        touched |= np.logical_and.reduce([view.overlaps(wanted) for view, wanted in pairs])
        inside |= np.logical_and.reduce([view.within(wanted) for view, wanted in pairs])
    if len(rule.insides) > 1:
        # Several boxes may cover together what none of them covers alone.
        for group in np.flatnonzero(touched & ~inside).tolist():
            inside[group] = is_covered([view.region(group) for view in views], rule.insides)
    return inside, ~touched


def is_covered(region: Sequence[np.ndarray], boxes: Sequence[LeafBox]) -> bool:
    """Whether every point of the region lies in one of the boxes."""
    if not all(part.any() for part in region):
        return True
    if not boxes:
        return False
    remaining = list(region)
    for j, wanted in enumerate(boxes[0]):
        # What sticks out of the first box in this column must be covered by the others.
        outside = [*remaining[:j], remaining[j] & ~wanted, *remaining[j + 1 :]]
        if not is_covered(outside, boxes[1:]):
            return False
        remaining[j] = remaining[j] & wanted
    return True


class LevelRow(NamedTuple):
    """The level of each column (0: the leaf, its height: `*`) and the people who have them."""

    levels: tuple[int, ...]
    people: int


def level_table(frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> list[LevelRow]:
    """The level vectors in a release, by people, the most first."""
    names = list(hierarchies)
    levels = frame.select(_cell_levels(frame[name], hierarchies[name]) for name in names)
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


def _cell_levels(cells: pl.Series, hierarchy: Hierarchy) -> pl.Series:
    """The level of each cell: the lowest that has a node of that name."""
    nodes = {name: places[0][0] for name, places in RuleAttribute(hierarchy).nodes.items()}
    missing = next((name for name in NULL_LEAVES if name in nodes), "")
    texts = canonicalize_column(cells).fill_null(missing)
    unknown = [text for text in texts.unique(maintain_order=True) if text not in nodes]
    if unknown:
        raise _unknown_nodes_error(cells.name, unknown)
    return texts.replace_strict(nodes, return_dtype=pl.Int64).alias(cells.name)


def _unknown_nodes_error(column: str, cells: Sequence[str]) -> InputError:
    messages = [Message("'{value}' is not a node", value=text) for text in cells]
    faults = [
        Violation(rule="hierarchy-node", column=column, message=message)
        for message in messages[:MAX_SHOWN_VIOLATIONS]
    ]
    return InputError(
        "column '{column}' has cells that are not nodes of its hierarchy",
        faults=faults,
        total=len(cells),
        column=column,
    )
