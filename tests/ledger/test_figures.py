"""The figures of several releases, against references that look at every person."""

import numpy as np
import pytest
from tests.support.ledgers import in_all, slow_linked, slow_unlinked

from ledger.figures_samples import checked, drawn_release

LONG = [pytest.param(block, marks=pytest.mark.long) for block in range(1, 6)]


@pytest.mark.parametrize("block", [0, *LONG])
def test_five_hundred_random_ledgers_against_brute_force(block):
    for case in range(100 if block else 40):
        rng = np.random.default_rng([block, case])
        everyone = np.arange(rng.integers(2, 13))
        releases = [drawn_release(rng, everyone) for _ in range(rng.integers(1, 4))]
        found, slow = checked(releases), slow_linked(releases, 3)
        common = in_all(releases)
        assert found.linked.people == len(common)
        if slow is None:
            assert found.linked.k_min is None
            assert found.unlinked is None
            continue
        told = (found.linked.k_min, found.linked.below, found.linked.unique, found.linked.certain)
        assert told == pytest.approx(slow)
        told = {name: getattr(found.unlinked, name) for name in ("certain", "probable", "changed")}
        assert told == pytest.approx(slow_unlinked(releases))
        assert found.unlinked.truth_inside in (1.0, None)
        for one in found.pairs:
            part = slow_linked([releases[i] for i in one.releases], 3)
            if part is not None:
                assert (one.k_min, one.below, one.unique) == pytest.approx(part[:3])
        for gone in found.absent:
            first, second = releases[gone.first], releases[gone.second]
            left = [x for x in first if x[0] not in {y[0] for y in second}]
            exposed = [x for x in left if sum(y[1] == x[1] for y in left) < 3]
            assert (gone.leavers, gone.leavers_exposed) == (len(left), len(exposed))


PLANTED = {
    "crossing classes leave everyone alone": (
        [[("a", 0), ("b", 0), ("c", 1), ("d", 1)], [("a", 0), ("b", 1), ("c", 0), ("d", 1)]],
        1,
        1.0,
    ),
    "nested classes are as small as the finer": (
        [[("a", 0), ("b", 0), ("c", 0), ("d", 0)], [("a", 0), ("b", 0), ("c", 1), ("d", 1)]],
        2,
        0.0,
    ),
    "the same release twice is the single one": (
        [[("a", 0), ("b", 0), ("c", 1), ("d", 1)], [("a", 5), ("b", 5), ("c", 7), ("d", 7)]],
        2,
        0.0,
    ),
    "unions of classes keep the finest": (
        [[("a", 0), ("b", 0), ("c", 1), ("d", 1)], [("a", 0), ("b", 0), ("c", 0), ("d", 0)]],
        2,
        0.0,
    ),
    "one person is unique in the join only": (
        [
            [(p, 0) for p in "abcde"] + [(p, 1) for p in "fghij"],
            [(p, 0) for p in "abcdf"] + [(p, 1) for p in "eghij"],
        ],
        1,
        0.2,
    ),
}


@pytest.mark.parametrize("case", PLANTED)
def test_planted_classes(case):
    releases, k, unique = PLANTED[case]
    given = [[(who, c, "v", {c}) for who, c in one] for one in releases]
    found = checked(given, k=2)
    assert (found.linked.k_min, found.linked.unique) == (k, unique)


def test_a_value_that_changed_is_not_called_certain():
    first = [("a", 0, "flu", {0}), ("b", 0, "cold", {0})]
    second = [("a", 0, "hiv", {0}), ("b", 0, "none", {0})]
    found = checked([first, second])
    assert found.unlinked.changed == 1.0
    assert found.unlinked.certain == 0.0


def test_rows_in_the_same_order_are_found():
    lines = [(f"p{i}", i % 4, f"v{i % 2}", {i % 4}) for i in range(40)]
    other = [(who, (c + i // 8) % 4, v, f) for i, (who, c, v, f) in enumerate(lines)]
    tests = {one.test: one.linked for one in checked([lines, other]).linkage}
    assert tests["row-order"]
    rng = np.random.default_rng(0)
    mixed = [other[i] for i in rng.permutation(40)]
    assert not {one.test: one for one in checked([lines, mixed]).linkage}["row-order"].linked
