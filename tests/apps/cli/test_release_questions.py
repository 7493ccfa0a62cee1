"""Tests of tokumei.apps.cli.release_questions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from releases.people import people_file, table_request
from tokumei.apps.cli.release_questions import apply_option, ask_owner
from tokumei.core.errors import UsageError
from tokumei.releases.request import ReleaseTable
from tokumei.tables.services.requests import TableRequest


def typing(*answers: str) -> Callable[[str], str]:
    """Somebody who types these answers, then Enter."""
    waiting = iter(answers)
    return lambda prompt: next(waiting, "")


def test_enter_takes_the_safe_defaults(tmp_path: Path, capsys: Any) -> None:
    request = table_request(people_file(tmp_path))
    answered, _, questions = ask_owner(request, typing())
    assert answered.knows == ("sex", "age", "state")
    shown = capsys.readouterr().err
    assert all(question.text.show() in shown for question in questions)


def test_a_number_chooses_an_option_and_an_option_can_be_typed(tmp_path: Path) -> None:
    request = table_request(people_file(tmp_path))
    answered, _, questions = ask_owner(request, typing("--knows sex", "1"))
    assert [question.code for question in questions] == ["known", "answers"]
    assert answered.knows == ("sex", "age", "state", "q1", "q2", "q3", "q4", "q5", "q6")


def test_a_typing_error_is_asked_again(tmp_path: Path, capsys: Any) -> None:
    request = table_request(people_file(tmp_path))
    answered, _, _ = ask_owner(request, typing("what?", "--colour red", "--knows sex"))
    assert "--colour" in capsys.readouterr().err
    assert answered.knows == ("sex", "age", "state")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("--id a,b", "id", ("a", "b")),
        ("--pass a", "passed", ("a",)),
        ("--scrub 'the text'", "scrub", ("the text",)),
        ("--person none", "person", "none"),
        ("--date-order dmy", "date_order", "dmy"),
        ("--two-digit-years 30", "two_digit_years", 30),
    ],
)
def test_options_mean_what_they_mean_on_the_command_line(
    text: str, field: str, value: object
) -> None:
    assert getattr(apply_option(ReleaseTable(), text).table, field) == value


def test_answers_add_to_what_was_said() -> None:
    request = ReleaseTable(table=TableRequest(id=("a",)))
    assert apply_option(request, "--id b").table.id == ("a", "b")
    with pytest.raises(UsageError):
        apply_option(request, "--id")
