"""Both ways to find fitting pairs find the same."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest

from tokumei.assessment.candidate_sets import CandidateSearch
from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.purchase_pairs import fitting_pairs
from tokumei.assessment.rough_knowledge import KnownColumnCodes
from tokumei.core.scenario import ColumnKnowledge


def listed(parts: Iterator[tuple[np.ndarray, np.ndarray]]) -> list[tuple[int, int]]:
    return [
        (int(left), int(right))
        for classes, vectors in parts
        for left, right in zip(classes, vectors, strict=True)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_pairs_of_sets_equal_those_of_all_comparisons(seed: int) -> None:
    generator = np.random.default_rng(seed)
    names = [f"i{n}" for n in range(12)]
    original = pl.Series("item", generator.choice(names, 80))
    cells = []
    for value in original.to_list():
        members = sorted({value, *generator.choice(names, int(generator.integers(0, 5))).tolist()})
        cells.append(members[0] if len(members) == 1 else "{" + ";".join(members) + "}")
    codes = ColumnCodes.of(original, pl.Series("item", cells), None)
    known = KnownColumnCodes.of(codes, ColumnKnowledge("item"), None)
    search = CandidateSearch([known], np.arange(80), np.arange(80))
    expected = set(listed(search.pairs()))
    found = listed(fitting_pairs(search))
    assert set(found) == expected
    assert len(found) == len(expected)
