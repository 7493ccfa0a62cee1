"""Conditions against exact references, examples by hand, and unions of classes by brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from support.privacy_reference import NAMES, PARENTS, models, random_tables
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.tables.anonymizers.conditions.condition import (
    Condition,
    parse_condition,
)
from tokumei.tables.anonymizers.conditions.condition_forms import (
    ALPHA_SHARE,
    BASIC_BETA,
    DELTA_DISCLOSURE,
    DISTINCT_L,
    ENHANCED_BETA,
    ENTROPY_L,
    RECURSIVE_L,
    T_EQUAL,
    T_HIERARCHICAL,
    T_ORDERED,
)

TABLES = random_tables(300)


def levels(values: list[int]) -> list[list[int]]:
    """The reference hierarchy, as a condition takes it."""
    return [[sorted(set(PARENTS)).index(PARENTS[v]) for v in values], [0] * len(values)]


def holds(condition: Condition, classes: list[list[int]], totals: list[int]) -> list[bool]:
    histograms = np.array(classes)
    return condition.holds(histograms, histograms.sum(axis=1), np.array(totals)).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_each_condition_equals_its_reference_on_random_tables(name: str) -> None:
    verdicts = []
    for seed, table in enumerate(TABLES):
        model = next(m for m in models(table, seed) if m.name == name)
        text = ",".join(repr(number) for number in (model.limit, *model.extra))
        condition = parse_condition(f"{name}={text}", levels=levels(table.values))
        classes = list(table.classes.values())
        found = holds(condition, classes, table.totals)
        assert found == [model.fulfilled(counts, table) for counts in classes], (seed, text)
        verdicts += found
    assert 100 < sum(verdicts) < len(verdicts) - 100


HALF = [5, 5]


# Condition, classes, totals, and what must come out.
BY_HAND = [
    # three values in the first class, one in the second
    (Condition(DISTINCT_L, (3,)), [[1, 1, 1], [3, 0, 0]], [4, 1, 1], [True, False]),
    # uniform over 3: entropy ln 3 exactly; (1/2, 1/4, 1/4): 1.5 ln 2 = 1.0397 < ln 3 = 1.0986
    (Condition(ENTROPY_L, (3,)), [[2, 2, 2], [2, 1, 1]], [4, 3, 3], [True, False]),
    # (2, 1, 1): 1.0397 ≥ ln 2.8 = 1.0296
    (Condition(ENTROPY_L, (2.8,)), [[2, 1, 1]], [2, 1, 1], [True]),
    # l = 2, c = 2: 3 < 2·(1 + 1) = 4; 4 < 2·2 is false (strict); one value: 3 < 0 is false
    (
        Condition(
            RECURSIVE_L,
            (
                2,
                2,
            ),
        ),
        [[3, 1, 1], [4, 1, 1], [3, 0, 0]],
        [10, 2, 2],
        [True, False, False],
    ),
    # 0.1 · 30 = 3.0000000000000004 in floating point, but 3 < 3 is false
    (
        Condition(
            RECURSIVE_L,
            (
                0.1,
                2,
            ),
        ),
        [[3] * 11],
        [3] * 11,
        [False],
    ),
    # shares 1/2 and 3/5 against 1/2
    (Condition(ALPHA_SHARE, (0.5,)), [[1, 1], [3, 2]], [4, 3], [True, False]),
    # p = (1, 0), q = (1/2, 1/2): ½(½ + ½) = 1/2; p = (3/5, 2/5): 1/10
    (Condition(T_EQUAL, (0.1,)), [[2, 0], [3, 2]], HALF, [False, True]),
    (Condition(T_EQUAL, (0.5,)), [[2, 0]], HALF, [True]),
    # q uniform over 3, p = (1, 0, 0): cumulated differences 2/3, 1/3, 0; their sum / 2 = 1/2
    (Condition(T_ORDERED, (0.5,)), [[1, 0, 0]], [1, 1, 1], [True]),
    (Condition(T_ORDERED, (0.499,)), [[1, 0, 0], [0, 1, 0]], [1, 1, 1], [False, True]),
    # a column without rows is no value: m = 2, the distance 1/2 (with m = 3 it would be 1/4)
    (Condition(T_ORDERED, (0.4,)), [[1, 0, 0]], [1, 1, 0], [False]),
    # values 0, 1 | 2, 3 under two nodes, q uniform, p = (1/2, 0, 1/2, 0): two moves of 1/4 within
    # a node cost ½·½ = 1/4; p = (1/2, 1/2, 0, 0): ½ moves over the root, cost 1/2
    (
        Condition(T_HIERARCHICAL, (0.25,), ((0, 0, 1, 1), (0, 0, 0, 0))),
        [[1, 0, 1, 0], [1, 1, 0, 0]],
        [1, 1, 1, 1],
        [True, False],
    ),
    # q = (1/4, 3/4), p = (1/2, 1/2): gain (1/2 − 1/4)/(1/4) = 1; p = 2/3: (2/3 − 1/4)·4 = 5/3
    (Condition(BASIC_BETA, (1,)), [[1, 1], [2, 1]], [5, 15], [True, False]),
    # q = 1/2: −ln q = 0.693; p = 4/5: gain 0.6; p = 7/8: gain 0.75, below β = 1 but not below 0.693
    (Condition(ENHANCED_BETA, (1,)), [[4, 1], [7, 1]], HALF, [True, False]),
    (Condition(BASIC_BETA, (1,)), [[4, 1], [7, 1]], HALF, [True, True]),
    # a value of every row: q = 1, p = 1, gain 0 = −ln 1
    (Condition(ENHANCED_BETA, (1,)), [[3]], [9], [True]),
    # q = 1/2, p = (1/4, 3/4): ln ½ = −0.693, strictly between −ln 2 and ln 2 it is not
    (Condition(DELTA_DISCLOSURE, (math.log(2),)), [[1, 3], [2, 3]], HALF, [False, True]),
    # a value that the class lacks is not looked at: p = (1, 0), ln 2 = 0.693 < 0.7
    (Condition(DELTA_DISCLOSURE, (0.7,)), [[2, 0]], HALF, [True]),
]


@pytest.mark.parametrize(("condition", "classes", "totals", "expected"), BY_HAND)
def test_examples_by_hand(
    condition: Condition, classes: list[list[int]], totals: list[int], expected: list[bool]
) -> None:
    assert holds(condition, classes, totals) == expected


@pytest.mark.parametrize("l", range(2, 60))
def test_uniform_values_reach_the_entropy_of_their_number(l: int) -> None:  # noqa: E741
    for times in (1, 3, 7, 1000):
        assert holds(Condition(ENTROPY_L, (l,)), [[times] * l], [times] * l) == [True]
        assert holds(Condition(ENTROPY_L, (l,)), [[times + 1] + [times] * (l - 1)], [9999] * l) == [
            False
        ]


CONDITIONS: dict[str, Condition] = {
    "l": Condition(DISTINCT_L, (3,)),
    "entropy-l": Condition(ENTROPY_L, (2.2,)),
    "recursive": Condition(
        RECURSIVE_L,
        (
            1.5,
            2,
        ),
    ),
    "alpha": Condition(ALPHA_SHARE, (0.6,)),
    "t": Condition(T_EQUAL, (0.4,)),
    "t-ordered": Condition(T_ORDERED, (0.3,)),
    "t-hierarchical": Condition(T_HIERARCHICAL, (0.35,), ((0, 0, 1, 1), (0, 0, 0, 0))),
    "beta": Condition(BASIC_BETA, (1.5,)),
    "enhanced-beta": Condition(ENHANCED_BETA, (1.5,)),
    "delta": Condition(DELTA_DISCLOSURE, (0.9,)),
}


def broken_unions(condition: Condition, pairs: int = 40_000) -> tuple[int, int]:
    """Pairs of random classes of one file that both hold, and those whose union does not."""
    rng = np.random.default_rng(1)
    totals = np.array([7, 12, 20, 33])
    left, right = rng.integers(0, 4, (2, pairs, 4)) * rng.integers(0, 2, (2, pairs, 4))
    parts = [condition.holds(n, n.sum(axis=1), totals) for n in (left, right)]
    both = parts[0] & parts[1] & (left.sum(axis=1) > 0) & (right.sum(axis=1) > 0)
    union = condition.holds(left + right, (left + right).sum(axis=1), totals)
    return int(both.sum()), int((both & ~union).sum())


@pytest.mark.parametrize("name", CONDITIONS)
def test_unions_of_classes_hold_if_and_only_if_the_condition_says_so(name: str) -> None:
    both, broken = broken_unions(CONDITIONS[name])
    assert both > 500
    assert (broken == 0) == CONDITIONS[name].form.monotone


def test_delta_disclosure_can_be_lost_by_merging() -> None:
    """q = (4/15, 11/15). p/q of (1, 2): 1.25 and 0.909; (0, 6): 1.364; (3, 3): 1.875 and 0.682.

    All within e^±0.7 = 0.497 … 2.014; the union (1, 8) has (1/9)/(4/15) = 0.417.
    """
    assert holds(
        Condition(DELTA_DISCLOSURE, (0.7,)), [[1, 2], [0, 6], [3, 3], [1, 8]], [4, 11]
    ) == [True] * 3 + [False]


@pytest.mark.parametrize("name", CONDITIONS)
def test_an_empty_class_holds_and_no_class_is_no_failure(name: str) -> None:
    assert holds(CONDITIONS[name], [[0, 0, 0, 0]], [1, 2, 3, 4]) == [True]
    none = np.zeros((0, 4), dtype=np.int64)
    assert CONDITIONS[name].holds(none, np.zeros(0, dtype=np.int64), np.ones(4)).tolist() == []


@pytest.mark.parametrize("name", CONDITIONS)
def test_the_whole_file_is_as_close_to_itself_as_can_be(name: str) -> None:
    whole = [[70, 120, 200, 330]]
    assert holds(CONDITIONS[name], whole, whole[0]) == [True]


def test_narrow_counts_do_not_overflow() -> None:
    counts = np.array([[30_000, 20_000]], dtype=np.int32)
    totals = np.array([300_000, 200_000], dtype=np.int32)
    for condition in (
        Condition(BASIC_BETA, (0.01,)),
        Condition(T_EQUAL, (0,)),
        Condition(T_ORDERED, (0,)),
        Condition(DELTA_DISCLOSURE, (0.01,)),
    ):
        assert condition.holds(counts, np.array([50_000], dtype=np.int32), totals).all()


def test_counts_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="a row per size and a column per total"):
        Condition(DISTINCT_L, (2,)).holds(np.ones((2, 3)), np.array([3, 3]), np.array([2, 2]))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("l=3", Condition(DISTINCT_L, (3,))),
        ("entropy-l=2.5", Condition(ENTROPY_L, (2.5,))),
        (
            "recursive=3,2",
            Condition(
                RECURSIVE_L,
                (
                    3,
                    2,
                ),
            ),
        ),
        (
            " recursive = 0.5 , 3 ",
            Condition(
                RECURSIVE_L,
                (
                    0.5,
                    3,
                ),
            ),
        ),
        ("alpha=0.5", Condition(ALPHA_SHARE, (0.5,))),
        ("t=0.2", Condition(T_EQUAL, (0.2,))),
        ("t-ordered=0.2", Condition(T_ORDERED, (0.2,))),
        ("beta=1", Condition(BASIC_BETA, (1,))),
        ("enhanced-beta=1", Condition(ENHANCED_BETA, (1,))),
        ("delta=1.5", Condition(DELTA_DISCLOSURE, (1.5,))),
    ],
)
def test_text_becomes_a_condition(text: str, condition: Condition) -> None:
    assert parse_condition(text) == condition


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("l", "'l' is not a condition; write it like l=2"),
        ("l=", "write it like l=2"),
        ("l=2.5", r"write it like l=2 \(l is a whole number\)"),
        ("l=1", "l: 1 is not a whole number of at least 2"),
        ("recursive=3", "write it like recursive=0.5,2"),
        ("recursive=3,2,1", "write it like recursive=0.5,2"),
        ("recursive=0,2", "recursive: 0 is not a number above 0"),
        ("recursive=2,1", "recursive: 1 is not"),
        ("entropy-l=1", "entropy-l: 1 is not a number above 1"),
        ("entropy-l=nan", "entropy-l: nan is not"),
        ("alpha=1", "alpha: 1 is not above 0 and below 1"),
        ("t=1", "t: 1 is not at least 0 and below 1"),
        ("t=-0.1", "t: -0.1 is not"),
        ("t=x", "write it like t=0.5"),
        ("t-hierarchical=0.2", "needs a hierarchy"),
        ("beta=0", "beta: 0 is not"),
        ("enhanced-beta=inf", "enhanced-beta: inf is not"),
        ("delta=0", "delta: 0 is not"),
    ],
)
def test_text_that_is_no_condition(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_condition(text)


def test_an_unknown_condition_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'entropy-l'"):
        parse_condition("entropy=3")


def test_a_hierarchy_that_is_none_is_refused() -> None:
    for bad in ((), ((0, 0, 1), (0, 1, 1)), ((0, 0, 1), (0, 1, 0), (0, 0, 0))):
        with pytest.raises(UsageError, match="nested and end in one root"):
            Condition(T_HIERARCHICAL, (0.2,), bad)
