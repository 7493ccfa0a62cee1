"""Asks the questions of a release in a terminal: Enter takes the safe default."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tokumei.core.errors import UsageError
from tokumei.core.message_lines import indent_message
from tokumei.core.messages import Message
from tokumei.core.option_parsing import split_names

if TYPE_CHECKING:
    from tokumei.releases.questions import ReleaseQuestion
    from tokumei.releases.release_table import OpenedSource
    from tokumei.releases.request import ReleaseTable


def ask_owner(
    request: ReleaseTable, read: Callable[[str], str] = input
) -> tuple[ReleaseTable, OpenedSource, tuple[ReleaseQuestion, ...]]:
    """The request with the answers, the table as it is read with them, and what was asked."""
    from tokumei.releases.release_table import list_questions, open_source

    opened = open_source(request)
    questions = tuple(list_questions(opened, request))
    before = request.table
    for question in questions:
        request = ask_question(question, request, read)
    reread = (request.table.date_order, request.table.two_digit_years)
    if reread != (before.date_order, before.two_digit_years):
        opened = open_source(request)
    return request, opened, questions


def ask_question(
    question: ReleaseQuestion, request: ReleaseTable, read: Callable[[str], str]
) -> ReleaseTable:
    """Print a question with its options, and apply the one that is chosen or typed."""
    print(question.text.show(), file=sys.stderr)
    for number, text in enumerate(question.options, 1):
        print(f"  {number}  {text}", file=sys.stderr)
    print(
        indent_message(
            Message("Enter: {default} ({taken})", default=question.default, taken=question.taken)
        ),
        file=sys.stderr,
    )
    while True:
        typed = read("> ").strip()
        text = question.taken if not typed else _chosen(question, typed)
        try:
            return apply_option(request, text)
        except (UsageError, ValueError) as error:
            print(error, file=sys.stderr)


def _chosen(question: ReleaseQuestion, typed: str) -> str:
    if typed.isdigit() and 1 <= int(typed) <= len(question.options):
        return question.options[int(typed) - 1]
    return typed


def apply_option(request: ReleaseTable, text: str) -> ReleaseTable:
    """The request with one more option, written as on the command line."""
    words = shlex.split(text)
    if len(words) != 2:
        raise UsageError("write an option and its value, as in {example}", example="--id name")
    option, value = words
    table, names = request.table, split_names(value)
    if option == "--knows":
        return replace(request, knows=names)
    if option == "--id":
        table = replace(table, id=tuple(dict.fromkeys((*(table.id or ()), *names))))
    elif option == "--pass":
        table = replace(table, passed=tuple(dict.fromkeys((*table.passed, *names))))
    elif option == "--scrub":
        table = replace(table, scrub=tuple(dict.fromkeys((*table.scrub, *names))))
    elif option == "--person":
        table = replace(table, person=value)
    elif option == "--date-order":
        table = replace(table, date_order=value)
    elif option == "--two-digit-years":
        table = replace(table, two_digit_years=int(value))
    else:
        raise UsageError("{option} does not answer this question", option=option)
    return replace(request, table=table)
