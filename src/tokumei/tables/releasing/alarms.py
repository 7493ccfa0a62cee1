"""What is told of columns that stop a release, with the options that decide about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokumei.core.errors import ClaimError, Fault
from tokumei.core.fields import as_current_front_end, field_value, field_values, takes_field
from tokumei.core.text import Text
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.look.types import TYPES

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look, LookColumn

LIKELY = 0.7
_NUMBERING = ("member_id", "record_id", "device_id", "row_number", "code", "count")
"""What numbers people or things."""
_NEARLY_ALL, _FEW = 0.98, 0.05
"""Shares of different values: numbers that do not repeat; groups such as shops or regions, whose
values number nobody."""


def fault(seen: LookColumn, field: str) -> Fault:
    """A column that may identify people, and the fields that decide what becomes of it."""
    looks = _looks(seen)
    drop, keep = field_values("id", [seen.name]), field_values(field, [seen.name])
    message = Text(
        f"'{seen.name}' {looks.en}. Drop it with {drop}, or release it all the same with {keep}",
        f"列 '{seen.name}' {looks.ja}。{drop} で削除するか、承知のうえで公開するなら "
        f"{keep} を指定してください",
    )
    return Fault(rule="undeclared-identifier", column=seen.name, message=message)


def _looks(seen: LookColumn) -> Text:
    if seen.pii:
        inside = [TYPES[one.type].title for one in seen.pii]
        return Text(
            f"contains personal data ({', '.join(one.en for one in inside)})",
            f"のセルには個人情報 ({'・'.join(one.ja for one in inside)}) があります",
        )
    if not seen.identifies and seen.question is not None:
        asked = seen.question.text
        return Text(f"is in doubt ({asked.en})", f"は判断できません ({asked.ja})")
    what = TYPES[seen.type].title
    return Text(
        f"looks like {what.en} ({seen.reason.en})", f"は{what.ja}のようです ({seen.reason.ja})"
    )


def unanswered(seen: LookColumn) -> Fault:
    """A column of which only its owner knows what it is."""
    assert seen.question is not None
    asked = (as_current_front_end(option) for option in seen.question.options)
    options = [*asked, field_values("passed", [seen.name])]
    message = Text(
        f"{seen.question.text.en} Answer with {' or '.join(options)}",
        f"{seen.question.text.ja} {' または '.join(options)} で答えてください",
    )
    return Fault(rule="unanswered", column=seen.name, message=message)


def several(found: Look, schema: Schema) -> Iterator[Fault]:
    """Rows are no people where somebody has several; a declared QI or SA numbers nobody."""
    person = found.person
    if person is None or not person.several or person.confidence < LIKELY:
        return
    if schema[person.column].role in (Role.QI, Role.SA):
        return
    count, nobody = field_value("person", person.column), field_value("person", "none")
    message = Text(
        f"'{person.column}' has {person.people:,} values in {person.rows:,} rows, so that k "
        f"rows would not be k people. Count people with {count}, or say that every "
        f"row is another person with {nobody}",
        f"列 '{person.column}' は {person.rows:,} 行に {person.people:,} 種類の値があり、"
        f"行で数えた k は人数になりません。{count} で人数を数えるか、1 行が 1 人なら "
        f"{nobody} を指定してください",
    )
    yield Fault(rule="rows-are-not-people", column=person.column, message=message)


def repeated_identifiers(found: Look, names: Sequence[str]) -> Iterator[Fault]:
    """Columns that somebody called identifiers and whose values repeat: rows are not people.

    Names, addresses and remarks, which different people share, and categories of a few values do
    not count: they do not say how many people there are.
    """
    nobody = field_value("person", "none")
    for seen in (found[name] for name in names):
        filled = found.rows - seen.missing
        many = seen.type == "category" and seen.distinct >= _FEW * filled
        if not (seen.type in _NUMBERING or many) or seen.distinct >= _NEARLY_ALL * filled:
            continue
        count = field_value("person", seen.name)
        drop = Text("remove it from the data", "データから除く")
        if takes_field("drop"):
            drop = Text(*2 * [field_values("drop", [seen.name])])
        message = Text(
            f"the identifier '{seen.name}' has {seen.distinct:,} values in {filled:,} rows, so "
            f"that k rows may be fewer than k people. Count people with {count}; say {nobody} "
            f"if every row is another person, or {drop.en} if the column does not identify people",
            f"識別子の列 '{seen.name}' は {filled:,} 行に {seen.distinct:,} 種類の値しかなく、"
            f"k 行が k 人とは限りません。{count} で人数を数えてください。1 行が 1 人なら "
            f"{nobody}、人を表す列でなければ {drop.ja} を指定してください",
        )
        yield Fault(rule="rows-are-not-people", column=seen.name, message=message)


def refused(faults: Sequence[Fault]) -> ClaimError:
    """The error that stops a release."""
    return ClaimError(
        "nothing is written: what becomes of these columns has to be decided",
        "何も書き出しません。次の列の扱いを決めてください",
        faults=faults,
    )
