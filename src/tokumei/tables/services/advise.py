"""Makes the adviser of a table that comes as a path, a frame or a Table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, GENERALIZE, PASS, PROTECT, Request
from tokumei.core.option_values import joined
from tokumei.tables.data.table import Table
from tokumei.tables.services.requests import TableRequest

if TYPE_CHECKING:
    from tokumei.tables.advising.adviser import TableAdviser
    from tokumei.tables.advising.source import TableSource

_READING = ("sep", "encoding", "sheet", "header_row", "bad_cells")
_USUAL = {"encoding": "auto", "bad_cells": "refuse"}


@dataclass(frozen=True, kw_only=True)
class AdviseTableRequest:
    """A table, what its release is for, and what the owner decided of its columns.

    `fates` say by column what becomes of it, `hierarchies` are files of the owner's own, by column.
    """

    purpose: Purpose
    table: TableRequest = field(default_factory=TableRequest)
    fates: Mapping[str, str] = field(default_factory=dict)
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = 1


def table_adviser(
    source: Any,
    purpose: Purpose,
    *,
    seed: int | None = 1,
    fates: Mapping[str, str] | None = None,
    person: str | None = None,
    hierarchies: Mapping[str, str] | None = None,
    **reading: Any,
) -> TableAdviser:
    """What gives advice on a path, a frame or a Table; `reading`: options of `anonymize table`."""
    is_file = isinstance(source, str | Path)
    request = AdviseTableRequest(
        purpose=purpose,
        table=TableRequest(data=str(source) if is_file else "", person=person, **reading),
        fates=fates or {},
        hierarchies=hierarchies or {},
        seed=seed,
    )
    return advise_table(request, None if is_file else source)


def advise_table(request: AdviseTableRequest, source: Any = None) -> TableAdviser:
    """What gives advice on the file of a request, or on a frame, a Table or a TableSource."""
    from tokumei.tables.advising.adviser import TableAdviser
    from tokumei.tables.advising.source import TableSource

    decided: dict[str, str] = {}
    if source is None:
        opened, decided = read_advice_source(request.table)
    else:
        opened = source if isinstance(source, TableSource) else take_advice_source(source)
    return TableAdviser.of(
        replace(opened, hierarchies=dict(request.hierarchies)),
        request.purpose,
        seed=request.seed,
        fates=decided | {**request.fates},
        person=request.table.person,
    )


def take_advice_source(source: Any, request: TableRequest | None = None) -> TableSource:
    """A frame or a Table as a source of advice."""
    from tokumei.tables.advising.source import TableSource
    from tokumei.tables.look.first_rows import looked_at
    from tokumei.tables.services.read_table import ReadTable

    table = Table.of(source)
    read, profile = ReadTable(table, None, []), looked_at(table.frame)
    return TableSource(read, profile, request or TableRequest())


def read_advice_source(request: TableRequest) -> tuple[TableSource, dict[str, str]]:
    """The table of a file as `anonymize` reads it, and what was said of its columns."""
    from tokumei.tables.advising.source import TableSource
    from tokumei.tables.look.days import said_of_days
    from tokumei.tables.look.first_rows import looked_at
    from tokumei.tables.services.read_table import open_table_file

    request, read, notes = open_table_file(request, settled=False)
    given = {DROP: request.id, GENERALIZE: request.qi, PROTECT: request.sa, PASS: request.passed}
    decided = {name: fate for fate, names in given.items() for name in names or ()}
    days = said_of_days(request.date_order, request.two_digit_years)
    profile = looked_at(read.table.frame, request.no_normalize, days)
    reading = describe_reading(request) | ({"no_roles": True} if notes else {})
    return TableSource(read, profile, request, (*notes, *read.notes), reading), decided


def describe_reading(request: TableRequest) -> dict[str, Any]:
    """How the file is read where that is not as usual, as options of the command."""
    given = {name: getattr(request, name) for name in _READING}
    found = {n: v for n, v in given.items() if v is not None and v != _USUAL.get(n)}
    return found | ({"no_normalize": list(request.no_normalize)} if request.no_normalize else {})


def command_of(request: Request, file: str, out: str = "release.csv") -> str:
    """The command that makes the release of a candidate."""
    from tokumei.tables.look.command import naming, quote

    parts = [f"tokumei anonymize table --data {quote(file)} --method {request.method}"]
    several = len(request.steps) > 1
    for step in request.steps:
        for key, value in step.items():
            if key == "k" and not several:
                parts.append(f"--k {value}")
            elif key not in ("method", "person"):
                name = f"{step['method']}.{key}" if several else key
                parts.append(f"--set {quote(f'{name}={json.dumps(value, ensure_ascii=False)}')}")
    named = {"qi": GENERALIZE, "sa": PROTECT, "id": DROP}
    for name, fate in named.items():
        columns = [n for n in request.with_fate(fate) if n != request.person]
        if columns:
            parts.append(naming(f"--{name}", *columns))
    passed = [n for n in request.consent if request.columns[n] != GENERALIZE]
    anyway = [n for n in request.consent if request.columns[n] == GENERALIZE]
    parts += [naming("--pass", *passed)] if passed else []
    parts += [naming("--qi-anyway", *anyway)] if anyway else []
    parts += [naming("--person", request.person)] if request.person else []
    for name, value in request.reading.items():
        option = f"--{name.replace('_', '-')}"
        given = joined(value) if isinstance(value, list) else str(value)
        parts.append(option if value is True else f"{option} {quote(given)}")
    return " ".join([*parts, f"--out {quote(out)} --secret {quote(f'{out}.secret')}"])
