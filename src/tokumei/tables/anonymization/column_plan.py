"""Plans the treatment of every column, and stops a release that needs a decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from tokumei.core.errors import UsageError, Violation
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.tables.anonymization.default_hierarchies import (
    ALL,
    add_default_hierarchies,
    columns_with_own_hierarchy,
    hierarchy_notes,
)
from tokumei.tables.anonymization.disclosure_errors import (
    LIKELY_CONFIDENCE,
    identifier_violation,
    repeated_identifier_violations,
    several_rows_violations,
    unanswered_question_violation,
    undecided_columns_error,
)
from tokumei.tables.anonymization.value_parsing import ParsingOptions, parse_values
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.column_report import (
    NO_DECISIONS,
    ColumnEntry,
    ColumnReport,
    ColumnTreatment,
    ReleaseDecisions,
)
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.first_rows import profile_sample
from tokumei.tables.profiling.normalization_rules import (
    date_answers,
    is_date_ambiguous,
    require_unambiguous_dates,
)
from tokumei.tables.profiling.redaction import redact_columns

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


class ColumnPlan(NamedTuple):
    """What is to be done with a table, after its columns were looked at."""

    table: Table
    method: TableMethod
    account: ColumnReport
    notes: list[Message]


def plan_columns(
    table: Table,
    method: TableMethod,
    consent: ReleaseDecisions = NO_DECISIONS,
    *,
    inferred: bool = False,
    reading: ParsingOptions | None = None,
    profile: TableProfile | None = None,
) -> ColumnPlan:
    """The fates that the roles of a table ask for; fails on what needs a consent not given.

    `inferred`: nobody gave roles, so they are as they look, and people with several rows are
    counted as people if the method can do that. `reading`: texts of QI and SA that stand for
    numbers or days are read as such, and it is said. `profile`: that of the table, if it was taken
    before.
    """
    table, redaction_notes = (
        redact_columns(table, consent.scrubbed) if consent.scrubbed else (table, [])
    )
    found = profile
    if found is None or consent.scrubbed:
        found = profile_sample(
            table.frame, *(() if reading is None else (reading.off, reading.days))
        )
    if inferred:
        table = replace(table, schema=infer_roles(found, table.schema, consent))
        method = _with_person_column(method, found, consent)
        if not table.schema.qi and hasattr(method, "k"):
            raise UsageError(
                "no column looks like what others may know of a person; name the "
                f"quasi-identifiers with {field_name('qi')}",
                "他人が知り得る属性と思われる列がありません。"
                f"{field_name('qi')} で準識別子を指定してください",
                field="qi",
            )
    account = build_column_report(found, table.schema, method, consent)
    notes: list[Message] = []
    if reading is not None:
        table, notes = parse_values(
            table, found, reading, columns_with_own_hierarchy(method, table.schema.qi)
        )
        account = replace(account, answers=date_answers(reading.days))
    method_with_hierarchies = add_default_hierarchies(method, table, consent.sets, found)
    notes = [*redaction_notes, *notes, *hierarchy_notes(method, method_with_hierarchies)]
    return ColumnPlan(table, method_with_hierarchies, account, notes)


def _with_person_column(
    method: TableMethod, profile: TableProfile, consent: ReleaseDecisions
) -> TableMethod:
    person = profile.person
    if person is None or not person.several or consent.person == NO_PERSON:
        return method
    if getattr(method, "person", None) == "":
        return cast(TableMethod, replace(cast(Any, method), person=person.column))
    return method


def build_column_report(
    profile: TableProfile, schema: Schema, method: TableMethod, consent: ReleaseDecisions
) -> ColumnReport:
    """The same from a look."""
    from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer

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


def _require_quasi_identifiers(schema: Schema, names: Sequence[str], field: str) -> None:
    """Fail if what is said of quasi-identifiers is said of another column: nothing would change."""
    option, qi = field_name(field), field_name("qi")
    schema.require(names, where=option)
    for name in names:
        if schema[name].role is not Role.QI:
            raise UsageError(
                f"{option}: '{name}' is not a quasi-identifier; name it in {qi}, too",
                f"{option}: 列 '{name}' は準識別子ではありません。{qi} にも指定してください",
                field=field,
                value=name,
            )


def _require_not_generalized(schema: Schema, names: Sequence[str]) -> None:
    """Fail if a column is to leave as it is and to be generalized: it would not pass."""
    passed, qi, anyway = map(field_name, ("passed", "qi", "qi_anyway"))
    for name in names:
        if schema[name].role is Role.QI:
            raise UsageError(
                f"{passed}: '{name}' is a quasi-identifier, which is generalized; leave it out of "
                f"{passed} or of {qi} ({anyway} generalizes a column that may identify people)",
                f"{passed}: 列 '{name}' は準識別子で、一般化されます。{passed} か {qi} の"
                f"どちらかから外してください (個人を特定し得る列を一般化するには {anyway})",
                field="passed",
                value=name,
            )


def infer_roles(profile: TableProfile, schema: Schema, consent: ReleaseDecisions) -> Schema:
    """Roles where nobody gave any: as they look; what has no use is dropped unless it may pass.

    Fails with the questions that only the owner can answer, unless `defaults` drop the columns.
    """
    schema.require((*consent.passed, *consent.dropped))
    decided = {*consent.passed, *consent.dropped}
    decided |= {name for name in consent.scrubbed if not _contains_names(profile[name])}
    if not consent.defaults:
        undecided = [c for c in profile.columns if c.name not in decided]
        questions = [c for c in undecided if c.fate == "ask"]
        require_unambiguous_dates([c for c in undecided if c.fate in ("generalize", "protect")])
        if questions:
            raise undecided_columns_error(
                [unanswered_question_violation(column) for column in questions]
            )
    guessed = profile.schema()

    def role(name: str) -> Role:
        if name in consent.passed or (name in consent.scrubbed and name in decided):
            return Role.OTHER
        inferred_role = guessed[name].role
        doubtful = name in consent.dropped or profile[name].fate in ("ask", "drop")
        doubtful |= is_date_ambiguous(profile[name])
        if doubtful or (inferred_role is Role.OTHER and not consent.rest):
            return Role.ID
        return inferred_role

    return Schema(
        tuple(replace(c, role=role(c.name), reason=guessed[c.name].reason) for c in schema.columns)
    )


def _column_entry(
    column: ColumnProfile, role: Role, dropped: bool, consent: ReleaseDecisions
) -> ColumnEntry:
    is_named = not dropped and column.name in (*consent.passed, *consent.qi)
    fate = ColumnTreatment.DROPPED if dropped else _TREATMENT_BY_ROLE[role]
    if column.name in consent.scrubbed and not dropped:
        fate = ColumnTreatment.SCRUBBED
    return ColumnEntry(fate, role, column.type, column.reason, "named" if is_named else None)


def _check_disclosure(
    column: ColumnProfile, role: Role, consent: ReleaseDecisions
) -> Violation | None:
    """Why a column may not be released as its role says, unless somebody named it."""
    likely = column.identifies and column.confidence >= LIKELY_CONFIDENCE
    # Who declares a column of repeated numbers knows better what they number.
    likely &= column.type not in _NUMBERING_TYPES or column.unique_share > _MIN_UNIQUE_SHARE
    if column.name in consent.passed:
        return None
    if column.name in consent.scrubbed and not (likely or _contains_names(column)):
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


def _contains_names(column: ColumnProfile) -> bool:
    """Whether names were recognized in the texts: those are not replaced."""
    return any(finding.type == "name" for finding in column.pii)
