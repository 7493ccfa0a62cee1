"""A problem with its place, and a line below another one."""

from __future__ import annotations

from tokumei.core.message_lines import indent_message, locate_problem
from tokumei.core.messages import Message

PROBLEM = Message("column '{column}' is empty", column="age")


def test_a_problem_stands_behind_its_place() -> None:
    assert locate_problem(PROBLEM, "a.csv").show("en") == "a.csv: column 'age' is empty"


def test_a_problem_without_a_place_stands_alone() -> None:
    assert locate_problem(PROBLEM, "") is PROBLEM


def test_a_line_is_indented_in_every_language() -> None:
    assert {*indent_message(Message.verbatim("age")).texts().values()} == {"  age"}
