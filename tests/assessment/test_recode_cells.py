"""Coarser cells: round steps, ranges from value to value, sets of rare values."""

from __future__ import annotations

from datetime import date

import pytest
from tests.assessment.small_releases import column

from tokumei.assessment.recode_cells import coarsen, is_ordered, nice_step, set_text, top_code


def test_numbers_are_put_into_ranges_of_a_round_step() -> None:
    # 11 / 2 groups: step 5. 20 to 24, 25 to 29, 30 to 34; each range ends at its own values.
    cells = coarsen(column([20, 23, 25, 28, 31]), 2)
    assert cells is not None
    assert cells.to_list() == ["[20;23]", "[20;23]", "[25;28]", "[25;28]", "31"]


def test_frequent_words_stay_and_the_others_become_one_set() -> None:
    cells = coarsen(column(["a", "c", "a", "b", "d", "a"]), 2)
    assert cells is not None
    assert cells.to_list() == ["a", "{b;c;d}", "a", "{b;c;d}", "{b;c;d}", "a"]
    assert coarsen(column(["a", "a", "b"]), 2) is None


@pytest.mark.parametrize(
    ("width", "groups", "is_date", "step"),
    [
        (11, 2, False, 5),
        (100, 10, False, 10),
        (0.9, 4, False, 0.25),
        (0, 4, False, 0),
        (365, 10, True, 30),
        (30, 4, True, 7),
    ],
)
def test_steps_are_round(width: float, groups: int, is_date: bool, step: float) -> None:
    assert nice_step(width, groups, is_date) == pytest.approx(step)


def test_the_highest_five_percent_become_one_range() -> None:
    cells = top_code(column(list(range(1, 41))))
    assert cells is not None
    assert cells.to_list() == [*map(str, range(1, 39)), "[39;40]", "[39;40]"]


def test_a_single_highest_value_is_no_range() -> None:
    assert top_code(column(list(range(1, 21)))) is None
    assert top_code(column(["a", "b"])) is None


@pytest.mark.parametrize(
    ("members", "text"),
    [
        (["b"], "b"),
        (["a", "b"], "{a;b}"),
        (["a;b", "c"], "*"),
        ([str(n) for n in range(12)], "{" + ";".join(map(str, range(12))) + "}"),
        ([str(n) for n in range(13)], "*"),
    ],
)
def test_sets_are_small_and_can_be_read_again(members: list[str], text: str) -> None:
    assert set_text(members) == text


def test_only_numbers_and_days_have_ranges() -> None:
    assert is_ordered(column([1, None, 2]))
    assert is_ordered(column([date(2024, 1, 1), date(2024, 2, 1)]))
    assert not is_ordered(column(["a", "b"]))
    assert not is_ordered(column(["1", "b"]))
