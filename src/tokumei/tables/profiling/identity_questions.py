"""Questions whose answer tells whether the cells of a column say who somebody is.

The context says what a question about a column, these and those of `questions`, may depend on.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.messages import Message, join_messages
from tokumei.core.parsing.dates import DateStyle
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.column_types import COLUMN_TYPES
from tokumei.tables.profiling.detection.cell_patterns import CELL_PATTERNS
from tokumei.tables.profiling.detection.embedded_pii import EmbeddedPii
from tokumei.tables.profiling.detection.header_types import types_from_header
from tokumei.tables.profiling.detection.person_column import PersonColumn
from tokumei.tables.profiling.detection.type_inference import InferredType
from tokumei.tables.profiling.detection.value_types import are_timestamps
from tokumei.tables.profiling.profile import OwnerQuestion
from tokumei.tables.profiling.reading.source import Source
from tokumei.tables.profiling.suggested_command import format_column_option

_UNKNOWN_TYPES = ("category", "code", "count", "item", "store", "organization")
MANY_VALUES = 20
"""Above this many values a column of words would list its people if it were generalized."""
MAX_ROWS_PER_CODE = 10
"""Codes of a small table that stand on at most this many rows each may be those of people."""
_RARE_COUNT = 2
_SHORT_DIGITS = 3
"""Whole numbers of more digits that hardly ever repeat may be given rather than counted."""
FEW_VALUES = 4
"""The same where the column's name says nothing."""


@dataclass(frozen=True)
class QuestionContext:
    """One column, with all that a question may depend on."""

    name: str
    meaning: InferredType
    role: str
    kind: str
    cells: ColumnCells
    inside: tuple[EmbeddedPii, ...]
    style: DateStyle
    people: bool | None
    person: PersonColumn | None
    source: Source
    telling: bool
    """Whether each value goes with one person, as far as other columns tell."""

    @property
    def first(self) -> bool:
        """Whether it is the column at which the whole file is asked about."""
        return self.name == self.source.frame.columns[0]

    @property
    def identifies(self) -> bool:
        """Whether the column tells by itself who somebody is."""
        return self.role in ("identifier", "person")


def build_question(
    id: str,
    context: QuestionContext,
    text: Message,
    *options: str,
    answers: tuple[str, ...] = (),
) -> OwnerQuestion:
    """Options of `tokumei anonymize table` that take the column's name, or else whole `answers`."""
    answer_options = answers or tuple(
        format_column_option(option, context.name) for option in options
    )
    return OwnerQuestion(id, text, answer_options)


def ask_embedded_pii(context: QuestionContext) -> OwnerQuestion | None:
    """Ask what becomes of personal data inside the cells."""
    if not context.inside or context.identifies:
        return None
    return build_question(
        "text-with-personal-data", context,
        Message(
            "The cells of '{column}' contain personal data ({types}). Drop the column, or replace "
            "the data?",
            column=context.name,
            types=join_messages(COLUMN_TYPES[pii.type].title for pii in context.inside),
        ),
        "--id", "--scrub",
    )  # fmt: skip


def ask_mixed_contact(context: QuestionContext) -> OwnerQuestion | None:
    """Ask about telephone numbers and e-mail addresses in one column."""
    shares = (context.cells.share("email"), context.cells.share("phone"))
    if context.meaning.type not in ("phone", "email") or min(shares) < 0.1:
        return None
    return build_question(
        "mixed-contact", context,
        Message(
            "'{column}' mixes telephone numbers and e-mail addresses. Drop it?",
            column=context.name,
        ),
        "--id",
    )  # fmt: skip


def ask_free_text(context: QuestionContext) -> OwnerQuestion | None:
    """Ask about free text, in which names cannot be ruled out."""
    if context.meaning.type != "free_text" and not _has_remarks(context):
        return None
    return build_question(
        "free-text", context,
        Message(
            "'{column}' is free text; names in it cannot be ruled out. Drop it, or keep it?",
            column=context.name,
        ),
        "--id", "--scrub",
    )  # fmt: skip


def _has_remarks(context: QuestionContext) -> bool:
    """Whether words of no known meaning are remarks: phrases, several of which occur hardly ever.

    A list of categories has phrases, too, but each of them often.
    """
    if (
        context.meaning.type != "category"
        or context.meaning.header_confirmed
        or context.kind == "numeric"
    ):
        return False
    text, weights = context.cells.sample
    rare = text.str.contains(CELL_PATTERNS["phrase"]) & (weights <= _RARE_COUNT)
    return int(rare.sum()) >= _RARE_COUNT


def ask_person_or_thing(context: QuestionContext) -> OwnerQuestion | None:
    """Ask whether names are those of people."""
    is_sure = context.people and context.meaning.confidence >= 0.7
    if context.meaning.type not in ("name", "kana") or is_sure:
        return None
    return build_question(
        "person-or-thing", context,
        Message("Are the names in '{column}' those of people?", column=context.name),
        "--id", "--qi",
    )  # fmt: skip


def ask_identifying_header(context: QuestionContext) -> OwnerQuestion | None:
    """Called what identifies, and the cells are words of another kind: whose, nobody can tell."""
    if context.identifies or context.kind not in ("category", "text"):
        return None
    header_types = types_from_header(context.name)[:1]
    names_identifier = header_types and header_types[0] in (
        "somebody",
        "name",
        "phone",
        "email",
        "address",
        "kana",
    )
    if (
        not names_identifier
        or context.cells.distinct <= _RARE_COUNT
        or context.meaning.header_confirmed
    ):
        return None
    return build_question(
        "person-or-thing", context,
        Message(
            "Do the cells of '{column}' say who somebody is, or how to reach them?",
            column=context.name,
        ),
        "--id", "--qi",
    )  # fmt: skip


def _may_number_people(context: QuestionContext) -> bool:
    """Whether whole numbers may be given to people: long ones, alike in length, no seconds.

    Amounts differ in length.
    """
    cells = context.cells
    is_fixed_length_count = (
        context.meaning.type == "count" and cells.length > _SHORT_DIGITS and cells.fixed_length
    )
    return is_fixed_length_count and not are_timestamps(cells)


def ask_key_like(context: QuestionContext) -> OwnerQuestion | None:
    """Ask whether numbers or codes tell people apart."""
    cells, is_header_silent = context.cells, context.meaning.silent
    repeats_rarely = cells.unique_share * MAX_ROWS_PER_CODE >= 1
    is_code_of_few = context.meaning.type == "code" and repeats_rarely
    has_few_values = cells.distinct <= MANY_VALUES and not context.telling
    if context.identifies or (has_few_values and not is_code_of_few):
        return None
    is_coded = cells.share("code") > 0.9 or _may_number_people(context)
    is_coded |= context.meaning.type == "code" and cells.is_number and cells.is_whole
    is_key = cells.unique_share > 0.9 and context.meaning.type in _UNKNOWN_TYPES and is_coded
    is_named_otherwise = context.meaning.header_confirmed and context.meaning.type != "code"
    is_key = (is_key and not is_named_otherwise) or context.telling
    is_unnamed_number = (
        is_header_silent
        and cells.number_share > 0.5
        and (cells.is_whole or not cells.is_number)
        and context.kind != "date"
        and not cells.is_money
    )
    is_fallback = context.meaning.type == "code" and context.meaning.confidence < 0.7
    # Called what identifies, and not that, but hardly ever twice the same.
    header_roles = [
        COLUMN_TYPES[header_type].role
        for header_type in types_from_header(context.name)[:1]
        if header_type in COLUMN_TYPES
    ]
    is_fallback |= (
        header_roles == ["identifier"] and cells.unique_share > 0.9 and context.kind != "date"
    )
    is_fallback |= is_code_of_few and has_few_values
    if not (is_key or is_unnamed_number or is_fallback) or (
        context.people is False and not is_unnamed_number
    ):
        return None
    return build_question(
        "key-like", context,
        Message(
            "Does '{column}' tell people apart, like a customer number?", column=context.name
        ),
        "--id", "--person", "--qi", "--sa",
    )  # fmt: skip


def ask_many_values(context: QuestionContext) -> OwnerQuestion | None:
    """Ask about many words of unknown meaning."""
    if context.identifies or context.kind not in ("category", "text"):
        return None
    inferred, max_values = context.meaning, FEW_VALUES if context.meaning.silent else MANY_VALUES
    is_unknown = inferred.type == "category" and context.cells.distinct > max_values
    is_unknown = is_unknown and not (inferred.header_confirmed and inferred.confidence >= 0.9)
    is_unsure = inferred.type in ("organization", "item", "store") and not inferred.header_confirmed
    if context.people is False or not (is_unknown or is_unsure):
        return None
    return build_question(
        "many-words", context,
        Message(
            "'{column}' has {distinct:,} values of unknown meaning. Do they tell who somebody is?",
            column=context.name,
            distinct=context.cells.distinct,
        ),
        "--id", "--qi",
    )  # fmt: skip


def ask_two_person_columns(context: QuestionContext) -> OwnerQuestion | None:
    """Ask which of two columns that number people is meant."""
    other_column = (
        context.person.column
        if context.person and context.meaning.header_confirmed
        else context.name
    )
    if other_column == context.name or context.meaning.type != "member_id":
        return None
    return build_question(
        "two-person-columns", context,
        Message(
            "Both '{column}' and '{other_column}' are numbers of people. Which people is the table "
            "about?",
            column=context.name,
            other_column=other_column,
        ),
        "--person", "--id",
    )  # fmt: skip


def ask_not_people(context: QuestionContext) -> OwnerQuestion | None:
    """Ask about an identifier in a table that seems to be about no people."""
    if context.people is not False or context.cells.distinct <= MANY_VALUES:
        return None
    if context.meaning.type not in ("member_id", "record_id", "device_id", "username"):
        return None
    return build_question(
        "not-people", context,
        Message(
            "No column is about people. Does '{column}' identify people after all?",
            column=context.name,
        ),
        "--id", "--person",
    )  # fmt: skip
