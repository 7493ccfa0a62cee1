"""Makes the adviser of a table that comes as a path, a frame or a Table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, GENERALIZE, KEEP_UNCHANGED, PROTECT, Request
from tokumei.core.option_parsing import join_names
from tokumei.tables.data.table import Table
from tokumei.tables.services.requests import TableRequest

if TYPE_CHECKING:
    from tokumei.tables.advice.adviser import TableAdviser
    from tokumei.tables.advice.table_source import TableSource

_READING_OPTIONS = ("sep", "encoding", "sheet", "header_row", "bad_cells")
_DEFAULT_OPTIONS = {"encoding": "auto", "bad_cells": "refuse"}


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


def build_table_adviser(
    source: Any,
    purpose: Purpose,
    *,
    seed: int | None = 1,
    fates: Mapping[str, str] | None = None,
    person: str | None = None,
    hierarchies: Mapping[str, str] | None = None,
    **reading: Any,
) -> TableAdviser:
    """The adviser of a path, a frame or a Table; `reading`: options of `anonymize table`."""
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
    """The adviser of the file of a request, or of a frame, a Table or a TableSource."""
    from tokumei.tables.advice.adviser import TableAdviser
    from tokumei.tables.advice.table_source import TableSource

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
    from tokumei.tables.advice.table_source import TableSource
    from tokumei.tables.profiling.first_rows import profile_sample
    from tokumei.tables.services.read_table import ReadTable

    table = Table.of(source)
    read, profile = ReadTable(table, None, []), profile_sample(table.frame)
    return TableSource(read, profile, request or TableRequest())


def read_advice_source(request: TableRequest) -> tuple[TableSource, dict[str, str]]:
    """The table of a file as `anonymize` reads it, and what was said of its columns."""
    from tokumei.tables.advice.table_source import TableSource
    from tokumei.tables.profiling.first_rows import profile_sample
    from tokumei.tables.profiling.normalization_rules import parse_date_decisions
    from tokumei.tables.services.read_table import open_table_file

    request, table_file, notes = open_table_file(request, settled=False)
    columns_by_fate = {
        DROP: request.id,
        GENERALIZE: request.qi,
        PROTECT: request.sa,
        KEEP_UNCHANGED: request.passed,
    }
    decided = {name: fate for fate, names in columns_by_fate.items() for name in names or ()}
    days = parse_date_decisions(request.date_order, request.two_digit_years)
    profile = profile_sample(table_file.table.frame, request.no_normalize, days)
    reading = describe_reading(request) | ({"no_roles": True} if notes else {})
    return TableSource(table_file, profile, request, (*notes, *table_file.notes), reading), decided


def describe_reading(request: TableRequest) -> dict[str, Any]:
    """How the file is read where that is not as usual, as options of the command."""
    options = {name: getattr(request, name) for name in _READING_OPTIONS}
    unusual = {n: v for n, v in options.items() if v is not None and v != _DEFAULT_OPTIONS.get(n)}
    return unusual | ({"no_normalize": list(request.no_normalize)} if request.no_normalize else {})


def format_anonymize_command(request: Request, file: str, out: str = "release.csv") -> str:
    """The command that makes the release of a candidate."""
    from tokumei.tables.profiling.suggested_command import format_column_option, quote_for_shell

    parts = [f"tokumei anonymize table --data {quote_for_shell(file)} --method {request.method}"]
    several = len(request.steps) > 1
    for step in request.steps:
        for key, value in step.items():
            if key == "k" and not several:
                parts.append(f"--k {value}")
            elif key not in ("method", "person"):
                name = f"{step['method']}.{key}" if several else key
                parts.append(
                    f"--set {quote_for_shell(f'{name}={json.dumps(value, ensure_ascii=False)}')}"
                )
    role_options = {"qi": GENERALIZE, "sa": PROTECT, "id": DROP}
    for name, fate in role_options.items():
        columns = [n for n in request.columns_with_treatment(fate) if n != request.person]
        if columns:
            parts.append(format_column_option(f"--{name}", *columns))
    passed = [n for n in request.consent if request.columns[n] != GENERALIZE]
    generalized_anyway = [n for n in request.consent if request.columns[n] == GENERALIZE]
    parts += [format_column_option("--pass", *passed)] if passed else []
    parts += (
        [format_column_option("--qi-anyway", *generalized_anyway)] if generalized_anyway else []
    )
    parts += [format_column_option("--person", request.person)] if request.person else []
    for name, value in request.reading.items():
        option = f"--{name.replace('_', '-')}"
        text = join_names(value) if isinstance(value, list) else str(value)
        parts.append(option if value is True else f"{option} {quote_for_shell(text)}")
    return " ".join(
        [*parts, f"--out {quote_for_shell(out)} --secret {quote_for_shell(f'{out}.secret')}"]
    )
