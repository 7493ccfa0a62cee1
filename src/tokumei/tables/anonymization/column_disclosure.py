"""Decides which columns may be released, and what stops a release that needs a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokumei.core.errors import ClaimError, UsageError, Violation
from tokumei.core.fields import as_current_front_end, field_name, field_value, field_values
from tokumei.core.messages import OR, Message, as_sentence, join_messages, join_sentences
from tokumei.tables.anonymization.default_hierarchies import ALL
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.column_report import (
    ColumnEntry,
    ColumnReport,
    ColumnTreatment,
    ReleaseDecisions,
)
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.profiling.column_types import COLUMN_TYPES

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import ColumnProfile, TableProfile

NO_PERSON = "none"
_NUMBERING_TYPES = ("member_id", "record_id", "device_id", "row_number")
_MIN_UNIQUE_SHARE = 0.5
_TREATMENT_BY_ROLE = {
    Role.ID: ColumnTreatment.DROPPED,
    Role.QI: ColumnTreatment.GENERALIZED,
    Role.SA: ColumnTreatment.PROTECTED,
    Role.OTHER: ColumnTreatment.PASSED,
}
LIKELY_CONFIDENCE = 0.7


def build_column_report(
    profile: TableProfile, schema: Schema, method: TableMethod, consent: ReleaseDecisions
) -> ColumnReport:
    """What is to become of every column by its role; fails on what needs a consent not given."""
    schema.require(consent.passed, where=field_name("passed"))
    _require_quasi_identifiers(schema, consent.qi, "qi_anyway")
    _require_quasi_identifiers(schema, [name for name in consent.sets if name != ALL], "sets")
    parts = method.methods if isinstance(method, Pipeline) else (method,)
    if any(isinstance(part, KAnonymizer) for part in parts):
        _require_not_generalized(schema, consent.passed)
    person = next((name for part in parts if (name := getattr(part, "person", ""))), "")
    dropped = {*schema.ids, person}
    released = [column for column in schema.columns if column.name not in dropped]
    faults = [
        violation
        for column in released
        if (violation := _check_disclosure(profile[column.name], column.role, consent)) is not None
    ]
    if not person and consent.person != NO_PERSON and any(hasattr(part, "k") for part in parts):
        identifiers = [name for name in consent.identifiers if name in schema.names]
        identifiers += [n for n in schema.ids if _is_undecided_key(profile[n], consent)]
        faults += list(several_rows_violations(profile, schema)) or repeated_identifier_violations(
            profile, identifiers
        )
    if faults:
        raise undecided_columns_error(faults)
    entries = {
        column.name: _column_entry(
            profile[column.name], column.role, column.name in dropped, consent
        )
        for column in schema.columns
    }
    return ColumnReport(entries, profile.rows, person or None)


def _is_undecided_key(column: ColumnProfile, consent: ReleaseDecisions) -> bool:
    """Whether codes that may be those of people are dropped by default, as nobody said so.

    They do not leave, but where they repeat, rows may not be people.
    """
    question = column.question
    is_key = question is not None and question.id == "key-like" and column.type == "code"
    return is_key and column.name not in consent.dropped


def _require_quasi_identifiers(schema: Schema, names: Sequence[str], field: str) -> None:
    """Fail if what is said of quasi-identifiers is said of another column: nothing would change."""
    option, qi = field_name(field), field_name("qi")
    schema.require(names, where=option)
    for name in names:
        if schema[name].role is not Role.QI:
            raise UsageError(
                "{option}: '{name}' is not a quasi-identifier; name it in {qi}, too",
                field=field,
                value=name,
                option=option,
                name=name,
                qi=qi,
            )


def _require_not_generalized(schema: Schema, names: Sequence[str]) -> None:
    """Fail if a column is to leave as it is and to be generalized: it would not pass."""
    passed, qi, anyway = map(field_name, ("passed", "qi", "qi_anyway"))
    for name in names:
        if schema[name].role is Role.QI:
            raise UsageError(
                "{passed}: '{name}' is a quasi-identifier, which is generalized; leave it out of "
                "{passed} or of {qi} ({anyway} generalizes a column that may identify people)",
                field="passed",
                value=name,
                passed=passed,
                name=name,
                qi=qi,
                anyway=anyway,
            )


def _column_entry(
    column: ColumnProfile, role: Role, dropped: bool, consent: ReleaseDecisions
) -> ColumnEntry:
    is_named = not dropped and column.name in (*consent.passed, *consent.qi)
    fate = ColumnTreatment.DROPPED if dropped else _TREATMENT_BY_ROLE[role]
    if column.name in consent.scrubbed and not dropped:
        fate = ColumnTreatment.SCRUBBED
    must_go = column.identifies or column.name in (*consent.identifiers, consent.person)
    return ColumnEntry(
        fate,
        role,
        column.type,
        column.reason,
        "named" if is_named else None,
        is_loss=dropped and not must_go,
    )


def _check_disclosure(
    column: ColumnProfile, role: Role, consent: ReleaseDecisions
) -> Violation | None:
    """Why a column may not be released as its role says, unless somebody named it."""
    likely = column.identifies and column.confidence >= LIKELY_CONFIDENCE
    # Who declares a column of repeated numbers knows better what they number.
    likely &= column.type not in _NUMBERING_TYPES or column.unique_share > _MIN_UNIQUE_SHARE
    if column.name in consent.passed:
        return None
    if column.name in consent.scrubbed and not (likely or contains_names(column)):
        return None
    if role is Role.QI:
        needs_consent = (likely or column.pii) and column.name not in consent.qi
        return identifier_violation(column, "qi_anyway") if needs_consent else None
    if role is Role.SA:
        likely &= column.type not in _NUMBERING_TYPES
        return identifier_violation(column, "passed") if likely or column.pii else None
    return (
        identifier_violation(column, "passed")
        if column.identifies or column.fate == "ask"
        else None
    )


def contains_names(column: ColumnProfile) -> bool:
    """Whether names were recognized in the texts: those are not replaced."""
    return any(finding.type == "name" for finding in column.pii)


def identifier_violation(column: ColumnProfile, field: str) -> Violation:
    """A column that may identify people, and the fields that decide what becomes of it."""
    decision = Message(
        "Drop it with {drop}, or release it all the same with {keep}",
        drop=field_values("id", [column.name]),
        keep=field_values(field, [column.name]),
    )
    message = join_sentences([as_sentence(_describe_suspicion(column)), decision])
    return Violation(rule="undeclared-identifier", column=column.name, message=message)


def _describe_suspicion(column: ColumnProfile) -> Message:
    if column.pii:
        return Message(
            "'{column}' contains personal data ({types})",
            column=column.name,
            types=join_messages(COLUMN_TYPES[pii.type].title for pii in column.pii),
        )
    if not column.identifies and column.question is not None:
        return Message(
            "'{column}' is in doubt ({question})", column=column.name, question=column.question.text
        )
    return Message(
        "'{column}' seems to be of type '{type}' ({reason})",
        column=column.name,
        type=COLUMN_TYPES[column.type].title,
        reason=column.reason,
    )


def unanswered_question_violation(column: ColumnProfile) -> Violation:
    """A column of which only its owner knows what it is."""
    assert column.question is not None
    answers = (as_current_front_end(option) for option in column.question.options)
    options = [*answers, field_values("passed", [column.name])]
    message = Message(
        "{question} Answer with {options}",
        question=column.question.text,
        options=join_messages(options, OR),
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
        "'{column}' has {people:,} values in {rows:,} rows, so that k rows would not be k people. "
        "Count people with {person}, or say that every row is another person with {nobody}",
        column=person.column,
        people=person.people,
        rows=person.rows,
        person=count,
        nobody=nobody,
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
            "the identifier '{column}' has {distinct:,} values in {filled:,} rows, so that k rows "
            "may be fewer than k people. Count people with {person}; say {nobody} if every row is "
            "another person, or {drop} if the column does not identify people",
            column=column.name,
            distinct=column.distinct,
            filled=filled,
            person=count,
            nobody=nobody,
            drop=drop,
        )
        yield Violation(rule="rows-are-not-people", column=column.name, message=message)


def undecided_columns_error(faults: Sequence[Violation]) -> ClaimError:
    """The error that stops a release."""
    return ClaimError(
        "nothing is written: what becomes of these columns has to be decided", faults=faults
    )
