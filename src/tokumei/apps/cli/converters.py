"""Converts the text of an option to the value of a field, by the field's type.

Methods have options made from their fields: `--scale 0.1` for a method with a field `scale`. Which
methods there are depends on `--method`, so these are read after all others, from what the command
line has left over.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, Union, get_args, get_origin

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.option_parsing import (
    parse_integers,
    parse_number_pairs,
    parse_pairs,
    parse_shares,
    split_names,
)
from tokumei.core.registry import field_type_hints

if TYPE_CHECKING:
    from tokumei.apps.cli.dispatch import OptionSpec

OptionValue = bool | str | list[str] | float
MethodClass: TypeAlias = type[object]
MethodClasses = Mapping[str, MethodClass]


def strip_optional(hint: object) -> object:
    """A type without `None`."""
    if get_origin(hint) in (Union, types.UnionType):
        other_types = [part for part in get_args(hint) if part is not type(None)]
        return other_types[0] if len(other_types) == 1 else hint
    return hint


def argument_type(hint: object) -> object:
    """The type that the command line asks for, to be made a `hint` by `convert_value`."""
    hint = strip_optional(hint)
    origin = get_origin(hint)
    if origin is tuple:
        return str
    if hint is Path or origin is list:
        return list[str] if origin is list else str
    if origin is dict or hint is dict:
        return list[str]
    if origin is Literal or hint in (str, int, float, bool):
        return hint
    return str


def convert_value(value: OptionValue, hint: object, where: str) -> object:
    """Convert a value of the command line to a field of type `hint`."""
    hint = strip_optional(hint)
    origin, type_args = get_origin(hint), get_args(hint)
    if origin is Literal and value not in type_args:
        raise UnknownNameError(Message("value"), str(value), type_args, where=where)
    if isinstance(value, str):
        if origin is tuple and type_args[0] is int:
            return parse_integers(value, where)
        if origin is tuple:
            return parse_shares(value, where) if type_args[0] is float else split_names(value)
        return Path(value) if hint is Path else value
    if not isinstance(value, list):
        return value
    if origin is dict and type_args[1] in (int, float):
        return parse_number_pairs(value, type_args[1], where)
    if origin is dict:
        if type_args[1] is str:
            return parse_pairs([part for text in value for part in split_names(text)], where)
        return parse_settings(value)
    return [Path(text) for text in value] if hint == list[Path] else value


def convert_text(text: bool | str | list[str], option: OptionSpec) -> OptionValue:
    """The text of an option in its type on the command line: a number in its range, a choice."""
    if not isinstance(text, str):
        return text
    if get_origin(option.type) is Literal and text not in get_args(option.type):
        raise UnknownNameError(Message("value"), text, get_args(option.type), where=option.written)
    if option.type not in (int, float):
        return text
    try:
        number = int(text) if option.type is int else float(text)
    except ValueError:
        is_integer = option.type is int
        reason = Message("a whole number is needed" if is_integer else "a number is needed")
        raise _invalid_value_error(option.written, reason) from None
    _require_range(number, option)
    return number


def _require_range(number: float, option: OptionSpec) -> None:
    least, most = option.limits
    if least is not None and number < least:
        raise _invalid_value_error(
            option.written, Message("it must be at least {least}", least=least)
        )
    if most is not None and number > most:
        raise _invalid_value_error(option.written, Message("it must be at most {most}", most=most))


def _invalid_value_error(flag: str, reason: Message) -> UsageError:
    """The error of a value that cannot be used."""
    return UsageError("{option}: {reason}", option=flag, reason=reason)


def parse_settings(texts: list[str]) -> dict[str, object]:
    """`key=value` texts; values as YAML (numbers, true/false, [lists], text)."""
    if not texts:
        return {}
    from tokumei.core.yaml_models import load_yaml

    return {
        key: load_yaml(value, where=f"--set {key}")
        for key, value in parse_pairs(texts, "--set").items()
    }


def parse_parameter(text: str | None, hint: object, option: str) -> object:
    """The text after a method's option, as its field needs it; None: the option stood alone."""
    from tokumei.core.yaml_models import load_yaml

    hint = strip_optional(hint)
    if text is None:
        if hint is bool:
            return True
        raise UsageError("{option} needs a value", option=option)
    if get_origin(hint) is tuple and not text.lstrip().startswith("["):
        return list(split_names(text))
    if hint is str:
        return text
    as_yaml = text.lstrip().startswith("{")  # rather than as a=1,b=2
    if get_origin(hint) in (dict, Mapping) and not as_yaml:
        number = get_args(hint)[1]
        if number in (float, int):
            return parse_number_pairs([text], number, option)
    return load_yaml(text, where=option)


def parse_parameters(
    rest: Sequence[str], methods: MethodClasses, option_error: Callable[[str], UsageError]
) -> dict[str, object]:
    """Parameters of the methods from what is left of a command line; all of it must be one.

    `option_error` makes the error of an option that is none of theirs, and of what is no option.
    """
    hints = {
        name: hint
        for method_class in methods.values()
        for name, hint in field_hints(method_class).items()
    }
    parameters: dict[str, object] = {}
    remaining = list(rest)
    while remaining:
        option = remaining.pop(0)
        if not option.startswith("--"):
            raise option_error(option)
        option_name, equals, text = option.partition("=")
        name = option_name.removeprefix("--").replace("-", "_")
        if name not in hints:
            raise option_error(option_name)
        if name in parameters:
            raise duplicate_option_error(option_name)
        value: str | None = text if equals else None
        flag = strip_optional(hints[name]) is bool
        if not equals and not flag and remaining:
            value = remaining.pop(0)
        parameters[name] = parse_parameter(value, hints[name], option_name)
    return parameters


def duplicate_option_error(option: str) -> UsageError:
    """The error of an option with two values, of which one would be dropped."""
    return UsageError("{option} is given twice", option=option)


def methods_with_option(option: str, methods: MethodClasses) -> list[str]:
    """The methods that have an option."""
    name = option.removeprefix("--").replace("-", "_")
    return [
        method_name
        for method_name, method_class in methods.items()
        if name in field_hints(method_class)
    ]


def field_hints(method_class: MethodClass) -> dict[str, object]:
    """The fields of a method's class that can be given, with their types."""
    return {field.name: hint for field, hint in _settable_fields(method_class)}


def format_parameter_help(methods: MethodClasses) -> str:
    """Every method: what it does, and its options with their defaults."""
    lines = []
    for name, method_class in methods.items():
        options = ", ".join(
            _format_option(field, hint) for field, hint in _settable_fields(method_class)
        )
        sentence: Message | str = getattr(method_class, "sentence", "")
        lines.append(f"{name}: {' '.join(filter(None, (str(sentence), options)))}")
    return "\n\n".join(lines)


def _settable_fields(method_class: MethodClass) -> list[tuple[dataclasses.Field[object], object]]:
    assert dataclasses.is_dataclass(method_class)
    hints = field_type_hints(method_class)
    return [(field, hints[field.name]) for field in dataclasses.fields(method_class) if field.init]


def _format_option(field: dataclasses.Field[object], hint: object) -> str:
    option = f"--{field.name.replace('_', '-')}"
    plain_hint = strip_optional(hint)
    if plain_hint is bool:
        return option
    if (
        get_origin(plain_hint) is not None
        and get_args(plain_hint)
        and isinstance(get_args(plain_hint)[0], str)
    ):
        return f"{option} {'|'.join(map(str, get_args(plain_hint)))}"
    if field.default is dataclasses.MISSING or field.default in (None, "", ()):
        return option
    return f"{option} {format_default(field.default)}"


def format_default(value: object) -> str:
    """A default as it would be typed: `2-20`, `a,b`, `0.5`."""
    if not isinstance(value, tuple):
        return str(value)
    whole = len(value) > 2 and all(type(element) is int for element in value)
    if whole and value == tuple(range(value[0], value[0] + len(value))):
        return f"{value[0]}-{value[-1]}"
    return ",".join(map(str, value))
