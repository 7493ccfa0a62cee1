"""Mines recommendation rules: who buys what more often than chance.

    mined = mine(codes, hierarchies, bought, items)   # codes[person, column], bought[person, item]
    mined.rules                                       # non-overlapping boxes per item

A box names a node of the hierarchies of one or two attributes. Of N people K lie in the box and n
have the item; x of them both. The lift is (x/K)/(n/N). If box and item had nothing to do with each
other, x would be hypergeometric; p = P(X ≥ x) is exact (Fisher's test, one side). With `sides=2`
boxes whose people have the item less often count as well, p being twice the smaller side;
`test="normal"` takes the normal distribution of the same mean and variance. All boxes times all
items are tested, and of their p-values those are kept that Benjamini and Hochberg (1995) allow at
a false discovery rate of 5 %. Without a relation next to nothing is found, however many tests
there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import polars as pl
from scipy.special import ndtr
from scipy.stats import hypergeom

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.json_types import JsonObject
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.rule_model import (
    RecommendationRule,
    RuleBox,
    WantedValues,
    parse_wanted,
)

TestKind = Literal["exact", "normal"]
FALSE_DISCOVERY_RATE = 0.05
MAX_TESTS = 5_000_000


@dataclass(frozen=True, eq=False)
class HierarchyNode:
    """A node of an attribute's hierarchy: its name and the leaves below it."""

    attribute: int
    name: str
    leaves: np.ndarray


BoxNodes = tuple[tuple[HierarchyNode, int], ...]
"""The nodes of a box, each with its place among those of its attribute."""


@dataclass(frozen=True, eq=False)
class MinedBox:
    """A box of nodes for an item: people inside, those with the item, its lift and p-value."""

    nodes: tuple[HierarchyNode, ...]
    item: str
    people: int
    support: int
    lift: float
    p: float

    def as_json(self, names: Sequence[str]) -> JsonObject:
        """Plain data."""
        return {
            "item": self.item,
            "box": {names[node.attribute]: node.name for node in self.nodes},
            "people": self.people,
            "support": self.support,
            "lift": self.lift,
            "p": self.p,
        }


@dataclass(frozen=True, eq=False)
class MiningResult:
    """What was found: tests made, boxes that passed, and those that are kept as rules."""

    names: tuple[str, ...]
    tests: int
    passed: int
    kept: tuple[MinedBox, ...]

    @property
    def rules(self) -> list[RecommendationRule]:
        """A rule per item, its boxes by lift."""
        boxes: dict[str, list[RuleBox]] = {}
        for mined_box in self.kept:
            wanted = {
                self.names[node.attribute]: parse_wanted(node.name)
                or WantedValues(values=(node.name,))
                for node in mined_box.nodes
            }
            boxes.setdefault(mined_box.item, []).append(RuleBox(wanted))
        return [RecommendationRule(item, tuple(item_boxes)) for item, item_boxes in boxes.items()]


def mine(
    codes: np.ndarray,
    hierarchies: Mapping[str, Hierarchy],
    bought: np.ndarray,
    items: Sequence[str],
    *,
    attributes: int = 2,
    fewest: int = 1,
    levels: Mapping[str, int] | None = None,
    test: TestKind = "exact",
    sides: int = 1,
    rate: float = FALSE_DISCOVERY_RATE,
    people: int = 1,
    least: int = 1,
    lift: float = 1.0,
) -> MiningResult:
    """Boxes over `fewest` to `attributes` attributes whose people have an item more often.

    `codes[person, column]` is a leaf, `bought[person, item]` whether they have it. `levels` names
    the only level of an attribute that is used. Boxes of fewer than `people` are not tested. A box
    is kept with at least `least` people who have the item, and a lift above `lift`; that changes
    no test.
    """
    nodes = _distinct_nodes(hierarchies, levels or {})
    tuples, tuple_index = np.unique(codes, axis=0, return_inverse=True)
    weights = np.bincount(tuple_index.ravel(), minlength=len(tuples)).astype(np.int64)
    item_counts = np.zeros((len(tuples), len(items)), dtype=np.int64)
    np.add.at(item_counts, tuple_index.ravel(), bought.astype(np.int64))
    inside = [[node.leaves[tuples[:, node.attribute]] for node in column] for column in nodes]
    all_masks = [
        (chosen, np.logical_and.reduce([inside[n.attribute][index] for n, index in chosen]))
        for chosen in _all_boxes(nodes, attributes)
        if len(chosen) >= fewest
    ]
    boxes = [(chosen, mask) for chosen, mask in all_masks if weights[mask].sum() >= max(people, 1)]
    if len(boxes) * len(items) > MAX_TESTS:
        raise UsageError(
            "{boxes:,} boxes for {items:,} items are too many tests: name levels or fewer "
            "attributes",
            boxes=len(boxes),
            items=len(items),
        )
    tested = _compute_box_p_values(boxes, weights, item_counts, items, (test, sides))
    passed = [
        tested[index]
        for index in np.flatnonzero(benjamini_hochberg([mined_box.p for mined_box in tested], rate))
    ]
    good = [
        mined_box for mined_box in passed if mined_box.support >= least and mined_box.lift > lift
    ]
    return MiningResult(
        tuple(hierarchies), len(tested), len(passed), tuple(_drop_overlapping_boxes(good))
    )


def benjamini_hochberg(p: Sequence[float], rate: float) -> np.ndarray:
    """Which p-values Benjamini and Hochberg (1995) keep at a false discovery rate."""
    values = np.asarray(p, dtype=np.float64)
    ordered = np.sort(values)
    below = np.flatnonzero(ordered <= rate * np.arange(1, len(values) + 1) / max(len(values), 1))
    limit = ordered[below[-1]] if len(below) else -1.0
    return np.asarray(values <= limit)


def _distinct_nodes(
    hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int]
) -> list[list[HierarchyNode]]:
    """The nodes of every attribute below `*`, those with the same leaves once."""
    nodes_by_column = []
    for column, (name, tree) in enumerate(hierarchies.items()):
        if not 0 <= levels.get(name, 0) < max(tree.height, 1):
            raise UsageError(
                "{name}: level {level} is not below * (0 to {height})",
                name=name,
                level=levels[name],
                height=tree.height - 1,
            )
        used = [levels[name]] if name in levels else range(tree.height)
        by_leaves: dict[bytes, HierarchyNode] = {}
        for level in used:
            for node, label in enumerate(tree.names[level]):
                leaves = tree.up[level] == node
                by_leaves.setdefault(leaves.tobytes(), HierarchyNode(column, str(label), leaves))
        nodes_by_column.append([node for node in by_leaves.values() if not node.leaves.all()])
    return nodes_by_column


def _all_boxes(nodes: Sequence[Sequence[HierarchyNode]], most: int) -> list[BoxNodes]:
    """All boxes over up to `most` attributes: nodes with their places."""
    placed = [[(node, index) for index, node in enumerate(column)] for column in nodes]
    boxes: list[BoxNodes] = [(first_node,) for column in placed for first_node in column]
    if most > 1:
        for first, second in combinations(placed, 2):
            boxes += [(first_node, second_node) for first_node in first for second_node in second]
    return boxes


def _compute_box_p_values(
    boxes: Sequence[tuple[BoxNodes, np.ndarray]],
    weights: np.ndarray,
    item_counts: np.ndarray,
    items: Sequence[str],
    test_options: tuple[TestKind, int],
) -> list[MinedBox]:
    everybody, buyers = int(weights.sum()), item_counts.sum(axis=0)
    masks = np.array([people for _, people in boxes], dtype=np.float64).reshape(len(boxes), -1)
    size = np.rint(masks @ weights).astype(np.int64)
    support = np.rint(masks @ item_counts).astype(np.int64)
    p = p_values(support, everybody, buyers[None, :], size[:, None], *test_options)
    lift = support * everybody / np.maximum(size[:, None] * buyers[None, :], 1)
    figures = zip(size.tolist(), support.tolist(), lift.tolist(), p.tolist(), strict=True)
    return [
        MinedBox(tuple(node for node, _ in chosen), item, people, *item_figures)
        for (chosen, _), (people, *of_items) in zip(boxes, figures, strict=True)
        for item, *item_figures in zip(items, *of_items, strict=True)
    ]


def p_values(
    support: np.ndarray,
    everybody: int,
    buyers: np.ndarray,
    size: np.ndarray,
    test: TestKind = "exact",
    sides: int = 1,
) -> np.ndarray:
    """How often chance gives so many people of a box the item, or more; on two sides, or fewer."""
    if test == "exact":
        above = hypergeom.sf(support - 1, everybody, buyers, size)
        below = hypergeom.cdf(support, everybody, buyers, size) if sides > 1 else above
    else:
        share = buyers / everybody
        spread = size * share * (1 - share) * (everybody - size) / max(everybody - 1, 1)
        z = (support - size * share) / np.sqrt(np.maximum(spread, 1e-300))
        above, below = ndtr(-z), ndtr(z)
    return np.asarray(above if sides == 1 else np.minimum(1.0, 2 * np.minimum(above, below)))


def _drop_overlapping_boxes(boxes_found: Sequence[MinedBox]) -> list[MinedBox]:
    """Of every item the boxes of highest lift that share no combination of leaves."""
    by_item: dict[str, list[MinedBox]] = {}
    for box_to_add in sorted(boxes_found, key=lambda box: (-box.lift, -box.support, box.p)):
        kept_boxes = by_item.setdefault(box_to_add.item, [])
        if not any(_boxes_overlap(box_to_add, kept_box) for kept_box in kept_boxes):
            kept_boxes.append(box_to_add)
    return [box_to_add for boxes in by_item.values() for box_to_add in boxes]


def _boxes_overlap(first: MinedBox, second: MinedBox) -> bool:
    leaves = {node.attribute: node.leaves for node in first.nodes}
    shared = [node for node in second.nodes if node.attribute in leaves]
    return all((node.leaves & leaves[node.attribute]).any() for node in shared)


def values_as_items(column: pl.Series, buyers: int = 1) -> tuple[np.ndarray, list[str]]:
    """`[person, item]` and the items: the values that at least so many people have."""
    cells = canonicalize_column(column)
    counts = cells.drop_nulls().alias("item").value_counts().filter(pl.col("count") >= buyers)
    items = counts["item"].sort().to_list()
    held = [(cells == item).fill_null(value=False).to_numpy() for item in items]
    return np.array(held, dtype=bool).reshape(len(items), len(column)).T, items


def purchases_as_items(
    people: pl.Series, buyer: pl.Series, item: pl.Series, buyers: int = 1
) -> tuple[np.ndarray, list[str]]:
    """The same from purchases; buying twice is buying, and strangers' purchases do not count."""
    people_frame = pl.DataFrame({"person": canonicalize_column(people)}).with_row_index("row")
    rows = pl.DataFrame(
        {"person": canonicalize_column(buyer), "item": canonicalize_column(item)}
    ).drop_nulls()
    pairs = rows.join(people_frame, on="person").select("row", "item").unique()
    counts = pairs.group_by("item").len().filter(pl.col("len") >= buyers)
    items = counts["item"].sort().to_list()
    index_of_item = {name: index for index, name in enumerate(items)}
    bought = np.zeros((len(people), len(items)), dtype=bool)
    for row, name in pairs.iter_rows():
        if name in index_of_item:
            bought[row, index_of_item[name]] = True
    return bought, items
