"""Reads `tokumei-checks.yaml`: files that are published, and the models that each must fulfil.

    - data: public/customers.csv
      qi: [age, sex]
      k: 5
      sa: [illness]
      l: 2

Paths are relative to the file. Other keys: `t`, `models`, `person`, `hierarchies`, `sep`,
`encoding`. Without a model, a release is checked as its manifest claims.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message
from tokumei.core.yaml_models import StrictModel, load_yaml, read_yaml_text
from tokumei.tables.services.check import CheckedTable, CheckTableRequest, check_table

CHECKS_FILE = "tokumei-checks.yaml"


class FileCheck(StrictModel):
    """One published file and its models."""

    data: str
    qi: tuple[str, ...] = ()
    sa: tuple[str, ...] = ()
    k: int | None = None
    l: int | None = None  # noqa: E741  the literature's name
    t: float | None = None
    models: tuple[str, ...] = ()
    person: str | None = None
    hierarchies: str | None = None
    sep: str | None = None
    encoding: str = "auto"


def read_checks(path: Path) -> list[FileCheck]:
    """The checks in a file."""
    content = load_yaml(read_yaml_text(path), where=str(path))
    try:
        return TypeAdapter(list[FileCheck]).validate_python(content)
    except ValidationError as err:
        first = err.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(
            "{path}: cannot be used as a list of checks: {place}: {reason}",
            path=path,
            place=place,
            reason=first["msg"],
        ) from None


def run_check(check: FileCheck, folder: Path) -> CheckedTable:
    """Recompute the models of a file, whose path is relative to the folder."""
    named = [
        f"{name}={value}" for name, value in (("l", check.l), ("t", check.t)) if value is not None
    ]
    hierarchies = None if check.hierarchies is None else str(folder / check.hierarchies)
    return check_table(
        CheckTableRequest(
            release=str(folder / check.data),
            qi=check.qi,
            sa=check.sa,
            k=check.k,
            models=(*named, *check.models),
            person=check.person,
            hierarchies=hierarchies,
            sep=check.sep,
            encoding=check.encoding,
        )
    )


def describe_check(checked: CheckedTable, *, show_values: bool = False) -> list[Message]:
    """The violations that were found, by line; with `show_values`, with the cells of classes."""
    if show_values:
        return [fault.message for fault in checked.faults]
    by_rule: dict[str, list[Violation]] = {}
    for fault in checked.faults:
        by_rule.setdefault(fault.rule, []).append(fault)
    return [line for rule, faults in by_rule.items() for line in _describe_rule(rule, faults)]


def _describe_rule(rule: str, faults: list[Violation]) -> list[Message]:
    """How many classes break a rule, and the line of the first; what has no line, has no cells."""
    lines = [fault.line for fault in faults if fault.line]
    if not lines:
        return [fault.message for fault in faults]
    return [
        Message(
            "{count} class breaks {rule}; its first row is on line {line}",
            plural="{count:,} classes break {rule}; the first row of one is on line {line}",
            count=len(lines),
            rule=rule,
            line=lines[0],
        )
    ]
