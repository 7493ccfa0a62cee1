"""The door of what makes classes is closed: a wrong call raises."""

import numpy as np
import pytest

from support.kernel_problems import random_checks, random_lines, random_merging
from tokumei.kernels.condition_checks import NO_CHECKS, check_classes
from tokumei.kernels.local_recoding.class_merging import merge
from tokumei.kernels.mondrian.hierarchical import SplitTree, split_down
from tokumei.kernels.mondrian.hierarchy_free import cut_up


def test_wrong_calls_raise():
    random = np.random.default_rng(1)
    checks, columns = random_checks(random, 4), random_lines(random, 2, 3)
    codes, counts = np.array([[0, 0], [1, 2], [2, 1]]), np.ones(3, int)
    with pytest.raises(ValueError, match="codes"):
        cut_up(codes + 1, counts, columns, k=1, cut="gain")
    with pytest.raises(ValueError, match="counts"):
        cut_up(codes, counts[:2], columns, k=1, cut="gain")
    with pytest.raises(ValueError, match="k:"):
        cut_up(codes, counts, columns, k=0, cut="gain")
    with pytest.raises(ValueError, match="values"):
        check_classes(checks._replace(values=checks.values + 9), np.zeros(4, int))
    with pytest.raises(ValueError, match="table"):
        check_classes(checks._replace(table=checks.table + 1), np.zeros(4, int))
    tree = SplitTree.of(codes, counts, [np.array([[0, 1, 2], [0, 0, 0]])] * 2)
    with pytest.raises(ValueError, match="codes"):
        split_down(tree._replace(codes=tree.codes + 1), k=1, choice="ncp")
    with pytest.raises(ValueError, match="up"):
        split_down(tree._replace(up=tree.up[:-1].copy()), k=1, choice="ncp")
    trees, merging = random_merging(1)
    failing = np.ones(len(merging.rows), np.bool_)
    for wrong in ({"first": merging.first + 99}, {"leaf": merging.leaf + 99}):
        with pytest.raises(ValueError):  # noqa: PT011
            merge(trees, merging._replace(**wrong), NO_CHECKS, failing, 0)
