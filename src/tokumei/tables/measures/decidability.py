"""What a release along hierarchies still tells: for whom a rule can be decided, on which levels.

    found = decidability(release.frame, hierarchies, rules)
    found["charm"].share                # people of whom it is certain whether the rule targets them
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

from tokumei.core.cells import STAR, canonical
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.core.text import Text
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaves import NULL_LEAVES
from tokumei.tables.rules.attribute import Attribute
from tokumei.tables.rules.boxes import LeafBox, LeafRule


@dataclass(frozen=True)
class Decided:
    """Shares of the people: certainly targeted, certainly not targeted."""

    targeted: float
    excluded: float

    @property
    def share(self) -> float:
        """For how many the rule can be decided."""
        return self.targeted + self.excluded


def decidability(
    frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy], rules: Sequence[LeafRule]
) -> dict[str, Decided]:
    """By rule; the rules' boxes are over the columns of `hierarchies`, in that order."""
    names = list(hierarchies)
    cells = frame.select(canonical(frame[name]).alias(name) for name in names)
    groups = cells.group_by(names).agg(pl.len().alias("tokumei_count")).sort(names)
    counts = groups["tokumei_count"].to_numpy() / max(frame.height, 1)
    views = [_View(Attribute(hierarchies[name]), groups[name]) for name in names]
    found = {}
    for rule in rules:
        inside, outside = _decided(rule, views, groups.height)
        found[rule.name] = Decided(float(counts[inside].sum()), float(counts[outside].sum()))
    return found


def surely_targeted(
    frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy], rules: Sequence[LeafRule]
) -> np.ndarray:
    """`[row, rule]`: whether the release shows for certain that the rule targets the person."""
    names = list(hierarchies)
    cells = frame.select(canonical(frame[name]).alias(name) for name in names)
    groups = cells.unique(maintain_order=True).with_row_index("tokumei_group")
    place = cells.join(groups, on=names, how="left", nulls_equal=True, maintain_order="left")
    views = [_View(Attribute(hierarchies[name]), groups[name]) for name in names]
    inside = [_decided(rule, views, groups.height)[0] for rule in rules]
    found = np.array(inside, dtype=bool).reshape(len(rules), groups.height)
    return np.asarray(found.T[place["tokumei_group"].to_numpy()])


def kept(frame: pl.DataFrame, columns: Sequence[str]) -> dict[str, float]:
    """By column the share of people whose cell is not `*`."""
    rows = max(frame.height, 1)
    return {name: 1 - int((canonical(frame[name]) == STAR).sum()) / rows for name in columns}


class _View:
    """One column of the distinct released vectors: the leaves behind each of its cells."""

    def __init__(self, attribute: Attribute, cells: pl.Series) -> None:
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


def _decided(rule: LeafRule, views: Sequence[_View], groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Which groups lie wholly inside the rule's boxes, and which wholly outside."""
    touched, inside = np.zeros(groups, dtype=bool), np.zeros(groups, dtype=bool)
    for box in rule.insides:
        pairs = list(zip(views, box, strict=True))
        touched |= np.logical_and.reduce([view.overlaps(wanted) for view, wanted in pairs])
        inside |= np.logical_and.reduce([view.within(wanted) for view, wanted in pairs])
    if len(rule.insides) > 1:
        # Several boxes may cover together what none of them covers alone.
        for group in np.flatnonzero(touched & ~inside).tolist():
            inside[group] = covered([view.region(group) for view in views], rule.insides)
    return inside, ~touched


def covered(region: Sequence[np.ndarray], boxes: Sequence[LeafBox]) -> bool:
    """Whether every point of the region lies in one of the boxes."""
    if not all(part.any() for part in region):
        return True
    if not boxes:
        return False
    left = list(region)
    for j, wanted in enumerate(boxes[0]):
        # What sticks out of the first box in this column must be covered by the others.
        rest = [*left[:j], left[j] & ~wanted, *left[j + 1 :]]
        if not covered(rest, boxes[1:]):
            return False
        left[j] = left[j] & wanted
    return True


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
    words = [Text(f"'{text}' is not a node", f"'{text}' という節はありません") for text in cells]
    faults = [
        Fault(rule="hierarchy-node", column=column, message=one) for one in words[:FAULTS_SHOWN]
    ]
    return InputError(
        f"column '{column}' has cells that are not nodes of its hierarchy",
        f"列 '{column}' に階層の節でないセルがあります",
        faults=faults,
        total=len(cells),
    )
