"""Errors for columns that stop a release, with the options that decide about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokumei.core.errors import ClaimError, Violation
from tokumei.core.fields import as_current_front_end, field_value, field_values
from tokumei.core.messages import Message
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.profiling.column_types import COLUMN_TYPES

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import ColumnProfile, TableProfile

LIKELY_CONFIDENCE = 0.7


def identifier_violation(column: ColumnProfile, field: str) -> Violation:
    """A column that may identify people, and the fields that decide what becomes of it."""
    suspicion = _describe_suspicion(column)
    drop, keep = field_values("id", [column.name]), field_values(field, [column.name])
    message = Message(
        f"'{column.name}' {suspicion.en}. Drop it with {drop}, or release it all the same with "
        f"{keep}",
        f"列 '{column.name}' {suspicion.ja}。{drop} で削除するか、承知のうえで公開するなら "
        f"{keep} を指定してください",
    )
    return Violation(rule="undeclared-identifier", column=column.name, message=message)


def _describe_suspicion(column: ColumnProfile) -> Message:
    if column.pii:
        titles = [COLUMN_TYPES[type_title.type].title for type_title in column.pii]
        return Message(
            f"contains personal data ({', '.join(type_title.en for type_title in titles)})",
            f"のセルには個人情報 ({'・'.join(type_title.ja for type_title in titles)}) があります",
        )
    if not column.identifies and column.question is not None:
        question = column.question.text
        return Message(f"is in doubt ({question.en})", f"は判断できません ({question.ja})")
    type_name = COLUMN_TYPES[column.type].title
    return Message(
        f"looks like {type_name.en} ({column.reason.en})",
        f"は{type_name.ja}のようです ({column.reason.ja})",
    )


def unanswered_question_violation(column: ColumnProfile) -> Violation:
    """A column of which only its owner knows what it is."""
    assert column.question is not None
    asked = (as_current_front_end(option) for option in column.question.options)
    options = [*asked, field_values("passed", [column.name])]
    message = Message(
        f"{column.question.text.en} Answer with {' or '.join(options)}",
        f"{column.question.text.ja} {' または '.join(options)} で答えてください",
    )
    return Violation(rule="unanswered", column=column.name, message=message)


def several_rows_violations(profile: TableProfile, schema: Schema) -> Iterator[Violation]:
    """Rows are no people where somebody has several; a declared QI or SA numbers nobody."""
    person = profile.person
    if person is None or not person.several or person.confidence < LIKELY_CONFIDENCE:
        return
    if schema[person.column].role in (Role.QI, Role.SA):
        return
    count, nobody = field_value("person", person.column), field_value("person", "none")
    message = Message(
        f"'{person.column}' has {person.people:,} values in {person.rows:,} rows, so that k "
        f"rows would not be k people. Count people with {count}, or say that every "
        f"row is another person with {nobody}",
        f"列 '{person.column}' は {person.rows:,} 行に {person.people:,} 種類の値があり、"
        f"行で数えた k は人数になりません。{count} で人数を数えるか、1 行が 1 人なら "
        f"{nobody} を指定してください",
    )
    yield Violation(rule="rows-are-not-people", column=person.column, message=message)


def repeated_identifier_violations(
    profile: TableProfile, names: Sequence[str]
) -> Iterator[Violation]:
    """Columns that somebody called identifiers and whose values repeat: rows are not people."""
    nobody = field_value("person", "none")
    for column in (profile[name] for name in names):
        if not column.repeats_numbers(profile.rows):
            continue
        filled = profile.rows - column.missing
        count = field_value("person", column.name)
        drop = field_values("drop", [column.name])
        message = Message(
            f"the identifier '{column.name}' has {column.distinct:,} values in {filled:,} rows, so "
            f"that k rows may be fewer than k people. Count people with {count}; say {nobody} "
            f"if every row is another person, or {drop} if the column does not identify people",
            f"識別子の列 '{column.name}' は {filled:,} 行に {column.distinct:,} 種類の値しかなく、"
            f"k 行が k 人とは限りません。{count} で人数を数えてください。1 行が 1 人なら "
            f"{nobody}、人を表す列でなければ {drop} を指定してください",
        )
        yield Violation(rule="rows-are-not-people", column=column.name, message=message)


def undecided_columns_error(faults: Sequence[Violation]) -> ClaimError:
    """The error that stops a release."""
    return ClaimError(
        "nothing is written: what becomes of these columns has to be decided",
        "何も書き出しません。次の列の扱いを決めてください",
        faults=faults,
    )
