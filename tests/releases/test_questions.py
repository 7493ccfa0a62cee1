"""Tests of tokumei.releases.questions."""

from __future__ import annotations

import polars as pl

from releases.people import decide, people_frame
from tokumei.apps.cli.release_questions import apply_option
from tokumei.releases.questions import MAX_QUESTIONS, ReleaseQuestion, build_questions
from tokumei.releases.request import ReleaseTable


def questions(
    frame: pl.DataFrame, request: ReleaseTable | None = None
) -> dict[str, ReleaseQuestion]:
    request = ReleaseTable() if request is None else request
    source, decisions = decide(frame, request)
    return {question.code: question for question in build_questions(source, decisions, request)}


def messy_frame() -> pl.DataFrame:
    rows = 300
    return people_frame(rows).with_columns(
        pl.Series("avgsal", [10_000 + n * 7919 % 90_000 for n in range(rows)]),
        pl.Series("remarks", [f"Call me at 090-1234-{n:04}, please" for n in range(rows)]),
        pl.Series("visit", [f"{n % 12 + 1:02}/{n % 11 + 1:02}/2024" for n in range(rows)]),
    )


def test_at_most_five_questions_cover_everything_that_is_open() -> None:
    asked = questions(messy_frame())
    assert {*asked} == {"date-order", "known", "identifying", "free-text", "answers"}
    assert len(asked) <= MAX_QUESTIONS
    assert asked["identifying"].columns == ("avgsal",)
    assert asked["free-text"].columns == ("remarks",)
    assert asked["answers"].columns == ("q1", "q2", "q3", "q4", "q5", "q6")


def test_every_option_that_is_printed_answers_its_question() -> None:
    for code, question in questions(messy_frame()).items():
        for text in question.options:
            assert code not in questions(messy_frame(), apply_option(ReleaseTable(), text)), text


def test_the_answer_that_is_taken_changes_no_decision() -> None:
    for question in questions(messy_frame()).values():
        _, before = decide(messy_frame())
        _, after = decide(messy_frame(), apply_option(ReleaseTable(), question.taken))
        assert dict(before.treatments) == dict(after.treatments)


def test_the_document_has_the_keys_of_the_contract() -> None:
    for question in questions(messy_frame()).values():
        assert {"column", "text", "option", "taken"} <= {*question.to_dict()}


def test_a_table_in_which_nothing_is_open_asks_about_what_is_known_only() -> None:
    frame = people_frame().drop("q1", "q2", "q3", "q4", "q5", "q6")
    assert {*questions(frame)} == {"known"}
    assert questions(frame, ReleaseTable(recipient="public")) == {}
