"""Applies the roles and the scenario saved beside a source (`tokumei look --save`) to a request.

What the request says itself overrides the saved roles, and a note says so.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tokumei.core.errors import ClaimError, UsageError, Violation
from tokumei.core.fields import field_name
from tokumei.core.messages import AND, Message, join_messages

if TYPE_CHECKING:
    from tokumei.tables.services.requests import TableRequest

_COLUMN_FIELDS = ("id", "qi", "sa", "passed")
_OPTION_BY_FATE = {"drop": "id", "generalize": "qi", "protect": "sa"}


def apply_saved_roles(
    request: TableRequest, *, settled: bool = True
) -> tuple[TableRequest, list[Message]]:
    """Add roles, person, scenario and dialect from the side file; return the request with notes.

    Columns in doubt are refused unless nothing will be released (`settled=False`).
    """
    from tokumei.tables.profiling.profile_file import (
        profile_path,
        read_profile_file,
        scenario_of,
    )

    roles_path = Path(request.roles_file) if request.roles_file else profile_path(request.data)
    if request.no_roles and request.roles_file:
        raise UsageError("--roles and --no-roles contradict each other")
    if request.no_roles or not (request.roles_file or roles_path.is_file()):
        return request, []
    content = read_profile_file(roles_path)
    if request.scenario is None:
        request = replace(request, scenario=scenario_of(content, roles_path))
    dialect = content["dialect"] if isinstance(content["dialect"], dict) else {}
    if _has_plain_header(dialect):
        read_profile_file(roles_path, _read_column_names(request))
    columns, person = cast("dict[str, Any]", content["columns"]), content["person"]
    reading = _dialect_options(dialect, request) | _date_options(content["answers"], request)
    if settled:
        columns, person = _answered(content, request)
        if not columns and person is None:
            return replace(request, **reading), []
    saved = _columns_by_option(columns, request, str(roles_path) if settled else None) | reading
    if person is not None:
        saved["id"] = tuple(name for name in saved["id"] if name != person)
        saved["person"] = person if request.counts_people else None
        saved["id"] += () if saved["person"] else (person,)
    overridden = [name for name in (*_COLUMN_FIELDS, "person") if getattr(request, name)]
    note = Message("Roles from {path}", path=roles_path)
    if overridden:
        note = Message(
            "Roles from {path}, except of the columns that {options} name",
            path=roles_path,
            options=join_messages(map(field_name, overridden), last=AND),
        )
    withheld = _columns_without_consent(columns, request) if settled else []
    saved["id"] += tuple(withheld)
    notes = [note, *([_describe_withheld(withheld)] if withheld else [])]
    identifiers = (*(request.id or ()), *_answered_drops(columns, request))
    return replace(request, identifiers=identifiers, **_merge_with_options(saved, request)), notes


def _answered(content: dict[str, Any], request: TableRequest) -> tuple[dict[str, Any], str | None]:
    """The columns and the person to be taken from a side file, of which something is released.

    Without roles all of them: the profile proposed what would be inferred. Beside roles only what
    a person answered, because what the profile proposed is to change nothing.
    """
    from tokumei.tables.profiling.profile_file import answered_person, counted_person, is_answered

    columns = content["columns"]
    if not request.inferred:
        answered = {name: one for name, one in columns.items() if is_answered(one)}
        return answered, answered_person(content)
    if request.answers == "defaults":
        columns = {
            name: {**one, "fate": "drop"} if one.get("fate") == "ask" else one
            for name, one in columns.items()
        }
    return columns, counted_person(content)


def _answered_drops(columns: dict[str, Any], request: TableRequest) -> list[str]:
    """Columns in doubt that a person drops in the side file, as `id` does; an option overrides."""
    return [
        name
        for name, column in columns.items()
        if column.get("proposed") == "ask"
        and column["fate"] == "drop"
        and name not in _columns_in_options(request)
    ]


def _columns_without_consent(columns: dict[str, Any], request: TableRequest) -> list[str]:
    """Columns that would pass, but nobody consented to it: neither there nor by an option."""
    if request.pass_rest:
        return []
    passed = (name for name, column in columns.items() if column["fate"] == "pass")
    return [
        n for n in passed if not columns[n].get("consent") and n not in _columns_in_options(request)
    ]


def _describe_withheld(names: list[str]) -> Message:
    return Message(
        "Not released, because nobody consented: {columns} ({option} with their names, or "
        'consent "named" in the side file, releases them)',
        columns=join_messages(names),
        option=field_name("passed"),
    )


def _merge_with_options(saved: dict[str, Any], request: TableRequest) -> dict[str, Any]:
    """What was said before, but for columns that an option names now.

    `--qi` and `--sa` name all such columns; `--id` and `--pass` add to what was said.
    """
    columns_by_option = {name: getattr(request, name) or () for name in _COLUMN_FIELDS}
    columns_by_option["id"] = request.dropped
    all_named = {column for columns in columns_by_option.values() for column in columns}
    merged = dict(saved)
    for option, columns in columns_by_option.items():
        replaced = option in ("qi", "sa") and columns
        saved_columns = (
            ()
            if replaced
            else (saved_column for saved_column in saved[option] if saved_column not in all_named)
        )
        merged[option] = (*saved_columns, *columns)
    if request.person or saved.get("person") in all_named:
        merged["person"] = request.person
    return merged


def _read_column_names(request: TableRequest) -> list[str] | None:
    """The columns of the source, if they can be had without reading it whole."""
    from tokumei.files.file_formats import FileFormat, detect_format

    if request.engine == "spark" or detect_format(request.data) is FileFormat.XLSX:
        return None
    from tokumei.tables.engines.stream_files import open_stream

    return list(open_stream(request.data, sep=request.sep, encoding=request.encoding).names)


def _columns_by_option(
    columns: dict[str, Any], request: TableRequest, path: str | None
) -> dict[str, Any]:
    """Columns by option: what is dropped, generalized, protected, and passes by name.

    Questions that are open in the file `place` are faults; None: they may stay open.
    """
    from tokumei.tables.profiling.profile_file import UNNAMED_CONSENT

    by_option: dict[str, list[str]] = {"id": [], "qi": [], "sa": [], "passed": []}
    faults = []
    for name, column in columns.items():
        fate = column.get("fate") if isinstance(column, dict) else None
        if fate in _OPTION_BY_FATE:
            by_option[_OPTION_BY_FATE[fate]].append(name)
        elif fate == "pass":
            by_option["passed"] += (
                [name] if column.get("consent") not in (None, UNNAMED_CONSENT) else []
            )
        elif fate != "ask":
            raise UsageError(
                "{path}: column '{column}': fate is drop, generalize, protect, pass or ask",
                path=path,
                column=name,
            )
        elif path is not None and name not in _columns_in_options(request):
            faults.append(_open_question_violation(name, path))
    if faults:
        raise ClaimError("{path}: some columns are still in doubt", faults=faults, path=path)
    return {option: tuple(names) for option, names in by_option.items()}


def _columns_in_options(request: TableRequest) -> set[str]:
    """The columns that an option names."""
    return {
        *request.dropped,
        *(request.qi or ()),
        *(request.sa or ()),
        *request.passed,
        *request.scrub,
    }


def _open_question_violation(name: str, path: str) -> Violation:
    return Violation(
        rule="unanswered",
        column=name,
        message=Message(
            "'{column}' is in doubt: in {path}, replace ask by drop, generalize or protect, or by "
            'pass with consent "named"',
            column=name,
            path=path,
        ),
    )


def _has_plain_header(dialect: dict[str, Any]) -> bool:
    """Whether the names stand in the first line of a text file."""
    return dialect.get("header_row") == 1 and dialect.get("sheet") is None


def _dialect_options(dialect: dict[str, Any], request: TableRequest) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if request.sep is None and isinstance(dialect.get("separator"), str):
        options["sep"] = dialect["separator"]
    if request.encoding == "auto" and isinstance(dialect.get("encoding"), str):
        options["encoding"] = dialect["encoding"]
    if not _has_plain_header(dialect):
        options["sheet"] = dialect.get("sheet")
        options["header_row"] = str(dialect.get("header_row") or "none")
    return options


def _date_options(answers: Any, request: TableRequest) -> dict[str, Any]:
    """How days are written, where no option says it."""
    from tokumei.tables.profiling.normalization_rules import read_date_answers

    date_answers = read_date_answers(answers)
    options = {"date_order": date_answers.order or None, "two_digit_years": date_answers.latest}
    return {name: value for name, value in options.items() if getattr(request, name) is None}
