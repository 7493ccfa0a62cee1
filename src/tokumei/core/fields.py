"""Names the fields of requests as the front end in use writes them.

    field_name("qi_anyway")              # --qi-anyway, qi_anyway=, qi_anyway:
    field_value("person", "none")        # --person none, person="none", person: none
    field_values("id", ["uid"])          # --id uid, ids=["uid"], ids: [uid]

An error that is raised below the front ends names the field of the request; what a user reads is
what this user can write. A front end says at its entry which one it is (`using_front_end`), for the
rest of its context, as it does with the language; without that, it is Python. Threads see it if
they are of a `ContextThreadPool` (`core/context_threads.py`). What only the command line has is
named in its way everywhere.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum

Value = str | int | float | bool


class FrontEnd(Enum):
    """The front end that built the request; the value is its notation of a field."""

    COMMAND_LINE = "--{}"
    PYTHON = "{}="
    RECIPE = "{}:"
    FORM = "'{}'"


_front_end: ContextVar[FrontEnd] = ContextVar("tokumei_front_end", default=FrontEnd.PYTHON)
_COMMAND_LINE_ONLY = frozenset({"answers", "cluster", "engine"})
_SPELLED: Mapping[str, Mapping[FrontEnd, str]] = {
    "id": {FrontEnd.PYTHON: "ids", FrontEnd.RECIPE: "ids"},
    "kind": {FrontEnd.PYTHON: "kinds", FrontEnd.RECIPE: "kinds"},
    "model": {FrontEnd.PYTHON: "conditions", FrontEnd.RECIPE: "conditions"},
    "passed": {FrontEnd.COMMAND_LINE: "pass"},
    "truth": {FrontEnd.PYTHON: "link"},
}
"""Fields that a front end calls by another name than requests do."""


@contextmanager
def using_front_end(front_end: FrontEnd) -> Iterator[None]:
    """Fields inside the block are named as this front end writes them."""
    token = _front_end.set(front_end)
    try:
        yield
    finally:
        _front_end.reset(token)


def current_front_end() -> FrontEnd:
    """The front end in use; Python unless another one said so."""
    return _front_end.get()


def takes_field(field: str) -> bool:
    """Whether the front end in use has the field at all."""
    return current_front_end() is FrontEnd.COMMAND_LINE or field not in _COMMAND_LINE_ONLY


def field_name(field: str) -> str:
    """A field without a value."""
    return _place(field).value.format(_spelled(field))


def field_value(field: str, value: Value) -> str:
    """A field with its one value; a flag that is on."""
    place = _place(field)
    if place is FrontEnd.COMMAND_LINE:
        return field_name(field) if value is True else f"{field_name(field)} {_quoted(str(value))}"
    return _assigned(field, _literal(value, place), place)


def field_values(field: str, values: Iterable[str]) -> str:
    """A field with a list of names."""
    from tokumei.core.option_parsing import join_names

    place, names = _place(field), list(values)
    if place is FrontEnd.COMMAND_LINE:
        return f"{field_name(field)} {_quoted(join_names(names))}"
    listed = ", ".join(_literal(name, place) for name in names)
    return _assigned(field, f"[{listed}]", place)


def method_parameter(parameter: str, values: Iterable[str]) -> str:
    """A parameter of a method, which is a list of names."""
    if current_front_end() is FrontEnd.COMMAND_LINE:
        return f"--set '{parameter}=[{','.join(values)}]'"
    return field_values(parameter, values)


def parameter_name(parameter: str) -> str:
    """A parameter of a method without its value."""
    if current_front_end() is FrontEnd.COMMAND_LINE:
        return f"--set {parameter}"
    return field_name(parameter)


def as_current_front_end(option: str) -> str:
    """An option of the command line with its value, as the front end in use writes it."""
    name, _, value = option.removeprefix("--").partition(" ")
    field = {"pass": "passed"}.get(name, name.replace("-", "_"))
    words = shlex.split(value)
    if not takes_field(field) or len(words) != 1:
        return option
    if field in ("id", "qi", "sa", "passed", "scrub", "sets"):
        return field_values(field, [words[0]])
    return field_value(field, words[0])


def _place(field: str) -> FrontEnd:
    return current_front_end() if takes_field(field) else FrontEnd.COMMAND_LINE


def _spelled(field: str) -> str:
    place = _place(field)
    name = _SPELLED.get(field, {}).get(place, field)
    return name.replace("_", "-") if place is FrontEnd.COMMAND_LINE else name


def _assigned(field: str, literal: str, place: FrontEnd) -> str:
    if place is FrontEnd.PYTHON:
        return f"{_spelled(field)}={literal}"
    return f"{_spelled(field)}: {literal}"


def _literal(value: Value, place: FrontEnd) -> str:
    """A value as Python or YAML writes it."""
    if isinstance(value, str):
        plain = place is not FrontEnd.PYTHON and re.fullmatch(r"[^\W\d][\w-]*", value)
        return value if plain else json.dumps(value, ensure_ascii=False)
    return repr(value) if place is FrontEnd.PYTHON else json.dumps(value)


def _quoted(text: str) -> str:
    """A word as a shell takes it; letters of any language need no quotation marks."""
    return text if re.fullmatch(r"[\w@%+=:,./-]+", text) else shlex.quote(text)
