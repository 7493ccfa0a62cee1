"""How well a split tells apart whom recommendations are for: the paper's TF-IDF.

Rules stand for words, the groups made by the split for documents. A rule that targets few of the
groups, in groups that few rules target, speaks for the split.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled


class Targets(NamedTuple):
    """`touch[box, node]`: whether a box holds a leaf under the node; `rule[box]`: whose box it is.

    Nodes are numbered through all levels of all columns, as in `Tree`.
    """

    touch: np.ndarray
    rule: np.ndarray

    @classmethod
    def of(
        cls, rules: Sequence[Sequence[Sequence[np.ndarray]]], ups: Sequence[np.ndarray]
    ) -> Targets:
        """From rules of boxes, each of which says of every column which leaves are inside."""
        boxes = [(number, box) for number, rule in enumerate(rules) for box in rule]
        nodes = sum(int(above.max()) + 1 for up in ups for above in up)
        touch = [_touched(box, ups) for _, box in boxes]
        return cls(
            np.array(touch, dtype=np.bool_).reshape(len(boxes), nodes),
            np.array([number for number, _ in boxes], dtype=np.int64),
        )


def _touched(inside: Sequence[np.ndarray], ups: Sequence[np.ndarray]) -> np.ndarray:
    parts = [
        np.bincount(above[leaves], minlength=int(above.max()) + 1) > 0
        for leaves, up in zip(inside, ups, strict=True)
        for above in up
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
