"""Plain values of options, read without Pydantic.

Typer has Pydantic check every option of a command, given or not; loading it and describing all
options to it takes longer than many a command. What is not given, texts, plain numbers and choices
that exist need no such check. Whatever else is given, Typer reads as ever and says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

_NUMBERS: dict[type, re.Pattern[str]] = {
    int: re.compile(r"0|[1-9][0-9]{0,15}"),
    float: re.compile(r"(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?"),
}


def read_plainly(command: Any) -> None:
    """Make a command, and those below it, read plain values of its options as they are."""
    options = command.get_params
    command.get_params = lambda ctx: [_plain(one) for one in options(ctx)]
    for below in getattr(command, "commands", {}).values():
        read_plainly(below)


def _plain(option: Any) -> Any:
    """The same option, read plainly."""
    if "get_runtime_param" not in vars(option):
        about = option.type_descriptor
        reader = _Reader(about.annotation, about.parameter_info, option.get_runtime_param)
        option.get_runtime_param = lambda: reader
    return option


@dataclass(frozen=True)
class _Reader:
    """What Typer asks for the value of an option."""

    annotation: Any
    about: Any
    otherwise: Callable[[], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value in the option's type."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if self._is_plain(value):
            return self.annotation(value) if self.annotation in _NUMBERS else value
        return self.otherwise().coerce(value, param=param, ctx=ctx)

    def _is_plain(self, value: Any) -> bool:
        """Whether the value is surely of the option's type, but for its being text."""
        if self.about.parser is not None or not isinstance(value, str):
            return self.annotation == list[str] and isinstance(value, list)
        return is_plain(value, self.annotation, self.about.min, self.about.max)


def is_plain(value: str, kind: Any, least: float | None = None, most: float | None = None) -> bool:
    """Whether a text is surely a value of a type: a number within limits, a choice, a text."""
    if kind in _NUMBERS:
        found = _NUMBERS[kind].fullmatch(value)
        return found is not None and _within(float(value), least, most)
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    return kind is str


def _within(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)
