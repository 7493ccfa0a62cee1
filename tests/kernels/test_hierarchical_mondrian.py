"""Hierarchical Mondrian against its slow reference, for every choice of attributes."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.hierarchy_trees import tree
from support.rule_reference import slow_table, slow_tree, tfidf
from tokumei.kernels.condition_checks import NO_CHECKS
from tokumei.kernels.loading import load_uncompiled
from tokumei.kernels.mondrian import hierarchical
from tokumei.kernels.mondrian.hierarchical import (
    CHOICES,
    TIES,
    RuleTargets,
    SplitClasses,
    SplitTree,
    split_down,
)
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
    return RuleTargets.of(masks, ups(hierarchies))


def classes_of(case, **how):
    hierarchies, rows, rules = case
    counted = Counter(rows)
    codes, counts = np.array(list(counted)), np.array(list(counted.values()))
    tree = SplitTree.of(codes, counts, ups(hierarchies))
    made = split_down(tree, targets=targets_of(rules, hierarchies), **how)
    found = defaultdict(list)
    for t, row in enumerate(counted):
        found[made.classes[t], tuple(made.levels[t].tolist())] += [row] * counted[row]
    return sorted((levels, tuple(sorted(m))) for (_, levels), m in found.items())


@settings(max_examples=300)
@given(case=cases, k=st.integers(1, 4), choice=st.sampled_from(CHOICES), ties=st.sampled_from(TIES))
def test_the_classes_are_those_of_the_slow_tree(case, k, choice, ties):
    hierarchies, rows, rules = case
    wanted = slow_tree(hierarchies, rules, rows, k=k, choice=choice, ties=ties)
    assert classes_of(case, k=k, choice=choice, ties=ties, idf="split") == sorted(wanted)


@settings(max_examples=60)
@given(case=cases, k=st.integers(1, 3), ties=st.sampled_from(TIES))
def test_idf_over_the_table_is_that_of_the_slow_list_of_groups(case, k, ties):
    hierarchies, rows, rules = case
    wanted = slow_table(hierarchies, rules, rows, k=k, ties=ties)
    assert classes_of(case, k=k, choice="tfidf", ties=ties) == sorted(wanted)


@settings(max_examples=60)
@given(case=cases, k=st.integers(1, 3), ties=st.sampled_from(TIES))
def test_the_mean_over_the_split_is_that_of_the_slow_list_of_groups(case, k, ties):
    hierarchies, rows, rules = case
    wanted = slow_table(hierarchies, rules, rows, k=k, ties=ties, mean_of_split=True)
    made = classes_of(case, k=k, choice="tfidf", ties=ties, idf="mean-of-split")
    assert made == sorted(wanted)


@given(case=cases, k=st.integers(1, 3))
def test_every_class_has_k_rows_and_one_node_per_column(case, k):
    hierarchies, rows, _ = case
    codes = np.array(rows)
    if len(rows) < k:
        return
    made = split_down(SplitTree.of(codes, np.ones(len(rows)), ups(hierarchies)), k=k, choice="ncp")
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
    tree = SplitTree.of(np.array([[0, 0]]), np.ones(1), ups([SEX, SIZE]))
    made = SplitClasses(np.zeros(1, np.int64), tree.heights[None])
    group = hierarchical._to_compiled(tree, targets, NO_CHECKS, made, (1, 0, 0, False, False))
    group.at[:], group.children[:2], group.distinct = (2, 8), (0, 1), 2
    assert load_uncompiled("equivalence_classes").tfidf(group, 0) == pytest.approx(np.log(2) / 4)


def test_ties_go_to_the_first_attribute_or_to_the_larger_gain_in_prec():
    codes, counts = np.array([[0, 0], [0, 2], [1, 0], [1, 2]]), np.ones(4)
    tree = SplitTree.of(codes[:, ::-1], counts, ups([SIZE, SEX]))
    nobody = targets_of([[({0, 1, 2}, {0, 1})]], [SIZE, SEX])
    first = split_down(tree, k=2, choice="tfidf", targets=nobody)
    assert first.levels.tolist() == [[0, 1]] * 4
    prec = split_down(tree, k=2, choice="tfidf", targets=nobody, ties="prec")
    assert prec.levels.tolist() == [[2, 0]] * 4


def test_a_rule_keeps_its_attribute():
    codes, counts = np.array([[0, 0], [0, 2], [1, 0], [1, 2]]), np.ones(4)
    small = targets_of([[({0, 1}, {0, 1})]], [SEX, SIZE])
    made = split_down(
        SplitTree.of(codes, counts, ups([SEX, SIZE])), k=2, choice="tfidf", targets=small
    )
    assert made.levels.tolist() == [[1, 0]] * 4


def test_one_sex_keeps_height_and_the_other_birth():
    """Rule `male`; five bands of height, six of birth: the form of the paper's Table 8.

    Root: sex ½·ln 2. Men (2 groups, 1 targeted): height 5/6·ln 6/5 beats birth 6/7·ln 7/6. Women
    (6 groups, 5 targeted): birth 5/11·ln 11/5 beats height ½·ln 2.
    """
    height = Hierarchy.of("height", [[f"h{i}", "*"] for i in range(5)])
    birth = Hierarchy.of("birth", [[f"b{i}", "*"] for i in range(6)])
    rows = [(s, b, h) for s in range(2) for b in range(6) for h in range(5)]
    case = [SEX, birth, height], rows, [[({0}, set(range(6)), set(range(5)))]]
    made = classes_of(case, k=5, choice="tfidf")
    assert Counter((levels, {row[0] for row in rows} == {0}) for levels, rows in made) == {
        ((0, 1, 0), True): 5,
        ((0, 0, 1), False): 6,
    }
    alone = classes_of(case, k=5, choice="tfidf", idf="split")
    assert {levels for levels, _ in alone} == {(0, 0, 1)}
