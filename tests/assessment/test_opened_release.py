"""Who is a person, which rows are linked, and a release after a change."""

from __future__ import annotations

import numpy as np
import polars as pl
from tests.assessment.small_releases import open_frames

from tokumei.assessment.opened_release import method_names

FRAME = pl.DataFrame({"uid": ["b", None, "a", None, "b"], "town": ["x", "y", "x", "z", "z"]})


def test_a_row_without_a_person_is_a_person_of_its_own() -> None:
    opened = open_frames(FRAME, FRAME.drop("uid"), person="uid")
    people = opened.original_people
    assert people[0] == people[4]
    assert len(np.unique(people)) == 4
    assert (opened.unit, opened.counts_people) == ("people", True)


def test_released_people_are_numbered_without_those_deleted() -> None:
    opened = open_frames(FRAME, FRAME.drop("uid")[[4, 3, 0]], link=[4, 3, 0], person="uid")
    assert sorted(opened.released_people.tolist()) in ([0, 0, 1], [0, 1, 1])
    assert opened.released_people[0] == opened.released_people[2]


def test_rows_are_counted_if_nobody_says_who_is_a_person() -> None:
    for person in (None, "none"):
        opened = open_frames(FRAME, person=person)
        assert opened.released_people.tolist() == [0, 1, 2, 3, 4]
        assert opened.unit == "rows"


def test_a_column_with_one_word_per_person_links_rows() -> None:
    original = FRAME.drop_nulls()
    people = original.select("town")
    telling = people.with_columns(code=pl.Series(["k", "l", "k"]))
    mixed = people.with_columns(code=pl.Series(["k", "k", "l"]))
    assert open_frames(original, telling, person="uid").links_rows
    assert not open_frames(original, mixed, person="uid").links_rows
    assert not open_frames(original, people, person="uid").links_rows
    assert not open_frames(original, telling, person="none").links_rows


def test_changed_and_dropped_columns_leave_the_others_as_they_were() -> None:
    opened = open_frames(FRAME)
    changed = opened.with_cells({"town": pl.Series("town", ["*"] * 5), "uid": None})
    assert changed.released.schema.names == ["town"]
    assert changed.columns["town"].is_constant
    assert not opened.columns["town"].is_constant


def test_rows_that_are_left_out_take_their_links_along() -> None:
    left = open_frames(FRAME, FRAME[::-1], link=[4, 3, 2, 1, 0]).with_rows(np.array([0, 3]))
    assert left.link is not None
    assert left.link.tolist() == [4, 1]
    assert left.released.frame["town"].to_list() == ["z", "y"]
    assert len(left.columns["town"].cell_code) == 2


def test_methods_that_exchange_values_are_known_by_name() -> None:
    from dataclasses import replace

    opened = open_frames(FRAME)
    assert method_names([{"method": "mondrian"}, {"name": "swap"}]) == ("mondrian", "swap")
    assert replace(opened, methods=("mondrian", "swap")).is_perturbed
    assert not replace(opened, methods=("mondrian",)).is_perturbed
