"""From the text of an option to the value of a field, by the field's type."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.options import number_pairs, numbers, pairs, shares, split
from tokumei.core.text import Text


def plain_type(hint: Any) -> Any:
    """A type without `None`."""
    if get_origin(hint) in (Union, types.UnionType):
        rest = [part for part in get_args(hint) if part is not type(None)]
        return rest[0] if len(rest) == 1 else hint
    return hint


def command_type(hint: Any) -> Any:
    """The type that the command line asks for, to be made a `hint` by `value_of`."""
    hint = plain_type(hint)
    origin = get_origin(hint)
    if origin is tuple:
        return str
    if origin is dict or hint is dict or origin is list:
        return list[str]
    if origin is Literal or hint in (str, int, float, bool):
        return hint
    return str


def value_of(given: Any, hint: Any, where: str) -> Any:
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
    return given


def settings(given: list[str]) -> dict[str, Any]:
    """`key=value` texts; values as YAML (numbers, true/false, [lists], text)."""
    if not given:
        return {}
    from tokumei.core.yaml_models import load_yaml

    return {key: load_yaml(value, where=f"--set {key}") for key, value in pairs(given).items()}


def parameter_value(text: str | None, hint: Any, option: str) -> Any:
    """The text after a method's option, as its field needs it; None: the option stood alone."""
    from tokumei.core.yaml_models import load_yaml

    hint = plain_type(hint)
    if text is None:
        if hint is bool:
            return True
        raise UsageError(
            f"{option} needs a value",
            f"{option} には値が必要です",
        )
    if get_origin(hint) is tuple and not text.lstrip().startswith("["):
        return list(split(text))
    if hint is str:
        return text
    return load_yaml(text, where=option)
