"""Pairs of a class of released rows and a vector of what is known that fit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.assessment.small_releases import known

from tokumei.assessment import candidate_sets
from tokumei.assessment.candidate_sets import CandidateSearch

AGES = [20, 22, 22, 30]


def search(*columns) -> CandidateSearch:
    rows = len(columns[0].codes.cell_code) if columns else 4
    return CandidateSearch(columns, np.arange(rows), np.arange(rows))


def pairs(found: CandidateSearch) -> list[tuple[int, int]]:
    return sorted(
        pair
        for classes, vectors in found.pairs()
        for pair in zip(classes.tolist(), vectors.tolist(), strict=True)
    )


def test_rows_with_the_same_cells_are_one_class_and_equal_targets_one_vector() -> None:
    found = search(known(AGES, ["[20;24]", "[20;24]", "[20;24]", "30"]))
    assert (found.classes, found.vectors) == (2, 3)
    young, old = found.class_of_row[[0, 3]]
    twenty, twenty_two, _, thirty = found.vector_of_target
    assert pairs(found) == sorted([(young, twenty), (young, twenty_two), (old, thirty)])


@pytest.mark.parametrize("at_once", [1, 2_000_000])
def test_pairs_are_all_that_fit_each_once(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(candidate_sets, "PAIRS_AT_ONCE", at_once)
    found = search(
        known(AGES, ["[20;22]", "[22;30]", "*", "30"], "x~15%"),
        known(["a", "b", "c", "a"], ["{a;c}", "b", "{b;c}", "*"]),
    )
    every = np.array(list(product(range(found.classes), range(found.vectors))))
    fits = found.fit(every[:, 0], every[:, 1])
    assert pairs(found) == [tuple(pair) for pair in every[fits].tolist()]
    assert 0 < fits.sum() < len(every)
    assert fits.sum() <= found.work() <= len(every)


def test_whoever_knows_nothing_cannot_tell_rows_apart() -> None:
    found = search()
    assert (found.classes, found.vectors) == (1, 1)
    assert pairs(found) == [(0, 0)]
    assert found.work() == 1
