"""Plans the treatment of every column: roles, how cells are read, and hierarchies."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import LineOfRow
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences
from tokumei.tables.anonymization.column_disclosure import (
    NO_PERSON,
    build_column_report,
    contains_names,
    unanswered_question_violation,
    undecided_columns_error,
)
from tokumei.tables.anonymization.default_hierarchies import (
    add_default_hierarchies,
    columns_with_own_hierarchy,
    hierarchy_notes,
)
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.column_report import ColumnReport, ReleaseDecisions
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.normalization_rules import (
    date_answers,
    is_date_ambiguous,
    require_unambiguous_dates,
)

if TYPE_CHECKING:
    from tokumei.tables.profiling.profile import TableProfile


class ParsingOptions(NamedTuple):
    """How cells of QI and SA are understood: where rows stand, rules that are off, bad cells."""

    line_of: LineOfRow | None
    off: tuple[str, ...] = ()
    bad_missing: bool = False
    plain: bool = False
    """Whether columns that pass are written as they are understood, too."""
    days: DatePreferences = NO_PREFERENCES
    """What the owner says of days that no cell decides."""
    said: tuple[str, ...] = ()
    """Columns whose kind the owner says."""


class ColumnPlan(NamedTuple):
    """What is to be done with a table, after its columns were looked at."""

    table: Table
    method: TableMethod
    account: ColumnReport
    notes: list[Message]


def plan_columns(
    table: Table,
    profile: TableProfile,
    method: TableMethod,
    consent: ReleaseDecisions,
    *,
    inferred: bool = False,
    reading: ParsingOptions | None = None,
) -> ColumnPlan:
    """The fates that the roles of a table ask for; fails on what needs a consent not given.

    `inferred`: nobody gave roles, so they are as they look, and people with several rows are
    counted as people if the method can do that. `reading`: texts of QI and SA that stand for
    numbers or days are read as such, and it is said.
    """
    if inferred:
        table = replace(table, schema=infer_roles(profile, table.schema, consent))
        method = _with_person_column(method, profile, consent)
        if not table.schema.qi and hasattr(method, "k"):
            raise UsageError(
                "no column seems to hold what others may know of a person; name the "
                "quasi-identifiers with {option}",
                field="qi",
                option=field_name("qi"),
            )
    account = build_column_report(profile, table.schema, method, consent)
    notes: list[Message] = []
    if reading is not None:
        own_labels = columns_with_own_hierarchy(method, table.schema.qi)
        read, notes = parse_values(table, profile, reading, own_labels)
        if reading.bad_missing:
            from tokumei.tables.profiling.normalization import (
                count_unread_cells,
                unread_cell_messages,
            )

            unread = count_unread_cells(table, read)
            account = account.with_unread_cells(unread)
            notes += unread_cell_messages(unread)
        table = read
        account = replace(account, answers=date_answers(reading.days))
    method_with_hierarchies = add_default_hierarchies(method, table, consent.sets, profile)
    notes += hierarchy_notes(method, method_with_hierarchies)
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


def infer_roles(profile: TableProfile, schema: Schema, consent: ReleaseDecisions) -> Schema:
    """Roles where nobody gave any: as they look; what has no use is dropped unless it may pass.

    Fails with the questions that only the owner can answer, unless `defaults` drop the columns.
    """
    schema.require((*consent.passed, *consent.dropped))
    decided = {*consent.passed, *consent.dropped}
    decided |= {name for name in consent.scrubbed if not contains_names(profile[name])}
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


def are_bad_cells_missing(option: str | None) -> bool:
    """Whether cells that fit neither number nor day become gaps; fails on another word."""
    if option not in (None, "", "missing"):
        raise UsageError("bad_cells is 'missing' or nothing, not '{option}'", option=option)
    return option == "missing"


def parse_values(
    table: Table, profile: TableProfile, options: ParsingOptions, own_labels: Set[str]
) -> tuple[Table, list[Message]]:
    """The table as it is understood; words that the owner's hierarchies name stay as they are."""
    from tokumei.tables.profiling.normalization import (
        needs_normalization,
        normalization_messages,
        normalize_columns,
        normalize_texts,
    )

    names = [*table.schema.qi, *table.schema.sa]
    names = [
        n for n in names if n not in own_labels or needs_normalization(table.frame[n], profile[n])
    ]
    names = [n for n in names if n not in options.said]
    notes = list[Message]()
    if options.plain:
        names = [name for name in table.schema.names if name not in table.schema.ids]
        table, notes = normalize_texts(table, names)
    require_unambiguous_dates([profile[name] for name in names])
    notes += normalization_messages(profile, names, table, options.off)
    parsed = normalize_columns(
        table,
        profile,
        names,
        line_of=options.line_of,
        bad_missing=options.bad_missing,
        off=options.off,
    )
    return parsed, notes
