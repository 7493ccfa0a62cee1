"""Tests of tokumei.releases.known_columns."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from releases.people import people_frame
from tokumei.releases.known_columns import (
    MAX_KNOWN,
    choose_known_columns,
    find_determined_columns,
)
from tokumei.tables.profiling.profiler import look


def test_what_others_can_see_is_known_and_amounts_are_not() -> None:
    frame = people_frame()
    known = choose_known_columns(look(frame), frame, frame.columns[1:])
    assert {*known.columns} == {"sex", "age", "state"}
    assert "income" not in known.all


def test_a_square_is_known_with_its_age() -> None:
    frame = people_frame()
    known = choose_known_columns(look(frame), frame, frame.columns[1:])
    assert known.derived == {"age_squared": "age"}


def test_answers_on_one_scale_are_one_block_and_not_known() -> None:
    frame = people_frame()
    known = choose_known_columns(look(frame), frame, frame.columns[1:])
    assert known.blocks == (("q1", "q2", "q3", "q4", "q5", "q6"),)


def test_the_owner_has_the_last_word() -> None:
    frame = people_frame()
    known = choose_known_columns(look(frame), frame, frame.columns[1:], ["income"])
    assert known.columns == ("income",)
    assert known.blocks == ()


def test_at_most_eight_columns_are_known_and_the_others_are_named() -> None:
    frame = pl.DataFrame(
        {
            f"district_{n}": [f"w{i * n % 7}x" for i in range(200)]
            for n in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11)
        }
    )
    profile = look(frame)
    known = choose_known_columns(profile, frame, frame.columns)
    quasi = [column.name for column in profile.columns if column.role == "quasi"]
    assert len(quasi) > MAX_KNOWN
    assert len(known.columns) == MAX_KNOWN
    assert {*known.columns, *known.further, *known.derived} == {*quasi}


def test_flags_that_others_can_see_are_known() -> None:
    rows = 120
    frame = pl.DataFrame(
        {"black": [i % 5 == 0 for i in range(rows)], "lbw": [i % 7 == 0 for i in range(rows)]}
    ).cast(pl.Int64)
    known = choose_known_columns(look(frame), frame, frame.columns)
    assert known.columns == ("black",)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=12, max_size=60))
def test_a_column_is_determined_where_each_known_value_has_one_of_its_values(
    pairs: list[tuple[int, int]],
) -> None:
    frame = pl.DataFrame(pairs, schema=["known", "other"], orient="row")
    values = {known: {b for a, b in pairs if a == known} for known, _ in pairs}
    others = {other for _, other in pairs}
    expected = (
        all(len(found) == 1 for found in values.values())
        and len(others) >= 3
        and len(pairs) >= 2 * len(values)
    )
    assert (find_determined_columns(frame, ["known"], ["other"]) != {}) == expected
