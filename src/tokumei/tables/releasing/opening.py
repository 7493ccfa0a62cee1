"""Opening an account: what every column looks like, and what must not leave without consent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from tokumei.core.errors import Fault, UsageError
from tokumei.core.fields import field_name
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.account import NO_CONSENT, Account, Consent, Entry, Fate
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.look.days import answers_of, is_open, require_decided
from tokumei.tables.look.first_rows import looked_at
from tokumei.tables.look.scrub import scrub_columns
from tokumei.tables.releasing.alarms import (
    LIKELY,
    fault,
    refused,
    repeated_identifiers,
    several,
    unanswered,
)
from tokumei.tables.releasing.cell_reading import Reading, understood
from tokumei.tables.releasing.known_columns import (
    ALL,
    hierarchy_notes,
    labelled_columns,
    with_hierarchies,
)

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look, LookColumn

NONE = "none"
_NUMBERS = ("member_id", "record_id", "device_id", "row_number")
_MOSTLY = 0.5
_FATES = {
    Role.ID: Fate.DROPPED,
    Role.QI: Fate.GENERALIZED,
    Role.SA: Fate.PROTECTED,
    Role.OTHER: Fate.PASSED,
}


class Opened(NamedTuple):
    """What is to be done with a table, after its columns were looked at."""

    table: Table
    method: TableMethod
    account: Account
    notes: list[Text]


def open_account(
    table: Table,
    method: TableMethod,
    consent: Consent = NO_CONSENT,
    *,
    inferred: bool = False,
    reading: Reading | None = None,
    profile: Look | None = None,
) -> Opened:
    """The fates that the roles of a table ask for; fails on what needs a consent not given.

    `inferred`: nobody gave roles, so they are as they look, and people with several rows are
    counted as people if the method can do that. `reading`: texts of QI and SA that stand for
    numbers or days are read as such, and it is said. `profile`: that of the table, if it was taken
    before.
    """
    table, said = scrub_columns(table, consent.scrubbed) if consent.scrubbed else (table, [])
    found = profile
    if found is None or consent.scrubbed:
        found = looked_at(table.frame, *(() if reading is None else (reading.off, reading.days)))
    if inferred:
        table = replace(table, schema=roles_of(found, table.schema, consent))
        method = _of_people(method, found, consent)
        if not table.schema.qi and hasattr(method, "k"):
            raise UsageError(
                "no column looks like what others may know of a person; name the "
                f"quasi-identifiers with {field_name('qi')}",
                "他人が知り得る属性と思われる列がありません。"
                f"{field_name('qi')} で準識別子を指定してください",
                field="qi",
            )
    account = account_of(found, table.schema, method, consent)
    notes: list[Text] = []
    if reading is not None:
        table, notes = understood(table, found, reading, labelled_columns(method, table.schema.qi))
        account = replace(account, answers=answers_of(reading.days))
    labelled = with_hierarchies(method, table, consent.sets, found)
    notes = [*said, *notes, *hierarchy_notes(method, labelled)]
    return Opened(table, labelled, account, notes)


def _of_people(method: TableMethod, found: Look, consent: Consent) -> TableMethod:
    person = found.person
    if person is None or not person.several or consent.person == NONE:
        return method
    if getattr(method, "person", None) == "":
        return cast(TableMethod, replace(cast(Any, method), person=person.column))
    return method


def account_of(found: Look, schema: Schema, method: TableMethod, consent: Consent) -> Account:
    """The same from a look."""
    from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer

    schema.require(consent.passed, where=field_name("passed"))
    _require_quasi(schema, consent.qi, "qi_anyway")
    _require_quasi(schema, [name for name in consent.sets if name != ALL], "sets")
    parts = method.methods if isinstance(method, Pipeline) else (method,)
    if any(isinstance(part, KAnonymizer) for part in parts):
        _require_passing(schema, consent.passed)
    person = next((name for part in parts if (name := getattr(part, "person", ""))), "")
    dropped = {*schema.ids, person}
    released = [column for column in schema.columns if column.name not in dropped]
    faults = [
        alarm
        for column in released
        if (alarm := _alarm(found[column.name], column.role, consent)) is not None
    ]
    if not person and consent.person != NONE and any(hasattr(part, "k") for part in parts):
        named = [name for name in consent.identifiers if name in schema.names]
        faults += list(several(found, schema)) or repeated_identifiers(found, named)
    if faults:
        raise refused(faults)
    entries = {
        column.name: _entry(found[column.name], column.role, column.name in dropped, consent)
        for column in schema.columns
    }
    return Account(entries, found.rows, person or None)


def _require_quasi(schema: Schema, names: Sequence[str], field: str) -> None:
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


def _require_passing(schema: Schema, names: Sequence[str]) -> None:
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


def roles_of(found: Look, schema: Schema, consent: Consent) -> Schema:
    """Roles where nobody gave any: as they look; what has no use is dropped unless it may pass.

    Fails with the questions that only the owner can answer, unless `defaults` drop the columns.
    """
    schema.require((*consent.passed, *consent.dropped))
    settled = {*consent.passed, *consent.dropped}
    settled |= {name for name in consent.scrubbed if not _names_inside(found[name])}
    if not consent.defaults:
        left = [c for c in found.columns if c.name not in settled]
        asked = [c for c in left if c.fate == "ask"]
        require_decided([c for c in left if c.fate in ("generalize", "protect")])
        if asked:
            raise refused([unanswered(column) for column in asked])
    guessed = found.schema()

    def role(name: str) -> Role:
        if name in consent.passed or (name in consent.scrubbed and name in settled):
            return Role.OTHER
        told = guessed[name].role
        doubtful = name in consent.dropped or found[name].fate in ("ask", "drop")
        doubtful |= is_open(found[name])
        if doubtful or (told is Role.OTHER and not consent.rest):
            return Role.ID
        return told

    return Schema(
        tuple(replace(c, role=role(c.name), reason=guessed[c.name].reason) for c in schema.columns)
    )


def _entry(seen: LookColumn, role: Role, dropped: bool, consent: Consent) -> Entry:
    named = not dropped and seen.name in (*consent.passed, *consent.qi)
    fate = Fate.DROPPED if dropped else _FATES[role]
    if seen.name in consent.scrubbed and not dropped:
        fate = Fate.SCRUBBED
    return Entry(fate, role, seen.type, seen.reason, "named" if named else None)


def _alarm(seen: LookColumn, role: Role, consent: Consent) -> Fault | None:
    """Why a column may not be released as its role says, unless somebody named it."""
    likely = seen.identifies and seen.confidence >= LIKELY
    # Who declares a column of repeated numbers knows better what they number.
    likely &= seen.type not in _NUMBERS or seen.unique_share > _MOSTLY
    if seen.name in consent.passed:
        return None
    if seen.name in consent.scrubbed and not (likely or _names_inside(seen)):
        return None
    if role is Role.QI:
        told = (likely or seen.pii) and seen.name not in consent.qi
        return fault(seen, "qi_anyway") if told else None
    if role is Role.SA:
        likely &= seen.type not in _NUMBERS
        return fault(seen, "passed") if likely or seen.pii else None
    return fault(seen, "passed") if seen.identifies or seen.fate == "ask" else None


def _names_inside(seen: LookColumn) -> bool:
    """Whether names were recognized in the texts: those are not replaced."""
    return any(one.type == "name" for one in seen.pii)
