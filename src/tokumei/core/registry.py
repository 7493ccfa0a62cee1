"""Names that lead to classes: what a registry is, and how an object is built from plain values.

    build_params(Noise, {"scale": 0.1}, where="noise")

Nothing is imported before it is asked for, so that the command line starts fast.
"""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar, cast

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.loading import load
from tokumei.core.text import Text

T = TypeVar("T")


class Registry(Generic[T]):
    """Names of one kind of object, each leading to a frozen dataclass of parameters."""

    def __init__(self, group: str, what: Text, builtin: Mapping[str, str]) -> None:
        self.group = group
        self.what = what
        self._targets = dict(builtin)
        self._added: dict[str, type[T]] = {}

    def names(self) -> list[str]:
        """All known names, built-in ones first."""
        return list(dict.fromkeys([*self._targets, *self._added, *self._foreign]))

    def add(self, name: str, kind: type[T]) -> None:
        """Register `kind` under `name` for this process."""
        if name in self._targets:
            raise UsageError(
                f"the built-in {self.what.en} '{name}' cannot be replaced",
                f"組み込みの{self.what.ja} '{name}' は置き換えられません",
            )
        self._added[name] = kind

    def get(self, name: str) -> type[T]:
        """The class behind `name`."""
        if name in self._added:
            return self._added[name]
        if name in self._targets:
            return cast("type[T]", load(self._targets[name]))
        if name in self._foreign:
            return cast("type[T]", self._foreign[name].load())
        raise UnknownNameError(self.what, name, self.names())

    def build(self, name: str, params: Mapping[str, Any] | None = None, *, where: str = "") -> T:
        """An object of the class behind `name`, its parameters checked by type."""
        return build_params(self.get(name), dict(params or {}), where=where or name)

    @cached_property
    def _foreign(self) -> dict[str, Any]:
        return {point.name: point for point in entry_points(group=self.group)}


def build_params(kind: type[T], params: dict[str, Any], *, where: str) -> T:
    """Make a frozen parameter object from untyped values (YAML, command line)."""
    from pydantic import TypeAdapter, ValidationError

    fields = field_names(kind)
    for key in params:
        if key not in fields:
            raise UnknownNameError(Text("parameter", "パラメータ"), key, fields, where=where)
    lacking = [name for name in required_params(kind) if name not in params]
    if lacking:
        raise UsageError(
            f"{where}: parameter '{lacking[0]}' is needed",
            f"{where}: パラメータ '{lacking[0]}' が必要です",
        )
    try:
        return TypeAdapter(kind).validate_python(params)
    except ValidationError as err:
        first = err.errors()[0]
        at = ".".join(str(part) for part in first["loc"])
        shown, wrong = reprlib.repr(first.get("input")), first["msg"]
        raise UsageError(
            f"{where}: parameter '{at}' is {shown}: {wrong}",
            f"{where}: パラメータ '{at}' の値 {shown} が不正です: {wrong}",
        ) from None


def field_names(kind: type[Any]) -> list[str]:
    """The parameters that a class can be given."""
    return [one.name for one in dataclasses.fields(kind) if one.init]


def required_params(kind: type[Any]) -> list[str]:
    """The parameters of a class without which it cannot be built."""
    missing = dataclasses.MISSING
    return [
        field.name
        for field in dataclasses.fields(kind)
        if field.init and field.default is missing and field.default_factory is missing
    ]
