"""What becomes of every column in a release, and who decided it.

decisions = decide_columns(source, request)
decisions.treatments["age"]     # "generalize", "protect", "pass" or "drop"
decisions.known.columns         # what the recipient may know
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tokumei.core.advice.request import DROP, GENERALIZE, KEEP_UNCHANGED, PROTECT
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.scenario import ColumnKnowledge
from tokumei.releases.known_columns import (
    KnownColumns,
    choose_known_columns,
    find_answer_blocks,
)
from tokumei.releases.request import ReleaseTable
from tokumei.tables.advice.table_source import TableSource, is_identifying
from tokumei.tables.anonymization.column_disclosure import NO_PERSON
from tokumei.tables.profiling.normalization_rules import is_date_ambiguous
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile

MIN_PEOPLE = 20
MAX_ROWS_PER_PERSON = 200
"""Fewer people, or people with more rows: the column numbers groups rather than people."""
RECODABLE = ("key-like", "many-words", "unnamed-column", "no-header")
"""Questions about what tells nobody's name: they may leave if k people share them."""
MAX_RECODED = 12
"""With more columns made coarser together, hardly anything would be left of any."""


@dataclass(frozen=True)
class DroppedColumn:
    """A column that does not leave, and why; `in_doubt`: only its owner can judge it."""

    column: str
    code: str
    reason: Message
    in_doubt: bool
    identifies: bool = False
    is_recodable: bool = False
    """Whether, made coarser with what is known, it could leave all the same."""

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "column": self.column,
            "code": self.code,
            "in_doubt": self.in_doubt,
            **self.reason.as_json("reason"),
        }


@dataclass(frozen=True)
class ColumnDecisions:
    """The treatment of every column, the person column ("none": rows), and what led to it."""

    treatments: Mapping[str, str]
    known: KnownColumns
    knowledge: tuple[ColumnKnowledge, ...]
    person: str
    doubted_person: str | None
    consent: tuple[str, ...]
    dropped: tuple[DroppedColumn, ...]

    @property
    def identifiers(self) -> list[str]:
        """The columns that must go: nothing is lost with them."""
        return [item.column for item in self.dropped if item.identifies]

    @property
    def leaving(self) -> list[str]:
        """The columns that leave."""
        return [name for name, treatment in self.treatments.items() if treatment != DROP]

    @property
    def generalized(self) -> list[str]:
        """The columns that are made coarser where that is needed."""
        return [name for name, treatment in self.treatments.items() if treatment == GENERALIZE]


def decide_columns(
    source: TableSource,
    request: ReleaseTable,
    said: Mapping[str, str] | None = None,
    refused: Mapping[str, Message] | None = None,
) -> ColumnDecisions:
    """Decide every column: the owner's words first, then the profile; doubt means drop.

    `said`: treatments that the owner gave before, in the side file of the source. `refused`: why
    the release gate let a column not pass.
    """
    profile, owner, names = source.look, dict(said or {}), source.table.schema.names
    table = request.table
    knowledge = request.knowledge(names)
    said_known = None if knowledge is None else [item.column for item in knowledge]
    source.table.schema.require([*(said_known or ()), *request.keep])
    owner |= dict.fromkeys(table.passed, KEEP_UNCHANGED) | dict.fromkeys(table.dropped, DROP)
    _require_not_contradicted(request, said_known or (), owner)
    person, doubted_person = _person(profile, table.person)
    dropped = dict[str, DroppedColumn]()
    named = {*owner, *(said_known or ()), *table.scrub}
    named |= {
        name
        for block in find_answer_blocks(profile.columns, source.table.frame)
        for name in block
        if not is_identifying(profile[name])
    }
    for name in names:
        reason = _reason_to_drop(profile[name], name == person, owner, is_named=name in named)
        if reason is not None:
            dropped[name] = reason
    for name, text in (refused or {}).items():
        dropped.setdefault(name, DroppedColumn(name, "release-gate", text, True))
    leaving = [name for name in names if name not in dropped]
    known = choose_known_columns(profile, source.table.frame, leaving, said_known)
    generalized = leaving if request.recipient == "public" else known.all
    treatments = {
        name: DROP if name in dropped else _treatment(profile[name], name in generalized)
        for name in names
    }
    consent = tuple(name for name in leaving if _needs_consent(profile[name]))
    return ColumnDecisions(
        treatments,
        known,
        _complete_knowledge(knowledge or (), known),
        person,
        doubted_person,
        consent,
        tuple(dropped.values()),
    )


def _complete_knowledge(
    said: tuple[ColumnKnowledge, ...], known: KnownColumns
) -> tuple[ColumnKnowledge, ...]:
    """What is known: roughly where the owner said so, else exactly."""
    by_column = {item.column: item for item in said}
    return tuple(by_column.get(name, ColumnKnowledge(name)) for name in known.all)


def _require_not_contradicted(
    request: ReleaseTable, known: Sequence[str], owner: Mapping[str, str]
) -> None:
    both = [name for name in known if owner.get(name) == DROP]
    both += [name for name in request.table.passed if name in request.table.dropped]
    if both:
        raise UsageError(
            "{columns}: a column is either dropped or released",
            field="id",
            columns=join_messages(both),
        )


def _person(profile: TableProfile, said: str | None) -> tuple[str, str | None]:
    """The column that tells people apart ("none": rows), and one that may but hardly does."""
    if said is not None:
        return said, None
    person = profile.person
    if person is None or not person.several:
        return NO_PERSON, None
    is_plausible = person.people >= MIN_PEOPLE and (
        person.rows <= MAX_ROWS_PER_PERSON * person.people
    )
    return (person.column, None) if is_plausible else (NO_PERSON, person.column)


def _reason_to_drop(
    column: ColumnProfile, is_person: bool, owner: Mapping[str, str], *, is_named: bool
) -> DroppedColumn | None:
    """Why a column does not leave; None: it does."""
    if is_person:
        return DroppedColumn(column.name, "person", Message("tells people apart"), False, True)
    if owner.get(column.name) == DROP:
        text = Message("dropped on request")
        return DroppedColumn(column.name, "on-request", text, False, column.identifies)
    if is_named:
        return None
    if not column.distinct:
        return None
    if column.identifies:
        return DroppedColumn(column.name, "identifier", column.reason, False, True)
    if column.pii or column.fate == "ask":
        question = column.question
        reason = column.reason if question is None else question.text
        recodable = question is not None and question.id in RECODABLE and not column.pii
        code = "personal-data" if question is None else question.id
        return DroppedColumn(column.name, code, reason, True, is_recodable=recodable)
    if is_date_ambiguous(column):
        text = Message("its days can be read in two ways")
        return DroppedColumn(column.name, "date-order", text, True)
    return None


def _needs_consent(column: ColumnProfile) -> bool:
    """Whether `anonymize` stops at the column unless somebody named it."""
    return is_identifying(column) or column.fate in ("ask", "drop")


def _treatment(column: ColumnProfile, generalized: bool) -> str:
    if generalized:
        return GENERALIZE
    return PROTECT if column.role == "sensitive" else KEEP_UNCHANGED


def recode_doubtful(request: ReleaseTable, decisions: ColumnDecisions) -> ReleaseTable | None:
    """The request in which numbers and words in doubt are known, too, instead of dropped."""
    doubtful = [item.column for item in decisions.dropped if item.is_recodable]
    names = (*decisions.known.columns, *doubtful)
    if not doubtful or len(names) > MAX_RECODED or request.recipient == "public":
        return None
    said = dict(zip(decisions.known.all, decisions.knowledge, strict=True))
    knows = (*(said[name].text for name in decisions.known.columns), *doubtful)
    return replace(request, knows=knows)
