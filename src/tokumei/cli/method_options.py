"""Options made from the fields of methods: `--scale 0.1` for a method with a field `scale`.

Which methods there are depends on `--method`, so their options are read after all others, from
what the command line has left over.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_origin, get_type_hints

from tokumei.cli.values import parameter_value, plain_type
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text

Classes = Mapping[str, type[Any]]


def take_parameters(rest: Sequence[str], methods: Classes, known: Sequence[str]) -> dict[str, Any]:
    """Parameters of the methods from what is left of a command line; all of it must be one."""
    hints = {name: hint for kind in methods.values() for name, hint in field_hints(kind).items()}
    found: dict[str, Any] = {}
    waiting = list(rest)
    while waiting:
        option = waiting.pop(0)
        if not option.startswith("--"):
            raise UsageError(
                f"'{option}' is not an option; options start with --",
                f"'{option}' はオプションではありません (オプションは -- で始まります)",
            )
        written, equals, text = option.removeprefix("--").partition("=")
        name = written.replace("-", "_")
        if name not in hints:
            valid = [*known, *(one.replace("_", "-") for one in hints)]
            what = Text("option", "オプション")
            raise UnknownNameError(what, f"--{written}", [f"--{one}" for one in valid])
        value: str | None = text if equals else None
        flag = plain_type(hints[name]) is bool
        if not equals and not flag and waiting:
            value = waiting.pop(0)
        found[name] = parameter_value(value, hints[name], f"--{written}")
    return found


def field_hints(kind: type[Any]) -> dict[str, Any]:
    """The fields of a method's class that can be given, with their types."""
    hints = get_type_hints(kind)
    fields = dataclasses.fields(kind)
    return {one.name: hints[one.name] for one in fields if one.init}


def parameter_help(methods: Classes) -> str:
    """Every method: what it does, and its options with their defaults."""
    lines = []
    for name, kind in methods.items():
        options = ", ".join(_shown(one, hint) for one, hint in _fields(kind))
        sentence: Text | None = getattr(kind, "sentence", None)
        lines.append(f"{name}: {' '.join(filter(None, (sentence and sentence.show(), options)))}")
    return "\n\n".join(lines)


def _fields(kind: type[Any]) -> list[tuple[dataclasses.Field[Any], Any]]:
    hints = get_type_hints(kind)
    return [(one, hints[one.name]) for one in dataclasses.fields(kind) if one.init]


def _shown(one: dataclasses.Field[Any], hint: Any) -> str:
    option = f"--{one.name.replace('_', '-')}"
    plain = plain_type(hint)
    if plain is bool:
        return option
    if get_origin(plain) is not None and get_args(plain) and isinstance(get_args(plain)[0], str):
        return f"{option} {'|'.join(map(str, get_args(plain)))}"
    if one.default is dataclasses.MISSING or one.default is None:
        return option
    return f"{option} {one.default}"
