"""Hierarchical Mondrian against its slow reference, for every choice of attributes."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.hierarchy_trees import tree
from support.rule_reference import slow_tree, tfidf
from tokumei.kernels.loading import uncompiled
from tokumei.kernels.mondrian import hierarchical
from tokumei.kernels.mondrian.hierarchical import (
    CHOICES,
    TIES,
    Splitting,
    Targets,
    Tree,
    split_down,
)
from tokumei.kernels.verdict import NO_CHECKS
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def random_case(seed):
    """Some hierarchies, rows of leaves, rules as lists of boxes of leaf sets."""
    chance = random.Random(seed)
    hierarchies = [Hierarchy.of(f"c{j}", tree(chance, 7)) for j in range(chance.randint(1, 3))]
    leaves = [range(len(h.leaves)) for h in hierarchies]

    def box():
        return tuple(set(chance.sample(own, chance.randint(1, len(own)))) for own in leaves)

    rows = [tuple(map(chance.choice, leaves)) for _ in range(chance.randint(1, 24))]
    rules = [[box() for _ in range(chance.randint(1, 2))] for _ in range(chance.randint(1, 3))]
    return hierarchies, rows, rules


cases = st.integers(0, 2**32).map(random_case)


def ups(hierarchies):
    return [hierarchy.up for hierarchy in hierarchies]


def targets_of(rules, hierarchies):
    def mask(wanted, hierarchy):
        return np.isin(np.arange(len(hierarchy.leaves)), list(wanted))

    masks = [[list(map(mask, box, hierarchies)) for box in rule] for rule in rules]
    return Targets.of(masks, ups(hierarchies))


@settings(max_examples=300)
@given(case=cases, k=st.integers(1, 4), choice=st.sampled_from(CHOICES), ties=st.sampled_from(TIES))
def test_the_classes_are_those_of_the_slow_tree(case, k, choice, ties):
    hierarchies, rows, rules = case
    counted = Counter(rows)
    codes, counts = np.array(list(counted)), np.array(list(counted.values()))
    targets = targets_of(rules, hierarchies)
    tree = Tree.of(codes, counts, ups(hierarchies))
    made = split_down(tree, k=k, choice=choice, targets=targets, ties=ties)
    found = defaultdict(list)
    for t, row in enumerate(counted):
        found[made.classes[t], tuple(made.levels[t].tolist())] += [row] * counted[row]
    wanted = slow_tree(hierarchies, rules, rows, k=k, choice=choice, ties=ties)
    assert sorted((levels, tuple(sorted(m))) for (_, levels), m in found.items()) == sorted(wanted)


@given(case=cases, k=st.integers(1, 3))
def test_every_class_has_k_rows_and_one_node_per_column(case, k):
    hierarchies, rows, _ = case
    codes = np.array(rows)
    if len(rows) < k:
        return
    made = split_down(Tree.of(codes, np.ones(len(rows)), ups(hierarchies)), k=k, choice="ncp")
    assert np.bincount(made.classes).min() >= k
    for j, hierarchy in enumerate(hierarchies):
        nodes = hierarchy.up[made.levels[:, j], codes[:, j]]
        pairs = set(zip(made.classes, made.levels[:, j], nodes, strict=True))
        assert len(pairs) == len(set(made.classes))


SEX = Hierarchy.of("sex", [["m", "*"], ["f", "*"]])
SIZE = Hierarchy.of("size", [["1", "low", "*"], ["2", "low", "*"], ["3", "high", "*"]])


def test_tfidf_by_hand(monkeypatch):
    """Two groups; rule 0 targets one, rule 1 both: log 2 · ½ in one group, halved by the mean."""
    rules = [[({0}, {0, 1, 2})], [({0, 1}, {0})]]
    regions = [[{0}, {0, 1, 2}], [{1}, {0, 1, 2}]]
    assert tfidf(rules, regions) == pytest.approx(np.log(2) / 2 / 2)
    targets = targets_of(rules, [SEX, SIZE])
    # nodes in order: m f * | 1 2 3 | low high | *
    monkeypatch.setenv("TOKUMEI_KERNELS", "uncompiled")
    tree = Tree.of(np.array([[0, 0]]), np.ones(1), ups([SEX, SIZE]))
    made = Splitting(np.zeros(1, np.int64), tree.heights[None])
    group = hierarchical._splitting(tree, targets, NO_CHECKS, made, (1, 0, 0))
    group.at[:], group.children[:2], group.distinct = (2, 8), (0, 1), 2
    assert uncompiled("classes")._tfidf(group, 0) == pytest.approx(np.log(2) / 4)


def test_ties_go_to_the_first_attribute_or_to_the_larger_gain_in_prec():
    codes, counts = np.array([[0, 0], [0, 2], [1, 0], [1, 2]]), np.ones(4)
    tree = Tree.of(codes[:, ::-1], counts, ups([SIZE, SEX]))
    nobody = targets_of([[({0, 1, 2}, {0, 1})]], [SIZE, SEX])
    first = split_down(tree, k=2, choice="tfidf", targets=nobody)
    assert first.levels.tolist() == [[0, 1]] * 4
    prec = split_down(tree, k=2, choice="tfidf", targets=nobody, ties="prec")
    assert prec.levels.tolist() == [[2, 0]] * 4


def test_a_rule_keeps_its_attribute():
    codes, counts = np.array([[0, 0], [0, 2], [1, 0], [1, 2]]), np.ones(4)
    small = targets_of([[({0, 1}, {0, 1})]], [SEX, SIZE])
    made = split_down(Tree.of(codes, counts, ups([SEX, SIZE])), k=2, choice="tfidf", targets=small)
    assert made.levels.tolist() == [[1, 0]] * 4
