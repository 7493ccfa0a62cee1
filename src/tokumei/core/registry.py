"""Registries from names to classes, and building objects from plain values.

    build_params(Noise, {"scale": 0.1}, where="noise")

A layout of data in files is a class, too; its fields are options of reading. A line in the kind's
registry `formats` makes it a `--format` of its commands and of `tk.read`:

    @dataclass(frozen=True, kw_only=True)
    class Ratings(Layout[RatingTable]):
        name: ClassVar[str] = "ratings"
        title: ClassVar[Message] = Message("user,film,stars")
        encoding: str = "auto"

        def read(self, path): ...

Nothing is imported before it is asked for, so that the command line starts fast.
"""

from __future__ import annotations

import dataclasses
import reprlib
import types
import typing
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, Union, cast
from weakref import WeakKeyDictionary

from tokumei.core.error_translation import translate_value_error
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.fields import FrontEnd, current_front_end, parameter_name
from tokumei.core.lazy_imports import load_object
from tokumei.core.messages import Message, join_messages
from tokumei.core.plugins import load_plugins

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tokumei.core.data_kind import Release
    from tokumei.files.atomic_write import Output
    from tokumei.files.file_formats import AnyPath

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
SourceData = TypeVar("SourceData")
ALL_METHODS = "all"
_PLAIN_TYPES = (bool, int, float, str, type(None))


class Registry(Generic[T_co]):
    """Names of one kind of object, each leading to a frozen dataclass of parameters."""

    def __init__(self, group: str, what: Message, builtin: Mapping[str, str]) -> None:
        self.group = group
        self.what = what
        self._targets = dict(builtin)
        self._added: dict[str, type[T_co]] = {}

    def names(self) -> list[str]:
        """All known names, built-in ones first."""
        return list(dict.fromkeys([*self._targets, *self._added, *self._plugins]))

    def add(self, name: str, kind: type[T_co]) -> None:
        """Register `kind` under `name` for this process."""
        if name in self._targets:
            raise UsageError(
                "the built-in {what} '{name}' cannot be replaced", what=self.what, name=name
            )
        self._added[name] = kind

    def get(self, name: str) -> type[T_co]:
        """The class behind `name`."""
        if name in self._added:
            return self._added[name]
        if name in self._targets:
            return cast("type[T_co]", load_object(self._targets[name]))
        if name in self._plugins:
            return cast("type[T_co]", self._plugins[name].load())
        raise UnknownNameError(self.what, name, self.names())

    def build(
        self, name: str, params: Mapping[str, object] | None = None, *, where: str = ""
    ) -> T_co:
        """An object of the class behind `name`, its parameters checked by type."""
        return build_params(self.get(name), params or {}, where=where or name)

    @cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in load_plugins(self.group)}


def build_params(kind: type[T], params: Mapping[str, object], *, where: str) -> T:
    """Make a frozen parameter object from untyped values (YAML, command line)."""
    fields = field_names(kind)
    for key in params:
        if key not in fields:
            raise UnknownNameError(Message("parameter"), key, fields, where=where)
    lacking = [name for name in required_params(kind) if name not in params]
    if lacking:
        raise UsageError(
            "{where}: parameter '{parameter}' is needed", where=where, parameter=lacking[0]
        )
    hints = field_type_hints(kind)
    with suppress(TypeError, ValueError, AssertionError):
        return kind(
            **{name: match_exact_type(value, hints[name]) for name, value in params.items()}
        )
    return _build_with_conversion(kind, params, where)


def _build_with_conversion(kind: type[T], params: Mapping[str, object], where: str) -> T:
    """Build the object with converted values; fails on a value that cannot be converted."""
    # Loading this takes longer than many a command.
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(dict(params))
    except ValidationError as err:
        first = err.errors()[0]
        raise UsageError(
            "{where}: parameter '{parameter}' is {given}: {reason}",
            where=where,
            parameter=".".join(str(part) for part in first["loc"]),
            given=reprlib.repr(first.get("input")),
            reason=translate_value_error(first["msg"]),
        ) from None


def match_exact_type(value: object, hint: object) -> object:
    """A flag, number, text, nothing, or a list of them as a tuple, if it is of exactly this type.

    TypeError for anything else.
    """
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        for part in parts:
            with suppress(TypeError):
                return match_exact_type(value, part)
    elif origin is Literal:
        if any(type(value) is type(item) and value == item for item in parts):
            return value
    elif origin is tuple and parts[1:] == (...,) and isinstance(value, list | tuple):
        return tuple(match_exact_type(item, parts[0]) for item in value)
    elif type(value) in _PLAIN_TYPES and type(value) is hint:
        return value
    raise TypeError(f"not plainly of type {hint}")


_TYPE_HINT_CACHE = WeakKeyDictionary[type, Mapping[str, object]]()


def field_type_hints(kind: type[object]) -> Mapping[str, object]:
    """The types of a class's fields, which are read once: that takes longer than building one."""
    hints = _TYPE_HINT_CACHE.get(kind)
    if hints is None:
        hints = _TYPE_HINT_CACHE[kind] = typing.get_type_hints(kind)
    return hints


def field_names(kind: type[Any]) -> list[str]:
    """The parameters that a class can be given."""
    return [field.name for field in dataclasses.fields(kind) if field.init]


def required_params(kind: type[Any]) -> list[str]:
    """The parameters of a class without which it cannot be built."""
    missing = dataclasses.MISSING
    return [
        field.name
        for field in dataclasses.fields(kind)
        if field.init and field.default is missing and field.default_factory is missing
    ]


class Layout(Generic[SourceData]):
    """Base of layouts."""

    name: ClassVar[str]
    title: ClassVar[Message]

    def read(self, path: AnyPath) -> SourceData:
        """The data in a file."""
        raise NotImplementedError

    def output(self, data: SourceData, path: AnyPath, /) -> Output:
        """The file with the data, not yet written."""
        raise NotImplementedError

    def outputs(self, data: SourceData, path: AnyPath, /) -> list[Output]:
        """All files with the data, not yet written, where a layout has several."""
        return [self.output(data, path)]

    def read_release(self, source: SourceData, public: AnyPath, secret: AnyPath, /) -> Release:
        """The release in its public and its secret file, for the default commands and judge."""
        raise NotImplementedError

    def read_with_notes(self, path: AnyPath) -> tuple[SourceData, list[Message]]:
        """The data in a file, and what its reader should know of it."""
        return self.read(path), []


def build_layout(
    formats: Registry[T], name: str, options: Mapping[str, object], *, dashes: str = ""
) -> T:
    """The layout of this name with the options given; one that it does not use is refused.

    `dashes` stand before the names of options where a command line is spoken of.
    """
    kind = formats.get(name)
    options = {key: value for key, value in options.items() if is_given(value)}
    for key in options:
        if key not in field_names(kind):
            raise UsageError(
                "{option} does not use {unused}",
                option=f"{dashes}format {name}",
                unused=f"{dashes}{key}",
            )
    return build_params(kind, options, where=f"{dashes}format {name}")


def split_layout_params(
    layout: type[object], options: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Split options into those of a layout and those of methods."""
    layout_fields = field_names(layout)
    layout_params = {key: value for key, value in options.items() if key in layout_fields}
    return layout_params, {key: value for key, value in options.items() if key not in layout_fields}


def is_given(value: object) -> bool:
    """Whether an option has a value other than None, `auto` or an empty collection."""
    return value is not None and value != "auto" and value not in ((), [], {})


def resolve_method_names(registry: Registry[T], names: Sequence[str]) -> list[str]:
    """The names, each known; `all` stands for every method there is."""
    resolved: dict[str, None] = {}
    for name in names:
        if name == ALL_METHODS:
            resolved |= dict.fromkeys(registry.names())
        else:
            registry.get(name)
            resolved[name] = None
    return list(resolved)


def split_params_by_method(
    registry: Registry[T], names: Sequence[str], options: Mapping[str, object]
) -> dict[str, dict[str, object]]:
    """Parameters by method: `METHOD.key` is for that method, `key` for all that have such a field.

    A key that no method takes is an error, not silently dropped.
    """
    fields = {name: field_names(registry.get(name)) for name in names}
    params_by_method: dict[str, dict[str, object]] = {name: {} for name in names}
    for key, value in options.items():
        method, dot, parameter = key.partition(".")
        if dot:
            if method not in params_by_method:
                registry.get(method)
                raise UsageError(
                    "{option}: {method} is not among the chosen: {chosen}",
                    option=parameter_name(key),
                    method=method,
                    chosen=join_messages(names),
                )
            params_by_method[method][parameter] = value
            continue
        accepting_methods = [name for name in names if key in fields[name]]
        if not accepting_methods:
            valid = dict.fromkeys(
                field for method_fields in fields.values() for field in method_fields
            )
            where = "--set" if current_front_end() is FrontEnd.COMMAND_LINE else ""
            raise UnknownNameError(Message("parameter"), key, list(valid), where=where)
        for name in accepting_methods:
            params_by_method[name][key] = value
    return params_by_method
