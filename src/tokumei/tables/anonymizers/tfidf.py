"""How well a split tells apart whom recommendations are for: the paper's TF-IDF.

Rules stand for words, the groups made by the split for documents. A rule that targets few of the
groups, in groups that few rules target, speaks for the split.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.rules.boxes import LeafRule


class Targets(NamedTuple):
    """`touch[box, node]`: whether a box holds a leaf under the node; `rule[box]`: whose box it is.

    Nodes are numbered through all levels of all columns, as in `Tree`.
    """

    touch: np.ndarray
    rule: np.ndarray

    @classmethod
    def of(cls, rules: Sequence[LeafRule], hierarchies: Sequence[Hierarchy]) -> Targets:
        """From rules whose boxes are sets of leaves."""
        boxes = [(number, box) for number, rule in enumerate(rules) for box in rule.boxes]
        touch = [_touched(box.inside, hierarchies) for _, box in boxes]
        nodes = sum(len(names) for one in hierarchies for names in one.names)
        return cls(
            np.array(touch, dtype=np.bool_).reshape(len(boxes), nodes),
            np.array([number for number, _ in boxes], dtype=np.int64),
        )


def _touched(inside: Sequence[np.ndarray], hierarchies: Sequence[Hierarchy]) -> np.ndarray:
    parts = [
        np.bincount(places[leaves], minlength=len(names)) > 0
        for leaves, hierarchy in zip(inside, hierarchies, strict=True)
        for places, names in zip(hierarchy.up, hierarchy.names, strict=True)
    ]
    return np.concatenate(parts)


@compiled
def tfidf(targets: Targets, nodes: np.ndarray, column: int, children: np.ndarray) -> float:
    """Mean over the groups of Σ tf·idf, if the group at `nodes` is split into `children`."""
    targeted = _targeted(targets, nodes, column, children)
    rules, groups = targeted.shape
    in_group, for_groups = np.zeros(groups, np.int64), np.zeros(rules, np.int64)
    for rule in range(rules):
        for group in range(groups):
            in_group[group] += targeted[rule, group]
            for_groups[rule] += targeted[rule, group]
    score = 0.0
    for rule in range(rules):
        for group in range(groups):
            if targeted[rule, group]:
                score += np.log(groups / for_groups[rule]) / in_group[group]
    return float(score / groups)


@compiled
def _targeted(targets: Targets, nodes: np.ndarray, column: int, children: np.ndarray) -> np.ndarray:
    """Whether each rule targets each group: one of its boxes overlaps it in every column."""
    boxes = len(targets.rule)
    rules = targets.rule[-1] + 1 if boxes else 0
    found = np.zeros((rules, len(children)), np.bool_)
    for box in range(boxes):
        elsewhere = True
        for j in range(len(nodes)):
            if j != column and not targets.touch[box, nodes[j]]:
                elsewhere = False
        if elsewhere:
            for group in range(len(children)):
                if targets.touch[box, children[group]]:
                    found[targets.rule[box], group] = True
    return found
