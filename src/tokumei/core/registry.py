"""Names that lead to classes: what a registry is, and how an object is built from plain values.

    build_params(Noise, {"scale": 0.1}, where="noise")

How data of a kind stands in files is a class, too; its fields are what reading may be told, and a
line in the kind's registry `formats` makes it a `--format` of its commands and of `tk.read`:

    @dataclass(frozen=True, kw_only=True)
    class Ratings(Layout[RatingTable]):
        name: ClassVar[str] = "ratings"
        title: ClassVar[Text] = Text("user,film,stars", "利用者,映画,星")
        encoding: str = "auto"

        def read(self, path): ...

Nothing is imported before it is asked for, so that the command line starts fast.
"""

from __future__ import annotations

import dataclasses
import os
import reprlib
import types
import typing
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, TypeVar, Union, cast
from weakref import WeakKeyDictionary

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.fields import FrontEnd, current_front_end, parameter_name
from tokumei.core.lazy import load
from tokumei.core.others import others
from tokumei.core.reasons import value_reason
from tokumei.core.text import Text

T = TypeVar("T")
Source = TypeVar("Source")
ALL = "all"
_PLAIN = (bool, int, float, str, type(None))


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
        return {point.name: point for point in others(self.group)}


def build_params(kind: type[T], params: dict[str, Any], *, where: str) -> T:
    """Make a frozen parameter object from untyped values (YAML, command line)."""
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
    hints = hints_of(kind)
    with suppress(TypeError, ValueError, AssertionError):
        return kind(**{name: fitted(value, hints[name]) for name, value in params.items()})
    return _converted(kind, params, where)


def _converted(kind: type[T], params: dict[str, Any], where: str) -> T:
    """The same where values may have to be converted first; what cannot be is told."""
    # Loading this takes longer than many a command.
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(params)
    except ValidationError as err:
        first = err.errors()[0]
        at = ".".join(str(part) for part in first["loc"])
        shown, wrong = reprlib.repr(first.get("input")), value_reason(first["msg"])
        raise UsageError(
            f"{where}: parameter '{at}' is {shown}: {wrong.en}",
            f"{where}: パラメータ '{at}' の値 {shown} が不正です: {wrong.ja}",
        ) from None


def fitted(value: Any, hint: Any) -> Any:
    """A flag, number, text, nothing, or a list of them as a tuple, if it is of exactly this type.

    TypeError for anything else.
    """
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        for part in parts:
            with suppress(TypeError):
                return fitted(value, part)
    elif origin is Literal:
        if any(type(value) is type(one) and value == one for one in parts):
            return value
    elif origin is tuple and parts[1:] == (...,) and type(value) in (list, tuple):
        return tuple(fitted(one, parts[0]) for one in value)
    elif type(value) in _PLAIN and type(value) is hint:
        return value
    raise TypeError(f"not plainly of type {hint}")


_HINTS = WeakKeyDictionary[type, Mapping[str, Any]]()


def hints_of(kind: type[Any]) -> Mapping[str, Any]:
    """The types of a class's fields, which are read once: that takes longer than building one."""
    found = _HINTS.get(kind)
    if found is None:
        found = _HINTS[kind] = typing.get_type_hints(kind)
    return found


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


class Layout(Generic[Source]):
    """Base of layouts."""

    name: ClassVar[str]
    title: ClassVar[Text]

    def read(self, path: str | os.PathLike[str]) -> Source:
        """The data in a file."""
        raise NotImplementedError

    def read_noted(self, path: str | os.PathLike[str]) -> tuple[Source, list[Text]]:
        """The data in a file, and what its reader should know of it."""
        return self.read(path), []


def layout_of(
    formats: Registry[Any], name: str, given: Mapping[str, Any], *, dashes: str = ""
) -> Any:
    """The layout of this name with the options given; one that it does not use is refused.

    `dashes` stand before the names of options where a command line is spoken of.
    """
    kind = formats.get(name)
    options = {key: value for key, value in given.items() if is_given(value)}
    for key in options:
        if key not in field_names(kind):
            raise UsageError(
                f"{dashes}format {name} does not use {dashes}{key}",
                f"{dashes}format {name} では {dashes}{key} を使いません",
            )
    return build_params(kind, options, where=f"{dashes}format {name}")


def parted_params(
    layout: type[Any], given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is set of a layout, and what is set of methods."""
    own = field_names(layout)
    files = {key: value for key, value in given.items() if key in own}
    return files, {key: value for key, value in given.items() if key not in own}


def is_given(value: Any) -> bool:
    """Whether the value of an option says something that its absence does not."""
    return value is not None and value != "auto" and value not in ((), [], {})


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
                told, chosen = parameter_name(key), ", ".join(names)
                raise UsageError(
                    f"{told}: {method} is not among the chosen: {chosen}",
                    f"{told}: {method} は選んだもの ({chosen}) にありません",
                )
            found[method][parameter] = value
            continue
        takers = [name for name in names if key in fields[name]]
        if not takers:
            valid = dict.fromkeys(field for one in fields.values() for field in one)
            where = "--set" if current_front_end() is FrontEnd.COMMAND_LINE else ""
            raise UnknownNameError(Text("parameter", "パラメータ"), key, list(valid), where=where)
        for name in takers:
            found[name][key] = value
    return found
