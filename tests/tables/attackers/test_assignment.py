"""One-to-one answers cost as little as the best permutation, tried out one by one."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.boxes import number_boxes
from support.small_tables import Small, chances, covers, same_text, small_tables
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers import assignment
from tokumei.tables.data.guess import ABSTAIN, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.registry import attackers

RNG = Randomness(1)
CASES = st.one_of(
    small_tables(rows=6), small_tables(rows=6, sa_columns=1), small_tables(rows=6, change_qi=False)
)


def cheapest(cost: list[list[float]]) -> float:
    """The least total over all ways to give every row its own column, as far as they go."""
    rows, columns = len(cost), len(cost[0])
    if rows > columns:
        return cheapest([list(column) for column in zip(*cost, strict=True)])
    return min(
        sum(cost[i][j] for i, j in enumerate(chosen))
        for chosen in itertools.permutations(range(columns), rows)
    )


def sets_of(case: Small, aware: bool) -> dict[tuple[int, ...], list[int]]:
    """Released rows by their candidate set; those without a match share the set of everyone."""
    sets: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(case.released):
        sets[_candidates(case, row, aware)].append(number)
    return sets


def _candidates(case: Small, row: list[Any], aware: bool) -> tuple[int, ...]:
    def fits(origin: list[Any]) -> bool:
        if not aware:
            return same_text(case.qi_of(row), case.qi_of(origin))
        return all(map(covers, case.qi_of(row), case.qi_of(origin)))

    everyone = range(len(case.original))
    return tuple(i for i in everyone if fits(case.original[i]))


def distance(case: Small, released: int, origin: int) -> float:
    pairs = zip(case.sa_of(case.released[released]), case.sa_of(case.original[origin]), strict=True)
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs))


@pytest.mark.parametrize("dense", [10**6, 0])  # solved exactly, or on the nearest neighbours
@given(CASES)
def test_every_set_is_assigned_at_the_least_cost(dense: int, case: Small) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "DENSE", dense)
        attacker = attackers.build("EUC1", {"assign": True})
        guess = attacker.attack(case.y(), Knowledge(case.x()), rng=RNG)
    found = chances(guess, len(case.released), len(case.original))
    for candidates, members in sets_of(case, aware=False).items():
        if candidates:
            _check_set(case, candidates, members, found)
        else:
            assert [found[i].index(1.0) for i in members] == members


def _check_set(
    case: Small, candidates: tuple[int, ...], members: list[int], found: list[list[float]]
) -> None:
    cost = [[distance(case, i, j) for j in candidates] for i in members]
    count = min(len(candidates), len(members))
    sure = [i for i in members if max(found[i]) == 1.0]
    assert len(sure) >= count
    # Rows that no candidate is left for keep their nearest rows: the best choice of `count` sure
    # ones must be one-to-one at the least cost.
    totals = [
        sum(distance(case, i, found[i].index(1.0)) for i in chosen)
        for chosen in itertools.combinations(sure, count)
        if len({found[i].index(1.0) for i in chosen}) == count
    ]
    assert any(math.isclose(total, cheapest(cost), abs_tol=1e-9) for total in totals)


@settings(max_examples=50)
@given(CASES)
def test_both_solvers_cost_the_same(case: Small) -> None:
    everyone = Small(case.qi, case.sa, case.original, case.released, case.link)
    known, low = (t.numbers(case.sa) for t in (everyone.x(), everyone.y()))
    rows = np.arange(len(known))
    totals = []
    for solve in (assignment._assign_exactly, assignment._assign_by_neighbours):
        answers = solve(number_boxes(known, low, low), rows, np.arange(len(low)))
        assert len(set(answers.tolist())) == len(answers)
        totals.append(float(np.linalg.norm(known[answers] - low, axis=1).sum()))
    cost = [[float(np.linalg.norm(k - y)) for k in known] for y in low]
    assert totals == pytest.approx([cheapest(cost)] * 2)


def test_more_rows_than_candidates_leave_some_without() -> None:
    known = np.array([[0.0], [10.0]])
    low = np.array([[1.0], [9.0], [11.0]])
    for solve in (assignment._assign_exactly, assignment._assign_by_neighbours):
        answers = solve(number_boxes(known, low, low), np.arange(2), np.arange(3))
        assert sorted(answers.tolist()) == [ABSTAIN, 0, 1]
        assert answers[0] == 0


def test_intervals_and_stars_are_assigned_by_their_box() -> None:
    known = np.array([[0.0], [5.0], [9.0]])
    low, high = np.array([[4.0], [-np.inf], [8.0]]), np.array([[6.0], [np.inf], [8.0]])
    for solve in (assignment._assign_exactly, assignment._assign_by_neighbours):
        assert solve(number_boxes(known, low, high), np.arange(3), np.arange(3)).tolist() == [
            1,
            0,
            2,
        ]


def test_assignment_beats_the_nearest_row_when_two_want_the_same() -> None:
    x = Table.of(pl.DataFrame({"q": [1, 1], "s": [0, 10]}), qi=["q"], sa=["s"])
    y = Table.of(pl.DataFrame({"q": [1, 1], "s": [1, 4]}), qi=["q"], sa=["s"])
    truth = np.arange(2)
    rates = [
        attackers.build("EUC2", {"assign": on}).attack(y, Knowledge(x), rng=RNG).chance_of(truth)
        for on in (False, True)
    ]
    assert [rate.tolist() for rate in rates] == [[1.0, 0.0], [1.0, 1.0]]


def test_nobody_to_assign() -> None:
    """All QI changed: EUC1 has no candidates at all and answers row numbers."""
    x = Table.of(pl.DataFrame({"q": [1, 2], "s": [0, 10]}), qi=["q"], sa=["s"])
    y = Table.of(pl.DataFrame({"q": [8, 9], "s": [0, 10]}), qi=["q"], sa=["s"])
    guess = attackers.build("EUC1", {"assign": True}).attack(y, Knowledge(x), rng=RNG)
    assert guess.chance_of(np.arange(2)).tolist() == [1.0, 1.0]


def test_without_sensitive_columns_ties_stay_ties() -> None:
    """Nothing to assign by: an answer in file order would only leak that order."""
    table = Table.of(pl.DataFrame({"q": [1] * 1200}), qi=["q"], sa=[])
    guess = attackers.build("linkage").attack(table, Knowledge(table), rng=RNG)
    assert guess.chance_of(np.arange(1200)).sum() == pytest.approx(1.0)
