"""A link whose rows agree with the cells no better than others is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.assessment.small_releases import column

from tokumei.assessment.link_check import LinkCheck, check_link

HALVES = ["a", "a", "b", "b"]


def check(link: list[int], **columns: object) -> LinkCheck:
    return check_link(columns, np.array(link))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("link", "agreement", "contradictions"),
    [
        ([0, 1, 2, 3], 1.0, 0),
        ([1, 0, 3, 2], 1.0, 0),
        ([0, 2, 1, 3], 0.0, 2),  # half of the rows agree, as by chance
        ([2, 3, 0, 1], -1.0, 4),
    ],
)
def test_agreement_is_counted_beyond_chance(
    link: list[int], agreement: float, contradictions: int
) -> None:
    found = check(link, x=column(HALVES))
    assert found.agreement["x"] == pytest.approx(agreement)
    assert found.contradictions == {"x": contradictions}
    assert found.is_contradicted == (agreement < 0.5)
    assert found.contradicted_columns() == (["x"] if contradictions else [])


def test_wide_cells_agree_by_chance() -> None:
    # {a;b} holds 3 of 4 values by chance, c one of 4: (3 · 3/4 + 1/4) / 4 = 5/8.
    codes = column(["a", "a", "b", "c"], ["{a;b}", "{a;b}", "{a;b}", "c"])
    found = check([0, 1, 3, 2], x=codes)  # two of four rows agree
    assert found.agreement["x"] == pytest.approx((2 / 4 - 5 / 8) / (3 / 8))


def test_one_column_that_agrees_is_enough() -> None:
    link = [0, 2, 1, 3]
    assert not check(link, x=column(HALVES), y=column(list("abcd"), list("acbd"))).is_contradicted


def test_columns_that_say_nothing_contradict_nothing() -> None:
    suppressed, same = column(HALVES, ["*"] * 4), column(["a"] * 4)
    found = check([3, 2, 1, 0], x=suppressed, y=same)
    assert not found.agreement
    assert not found.is_contradicted


def test_moved_numbers_agree_by_distance() -> None:
    moved = column([0, 100, 200, 300], [1, 101, 201, 301])
    right, wrong = check([0, 1, 2, 3], x=moved), check([3, 2, 1, 0], x=moved)
    # Mean difference of two rows: (3 · 100 + 2 · 200 + 300) / 6 = 1000 / 6; shifted by one row:
    # |1 − 300|, 101 − 0, 201 − 100, 301 − 200 make 602 / 4.
    assert right.agreement["x"] == pytest.approx(1 - 1 / (1000 / 6))
    assert right.moved == {"x"}
    assert not right.is_contradicted
    assert wrong.is_contradicted
