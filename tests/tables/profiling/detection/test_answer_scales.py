"""Tests of tokumei.tables.profiling.detection.answer_scales."""

from __future__ import annotations

import random

import polars as pl

from tokumei.tables.profiling.profiler import look

QUESTION = ("Q15_age", "Q15_income", "Q15_cost")


def survey(names: tuple[str, ...], last: int = 5) -> pl.DataFrame:
    draw = random.Random(1)
    columns = {name: [draw.randint(1, last) for _ in range(300)] for name in names}
    return pl.DataFrame({"city": [draw.choice("ABC") for _ in range(300)], **columns})


def test_parts_of_a_question_are_scores_whatever_they_are_about() -> None:
    found = look(survey(QUESTION))
    assert [found[name].type for name in QUESTION] == ["score"] * 3
    assert found["Q15_age"].role == "sensitive"
    assert "3 parts" in found["Q15_age"].reason.show("en")


def test_two_columns_are_no_scale() -> None:
    assert look(survey(QUESTION[:2]))["Q15_age"].type == "age"


def test_ages_beside_a_question_stay_ages() -> None:
    frame = survey(QUESTION).with_columns(Q15_age=pl.int_range(300) % 60 + 18)
    assert look(frame)["Q15_age"].type == "age"
    assert look(survey(("age", "income", "cost")))["age"].type == "age"
