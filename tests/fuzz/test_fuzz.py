"""Random odd tables and histories: no broken claim, no traceback, no changed untouched cell.

The counts per method and container are printed; `python -m fuzz --only N` runs one case again.
"""

import os

import pytest

from fuzz.__main__ import count_histories, count_tables, run_case

TABLES = int(os.environ.get("TOKUMEI_FUZZ_TABLES", "1500"))
HISTORIES = int(os.environ.get("TOKUMEI_FUZZ_HISTORIES", "500"))
PARTS = 12
"""So that the tests' processes share the work."""
FEW = 20


def test_a_few_odd_tables():
    counts = count_tables(range(FEW))
    assert counts.defects == 0, counts.text()


@pytest.mark.parametrize("number", [12552, 12928])
def test_moments_in_a_hierarchy_are_those_that_are_written(number):
    _, outcome = run_case(number)
    assert not outcome.is_defect, outcome.words


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_odd_tables(part):
    size = TABLES // PARTS
    counts = count_tables(range(part * size, (part + 1) * size))
    print(counts.text())
    assert counts.defects == 0, counts.text()
    assert counts.total["released"] > size / 3


def test_a_few_odd_histories():
    counts = count_histories(range(10))
    assert counts.defects == 0, counts.text()


@pytest.mark.long
@pytest.mark.parametrize("part", range(2))
def test_odd_histories(part):
    size = HISTORIES // 2
    counts = count_histories(range(part * size, (part + 1) * size))
    print(counts.text())
    assert counts.defects == 0, counts.text()
    assert counts.total["released"] > size / 3
