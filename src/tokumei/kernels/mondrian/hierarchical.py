"""Hierarchical Mondrian on code arrays: moves one attribute of a group down level by level.

    tree = Tree.of(codes, counts, [hierarchy.up for hierarchy in hierarchies])
    classes = split_down(tree, k=2, choice="prec")
    classes.levels                      # how high each column of each tuple stays

A split is allowed only if every group that it makes has k rows and fulfils the `checks` (see
conditions); it goes on, group by group, until none is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import numpy as np

from tokumei.kernels.condition_checks import NO_CHECKS, Checks, to_compiled_checks
from tokumei.kernels.loading import load
from tokumei.kernels.validation import require_array, require_arrays, require_that

if TYPE_CHECKING:
    from tokumei.kernels.equivalence_classes.rule_targeting import Splitting

Choice = Literal["tfidf", "prec", "ncp", "range"]
Ties = Literal["order", "prec"]
Idf = Literal["table", "split", "mean-of-split"]
CHOICES: tuple[Choice, ...] = ("tfidf", "prec", "ncp", "range")
TIES: tuple[Ties, ...] = ("order", "prec")
IDFS: tuple[Idf, ...] = ("table", "split", "mean-of-split")
TUPLES_PER_STRETCH = 1_000_000
"""Tuples looked at at a stretch: in between, Ctrl-C is heard."""


class SplitTree(NamedTuple):
    """Tuples of leaves with counts; the hierarchies with all their nodes numbered through.

    The node of leaf c of column j on level l is `up[starts[j, l] + c]`; `cost[node]` is its NCP.
    """

    codes: Annotated[np.ndarray, "int32[t, j] 0.."]
    counts: Annotated[np.ndarray, "int64[t]"]
    up: Annotated[np.ndarray, "int64[places] 0..g"]
    starts: Annotated[np.ndarray, "int64[j, levels] 0..places"]
    heights: Annotated[np.ndarray, "int64[j] 0..levels"]
    leaves: Annotated[np.ndarray, "int64[j] 1.."]
    cost: Annotated[np.ndarray, "float64[g]"]

    @classmethod
    def of(cls, codes: np.ndarray, counts: np.ndarray, ups: Sequence[np.ndarray]) -> SplitTree:
        """`codes[t, j]` is a leaf of column j, whose node on level l is `ups[j][l, leaf]`."""
        heights = np.array([len(up) - 1 for up in ups], dtype=np.int64)
        starts = np.zeros((len(ups), heights.max() + 1), dtype=np.int64)
        nodes_of, cost, nodes, places = [], [], 0, 0
        for j, up in enumerate(ups):
            for level, above in enumerate(up):
                below = np.bincount(above)
                starts[j, level] = places
                nodes_of.append(above + nodes)
                cost.append((below - 1) / max(len(above) - 1, 1))
                nodes, places = nodes + len(below), places + len(above)
        return cls(
            np.ascontiguousarray(codes, dtype=np.int32),
            counts.astype(np.int64),
            np.concatenate(nodes_of).astype(np.int64),
            starts,
            heights,
            np.array([up.shape[1] for up in ups], dtype=np.int64),
            np.concatenate(cost),
        )

    def draw(self, codes: np.ndarray, counts: np.ndarray) -> SplitTree:
        """The same hierarchies with other tuples."""
        codes = np.ascontiguousarray(codes, dtype=np.int32)
        return self._replace(codes=codes, counts=counts.astype(np.int64))


class RuleTargets(NamedTuple):
    """`touch[box, node]`: whether a box holds a leaf under the node; `rule[box]`: whose box it is.

    Nodes are numbered through all levels of all columns, as in `SplitTree`.
    """

    touch: Annotated[np.ndarray, "bool[boxes, g]"]
    rule: Annotated[np.ndarray, "int64[boxes] 0.."]

    @classmethod
    def of(
        cls, rules: Sequence[Sequence[Sequence[np.ndarray]]], ups: Sequence[np.ndarray]
    ) -> RuleTargets:
        """From rules of boxes, each of which says of every column which leaves are inside."""
        boxes = [(number, box) for number, rule in enumerate(rules) for box in rule]
        nodes = sum(int(above.max()) + 1 for up in ups for above in up)
        touch = [_touched_nodes(box, ups) for _, box in boxes]
        return cls(
            np.array(touch, dtype=np.bool_).reshape(len(boxes), nodes),
            np.array([number for number, _ in boxes], dtype=np.int64),
        )


def _touched_nodes(inside: Sequence[np.ndarray], ups: Sequence[np.ndarray]) -> np.ndarray:
    parts = [
        np.bincount(above[leaves], minlength=int(above.max()) + 1) > 0
        for leaves, up in zip(inside, ups, strict=True)
        for above in up
    ]
    return np.concatenate(parts)


class SplitClasses(NamedTuple):
    """The class of every tuple and the level of its columns."""

    classes: np.ndarray
    levels: np.ndarray


NO_RULES = RuleTargets(np.zeros((0, 0), np.bool_), np.zeros(0, np.int64))


def split_down(
    tree: SplitTree,
    *,
    k: int,
    choice: Choice,
    targets: RuleTargets = NO_RULES,
    ties: Ties = "order",
    idf: Idf = "table",
    checks: Checks = NO_CHECKS,
) -> SplitClasses:
    """Split all tuples from `*` down; `targets` matter to the choice `tfidf`.

    `idf` says which groups that choice counts: all of the table, finished or waiting, as they
    would be after the split, or only those that the split makes. `mean-of-split` is the paper's
    Step 3 to the letter: the idf of the whole table, averaged over the split's groups.
    """
    tuples = len(tree.counts)
    result = SplitClasses(np.zeros(tuples, np.int64), np.tile(tree.heights, (tuples, 1)))
    settings = k, CHOICES.index(choice), TIES.index(ties), idf != "split", idf == "mean-of-split"
    splitting = _to_compiled(tree, targets, checks, result, settings)
    while splitting.waiting:
        load("equivalence_classes").split_down(splitting, TUPLES_PER_STRETCH)
    return result


def _to_compiled(
    tree: SplitTree,
    targets: RuleTargets,
    checks: Checks,
    result: SplitClasses,
    settings: tuple[int, int, int, bool, bool],
) -> Splitting:
    """The arguments as compiled code takes them, all tuples as the one group that waits."""
    sizes = require_arrays(tree)
    tuples, nodes = sizes["t"], sizes["g"]
    if not len(targets.rule):
        targets = RuleTargets(np.zeros((0, nodes), np.bool_), targets.rule)
    require_arrays(targets, sizes)
    require_that(tuples > 0 and (tree.codes < tree.leaves).all(), "codes: no such leaf")
    ends = tree.starts.max(axis=1) + tree.leaves
    require_that((ends <= sizes["places"]).all(), "up: a hierarchy is cut off")
    require_array("levels", result.levels, "int64[t, j] 0..levels", sizes)
    rules, widest = int(targets.rule.max(initial=-1)) + 1, int(tree.leaves.max())
    compiled: Splitting = load("equivalence_classes").Splitting(
        *tree,
        targets.touch.view(np.uint8),
        targets.rule,
        to_compiled_checks(checks, tuples),
        *result,
        order=np.arange(tuples),
        room=np.empty(tuples, np.int64),
        begins=np.zeros(tuples + 1, np.int64),
        ends=np.full(tuples + 1, tuples),
        at=np.empty(sizes["j"], np.int64),
        nodes=np.empty(tuples, np.int64),
        children=np.empty(widest, np.int64),
        rows=np.empty(widest, np.int64),
        stretch=np.empty(widest + 1, np.int64),
        place=np.empty(nodes, np.int64),
        sizes=np.zeros(nodes, np.int64),
        targeted=np.empty((rules, widest), np.uint8),
        in_group=np.empty(widest, np.int64),
        for_groups=np.empty(rules, np.int64),
        own=np.empty(rules, np.uint8),
        aimed=np.zeros(rules, np.int64),
        parts=np.zeros(rules),
        k=settings[0],
        how=settings[1],
        ties=settings[2],
        whole_table=settings[3],
        mean_of_split=settings[4],
    )
    return compiled
