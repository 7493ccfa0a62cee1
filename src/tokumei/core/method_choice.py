"""Which methods a command names, and the parameters that options give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.registry import Registry, field_names
from tokumei.core.text import Text

ALL = "all"


def chosen_names(registry: Registry[Any], names: Sequence[str]) -> list[str]:
    """The names, each known; `all` stands for every method there is."""
    found: dict[str, None] = {}
    for name in names:
        if name == ALL:
            found |= dict.fromkeys(registry.names())
        else:
            registry.get(name)
            found[name] = None
    return list(found)


def params_of(
    registry: Registry[Any], names: Sequence[str], given: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Parameters by method: `METHOD.key` is for that method, `key` for all that have such a field.

    A key that no method takes is an error, not silently dropped.
    """
    fields = {name: field_names(registry.get(name)) for name in names}
    found: dict[str, dict[str, Any]] = {name: {} for name in names}
    for key, value in given.items():
        method, dot, parameter = key.partition(".")
        if dot:
            if method not in found:
                registry.get(method)
                raise UsageError(
                    f"--set {key}: {method} is not among the chosen: {', '.join(names)}",
                    f"--set {key}: {method} は選んだもの ({', '.join(names)}) にありません",
                )
            found[method][parameter] = value
            continue
        takers = takers_of(registry, names, key)
        if not takers:
            valid = dict.fromkeys(field for one in fields.values() for field in one)
            raise UnknownNameError(Text("parameter", "パラメータ"), key, list(valid), where="--set")
        for name in takers:
            found[name][key] = value
    return found


def takers_of(registry: Registry[Any], names: Sequence[str], key: str) -> list[str]:
    """Those of the methods that have a parameter of this name."""
    return [name for name in names if key in field_names(registry.get(name))]
