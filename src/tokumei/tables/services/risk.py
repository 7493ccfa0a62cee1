"""Measures how easily people are found in a table, original or released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.tables.risk.risk import Risk, risk
from tokumei.tables.services.plan_table import role_notes
from tokumei.tables.services.read_comparison import (
    read_known_roles,
    read_original,
    read_saved_person,
)

if TYPE_CHECKING:
    from tokumei.tables.data.table import Table

NO_QI = Message(
    "Roles inferred from the data: no column is a quasi-identifier. Name them with --qi"
)


@dataclass(frozen=True, kw_only=True)
class RiskTableRequest:
    """A table and the population it is drawn from: a number of people, or a table of them."""

    data: str
    qi: tuple[str, ...] | None = None
    kind: Mapping[str, str] = field(default_factory=dict)
    person: str | None = None
    population: int | None = None
    population_file: str | None = None
    sample_fraction: float | None = None
    threshold: float = 0.2
    max_size: int = 3
    rule: Literal["bracket", "dankar"] = "bracket"
    sep: str | None = None
    encoding: str = "auto"


@dataclass(frozen=True)
class MeasuredRisk:
    """The risk, and remarks on roles and on how people were counted."""

    risk: Risk
    notes: list[Message]


def measure_table_risk(request: RiskTableRequest) -> MeasuredRisk:
    """Read the table, and its population if it is a file, and measure the risk."""
    qi, notes = request.qi, list[Message]()
    if qi is None:
        qi, notes = _infer_quasi_identifiers(request)
    table = _read(request, request.data, qi)
    if not table.schema.qi:
        raise UsageError(NO_QI)
    person = _person(request, table)
    population: int | Table | None = request.population
    if request.population_file is not None:
        population = _read(request, request.population_file, table.schema.qi)
    found = risk(
        table,
        population=population,
        sample_fraction=request.sample_fraction,
        threshold=request.threshold,
        max_size=request.max_size,
        rule=request.rule,
        person=person,
    )
    return MeasuredRisk(
        found, [*notes, *([_describe_people(table, found, person)] if person else [])]
    )


def _person(request: RiskTableRequest, table: Table) -> str | None:
    """The column that tells people apart: as asked, or as the side file says."""
    if request.person is not None:
        return None if request.person == "none" else request.person
    saved = read_saved_person(request.data)
    return saved if saved in table.schema.names and saved not in table.schema.qi else None


def _infer_quasi_identifiers(request: RiskTableRequest) -> tuple[tuple[str, ...], list[Message]]:
    """What was said of the file, or what its profile takes for quasi-identifiers, and why."""
    from tokumei.tables.services.profile import ProfileTableRequest, profile_table

    saved, notes = read_known_roles(request.data)
    if saved is not None:
        return tuple(saved[0]), notes
    profile = ProfileTableRequest(data=request.data, sep=request.sep, encoding=request.encoding)
    schema = profile_table(profile).schema()
    return tuple(schema.qi), role_notes(schema, ("qi",))


def _read(request: RiskTableRequest, path: str, qi: Sequence[str] | None) -> Table:
    """A table whose sensitive cells, if any, are not looked at."""
    from tokumei.tables.data.reading import read_table

    roles: dict[str, Any] = {"qi": qi, "sa": [], "kinds": request.kind}
    form: dict[str, Any] = {"sep": request.sep, "encoding": request.encoding}
    try:
        return read_table(path, **roles, **form, release=True)
    except UnknownNameError:  # perhaps the first line holds cells, which no message may list
        return read_original(path, **roles, **form)[0]
    except InputError as err:
        try:
            return read_original(path, **roles, **form)[0]
        except InputError:
            raise err from None


def _describe_people(table: Table, found: Risk, person: str) -> Message:
    from tokumei.tables.data.column_encoding import count_persons

    people = count_persons(table.frame[person])
    return Message(
        "Counted by {person}: {people:,} people in {rows:,} rows; rows of one person with the same "
        "quasi-identifiers count once ({counted:,})",
        person=person,
        people=people,
        rows=table.rows,
        counted=found.rows,
    )
