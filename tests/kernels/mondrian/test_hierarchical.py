"""Tests of tokumei.kernels.mondrian.hierarchical."""

import numpy as np

from support.rule_reference import slow_tree
from tokumei.kernels.mondrian.hierarchical import RuleTargets, SplitTree, split_down
from tokumei.tables.arai2015_simulation import RULES, paper_hierarchies
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules


def test_one_draw_equals_the_slow_tree():
    world = paper_hierarchies()
    order = list(world.values())
    ups = [one.up for one in order]
    rng = np.random.default_rng(5)
    codes = np.column_stack([rng.integers(0, len(one.leaves), 30) for one in order])
    for rule in leaf_rules(RULES, world):
        boxes = [[set(np.flatnonzero(part).tolist()) for part in box] for box in rule.insides]
        rows = [tuple(row) for row in codes.tolist()]
        wanted = slow_tree(order, [boxes], rows, k=2, choice="tfidf", ties="order")
        tree, targets = SplitTree.of(codes, np.ones(30), ups), RuleTargets.of([rule.insides], ups)
        made = split_down(tree, k=2, choice="tfidf", targets=targets, idf="split")
        levels = {row: tuple(level) for row, level in zip(rows, made.levels.tolist(), strict=True)}
        assert levels == {row: level for level, members in wanted for row in members}
