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
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.option_values import number_pairs, numbers, pairs, shares, split
from tokumei.core.registry import hints_of
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.cli.dispatch import OptionSpec

Classes = Mapping[str, type[Any]]


def plain_type(hint: Any) -> Any:
    """A type without `None`."""
    if get_origin(hint) in (Union, types.UnionType):
        rest = [part for part in get_args(hint) if part is not type(None)]
        return rest[0] if len(rest) == 1 else hint
    return hint


def command_type(hint: Any) -> Any:
    """The type that the command line asks for, to be made a `hint` by `convert_value`."""
    hint = plain_type(hint)
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


def convert_value(given: Any, hint: Any, where: str) -> Any:
    """What the command line gave, as a field of type `hint`."""
    hint = plain_type(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal and given not in parts:
        raise UnknownNameError(Text("value", "値"), given, parts, where=where)
    if origin is tuple:
        readers: dict[Any, Any] = {int: numbers, float: shares}
        return readers[parts[0]](given, where) if parts[0] in readers else split(given)
    if origin is dict and parts[1] in (int, float):
        return number_pairs(given, parts[1], where)
    if origin is dict:
        if parts[1] is str:
            return pairs([part for text in given for part in split(text)], where)
        return settings(given)
    if hint is Path:
        return Path(given)
    if hint == list[Path]:
        return [Path(text) for text in given]
    return given


def convert_text(given: bool | str | list[str], option: OptionSpec) -> Any:
    """The text of an option in its type on the command line: a number in its range, a choice."""
    if not isinstance(given, str):
        return given
    if get_origin(option.type) is Literal and given not in get_args(option.type):
        raise UnknownNameError(
            Text("value", "値"), given, get_args(option.type), where=option.written
        )
    if option.type not in (int, float):
        return given
    try:
        number: float = option.type(given)
    except ValueError:
        whole = Text("a whole number is needed", "整数を指定してください")
        any_number = Text("a number is needed", "数値を指定してください")
        raise _invalid(option.written, whole if option.type is int else any_number) from None
    _require_range(number, option)
    return number


def _require_range(number: float, option: OptionSpec) -> None:
    least, most = option.about.get("least"), option.about.get("most")
    if least is not None and number < least:
        raise _invalid(
            option.written, Text(f"it must be at least {least}", f"{least} 以上にしてください")
        )
    if most is not None and number > most:
        raise _invalid(
            option.written, Text(f"it must be at most {most}", f"{most} 以下にしてください")
        )


def _invalid(written: str, reason: Text) -> UsageError:
    """The error of a value that cannot be used."""
    return UsageError(f"{written}: {reason.en}", f"{written} の値が不正です: {reason.ja}")


def settings(given: list[str]) -> dict[str, Any]:
    """`key=value` texts; values as YAML (numbers, true/false, [lists], text)."""
    if not given:
        return {}
    from tokumei.core.yaml_models import load_yaml

    return {
        key: load_yaml(value, where=f"--set {key}") for key, value in pairs(given, "--set").items()
    }


def parameter_value(text: str | None, hint: Any, option: str) -> Any:
    """The text after a method's option, as its field needs it; None: the option stood alone."""
    from tokumei.core.yaml_models import load_yaml

    hint = plain_type(hint)
    if text is None:
        if hint is bool:
            return True
        raise UsageError(f"{option} needs a value", f"{option} には値が必要です")
    if get_origin(hint) is tuple and not text.lstrip().startswith("["):
        return list(split(text))
    if hint is str:
        return text
    as_yaml = text.lstrip().startswith("{")  # rather than as a=1,b=2
    if get_origin(hint) in (dict, Mapping) and get_args(hint)[1] is float and not as_yaml:
        return number_pairs([text], float, option)
    return load_yaml(text, where=option)


def take_parameters(
    rest: Sequence[str], methods: Classes, refused: Callable[[str], UsageError]
) -> dict[str, Any]:
    """Parameters of the methods from what is left of a command line; all of it must be one.

    `refused` makes the error of an option that is none of theirs, and of what is no option.
    """
    hints = {name: hint for kind in methods.values() for name, hint in field_hints(kind).items()}
    found: dict[str, Any] = {}
    waiting = list(rest)
    while waiting:
        option = waiting.pop(0)
        if not option.startswith("--"):
            raise refused(option)
        written, equals, text = option.partition("=")
        name = written.removeprefix("--").replace("-", "_")
        if name not in hints:
            raise refused(written)
        if name in found:
            raise given_twice(written)
        value: str | None = text if equals else None
        flag = plain_type(hints[name]) is bool
        if not equals and not flag and waiting:
            value = waiting.pop(0)
        found[name] = parameter_value(value, hints[name], written)
    return found


def given_twice(option: str) -> UsageError:
    """The error of an option with two values, of which one would be dropped."""
    return UsageError(f"{option} is given twice", f"{option} が二度指定されています")


def takers(option: str, methods: Classes) -> list[str]:
    """The methods that have an option."""
    name = option.removeprefix("--").replace("-", "_")
    return [one for one, kind in methods.items() if name in field_hints(kind)]


def field_hints(kind: type[Any]) -> dict[str, Any]:
    """The fields of a method's class that can be given, with their types."""
    return {one.name: hint for one, hint in _fields(kind)}


def parameter_help(methods: Classes) -> str:
    """Every method: what it does, and its options with their defaults."""
    lines = []
    for name, kind in methods.items():
        options = ", ".join(_shown(one, hint) for one, hint in _fields(kind))
        sentence: Text | None = getattr(kind, "sentence", None)
        lines.append(f"{name}: {' '.join(filter(None, (sentence and sentence.show(), options)))}")
    return "\n\n".join(lines)


def _fields(kind: type[Any]) -> list[tuple[dataclasses.Field[Any], Any]]:
    hints = hints_of(kind)
    return [(one, hints[one.name]) for one in dataclasses.fields(kind) if one.init]


def _shown(one: dataclasses.Field[Any], hint: Any) -> str:
    option = f"--{one.name.replace('_', '-')}"
    plain = plain_type(hint)
    if plain is bool:
        return option
    if get_origin(plain) is not None and get_args(plain) and isinstance(get_args(plain)[0], str):
        return f"{option} {'|'.join(map(str, get_args(plain)))}"
    if one.default is dataclasses.MISSING or one.default in (None, "", ()):
        return option
    return f"{option} {written(one.default)}"


def written(value: Any) -> str:
    """A default as it would be typed: `2-20`, `a,b`, `0.5`."""
    if not isinstance(value, tuple):
        return str(value)
    whole = len(value) > 2 and all(type(one) is int for one in value)
    if whole and value == tuple(range(value[0], value[0] + len(value))):
        return f"{value[0]}-{value[-1]}"
    return ",".join(map(str, value))
