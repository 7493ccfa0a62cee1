"""Questions to the data owner, at most one per column."""

from __future__ import annotations

from tokumei.core.messages import Message
from tokumei.tables.profiling.identity_questions import (
    QuestionContext,
    ask_embedded_pii,
    ask_free_text,
    ask_identifying_header,
    ask_key_like,
    ask_many_values,
    ask_mixed_contact,
    ask_not_people,
    ask_person_or_thing,
    ask_two_person_columns,
    build_question,
)
from tokumei.tables.profiling.profile import OwnerQuestion
from tokumei.tables.profiling.reading.source import FORMATS_WITHOUT_LINES


def find_question(context: QuestionContext) -> OwnerQuestion | None:
    """The most pressing question of a column, if there is one."""
    return next((question for ask in _QUESTIONS if (question := ask(context))), None)


def _ask_date_order(context: QuestionContext) -> OwnerQuestion | None:
    if context.kind != "date" or not context.style.undecided:
        return None
    return build_question(
        "date-order",
        context,
        Message(
            "Is 3/4 in '{column}' 3 April or 4 March? No cell decides it.", column=context.name
        ),
        answers=("--date-order dmy", "--date-order mdy"),
    )


def _ask_two_digit_years(context: QuestionContext) -> OwnerQuestion | None:
    if (
        context.kind != "date"
        or not context.style.two_digits
        or context.cells.said.latest is not None
    ):
        return None
    last_year = context.style.latest
    return build_question(
        "two-digit-year",
        context,
        Message(
            "'{column}' writes years with two digits: 00 to {last:02} are read as 20xx, {next:02} "
            "to 99 as 19xx. Right?",
            column=context.name,
            last=last_year,
            next=last_year + 1,
        ),
        answers=(f"--two-digit-years {last_year}", "--two-digit-years N"),
    )


def _ask_unnamed_column(context: QuestionContext) -> OwnerQuestion | None:
    if not context.name.startswith("Unnamed: ") or context.role == "identifier":
        return None
    return build_question(
        "unnamed-column", context,
        Message("'{column}' has no name. What is it?", column=context.name),
        "--id", "--qi", "--sa",
    )  # fmt: skip


def _ask_missing_header(context: QuestionContext) -> OwnerQuestion | None:
    source = context.source
    has_header = source.header_row is not None or source.format in FORMATS_WITHOUT_LINES
    if has_header or not context.first:
        return None
    return build_question(
        "no-header",
        context,
        Message(
            "The file has no header, so the columns are called column1, column2 … Is that right?"
        ),
        answers=("--header-row N",),
    )


def _ask_two_tables(context: QuestionContext) -> OwnerQuestion | None:
    if context.source.second is None or not context.first:
        return None
    return build_question(
        "two-tables",
        context,
        Message(
            "The file holds two tables, and only the larger one was read. Is it the one you mean? "
            "The other has to be put into a file of its own."
        ),
    )


_QUESTIONS = (
    ask_embedded_pii, ask_mixed_contact, ask_free_text, ask_person_or_thing,
    ask_identifying_header, _ask_unnamed_column, ask_key_like, ask_many_values,
    ask_two_person_columns, _ask_date_order, _ask_two_digit_years, _ask_missing_header,
    _ask_two_tables, ask_not_people,
)  # fmt: skip
