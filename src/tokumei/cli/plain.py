"""Commands without Typer, and plain values of options without Pydantic.

    plain_question(["anonymize", "table", "--data", "x.csv", …])    # None: Typer must read it

Loading Typer and describing all options to it takes longer than many a command. Read here is what
most commands are: their words, then options with plain values. Typer reads all else, and says what
is wrong with it. It has Pydantic check every option, given or not, which takes as long again. What
is not given, texts, plain numbers and choices that exist need no such check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args, get_origin

from tokumei.cli.asking import asked
from tokumei.cli.doors import (
    FORMAT,
    JSON,
    UNUSED_SEED,
    Declared,
    Door,
    declared,
    doors,
    python_name,
)
from tokumei.cli.values import given_twice, plain_type
from tokumei.core.errors import UsageError

_HELP = ("-h", "--help")


def answered(door: Door, given: dict[str, Any], rest: Sequence[str]) -> int:
    """Ask what the options say, print the answer; its exit code. `rest`: options of methods."""
    from tokumei.cli.console import print_answer, show_progress

    as_json = bool(given.pop(JSON, False))
    given.pop(UNUSED_SEED, None)
    format = given.pop(FORMAT, None)
    show_progress()
    return print_answer(asked(door, format, given, rest).answer(), as_json=as_json)


def plain_question(args: Sequence[str]) -> Callable[[], int] | None:
    """What answers a command line, if it is a plain one."""
    words = next((n for n, arg in enumerate(args) if arg.startswith("-")), len(args))
    if words == len(args) or {*_HELP} & {*args}:
        return None
    door = next((one for one in doors() if one.path == tuple(args[:words])), None)
    if door is None:
        return None
    options = declared(door)
    _require_sound(options, args[words:])
    read = read_options(options, args[words:])
    return None if read is None else partial(answered, door, *read)


def _require_sound(options: dict[str, Declared], args: Sequence[str]) -> None:
    """Fail on an option without a value, or with two: of --l 3 --l 2 one would be dropped."""
    by_text = {one.written: one for one in options.values()}
    given: dict[str, list[str]] = {}
    waiting = list(args[: args.index("--")] if "--" in args else args)
    while waiting:
        written, equals, value = waiting.pop(0).partition("=")
        one = by_text.get(written)
        if one is None or one.type is bool:
            continue
        if not equals:
            if not waiting or waiting[0].partition("=")[0] in by_text:
                raise UsageError(f"{written} needs a value", f"{written} には値が必要です")
            value = waiting.pop(0)
        given.setdefault(written, []).append(value)
    for written, values in given.items():
        if len(values) > 1 and by_text[written].type != list[str]:
            raise _twice(by_text[written], values)


def _twice(one: Declared, values: Sequence[str]) -> UsageError:
    """The error that says how to give several values, if the option takes several."""
    error = given_twice(one.written)
    if get_origin(plain_type(one.hint)) is not tuple:
        return error
    once = f"{one.written} {','.join(values)}"
    return UsageError(
        f"{error.message.en}; give all values at once, separated by commas: {once}",
        f"{error.message.ja}。複数の値は、コンマで区切って一度に指定してください: {once}",
    )


def read_options(
    options: dict[str, Declared], args: Sequence[str]
) -> tuple[dict[str, Any], list[str]] | None:
    """The values of options by name, and what is left over; None if something is not plain."""
    if any(one.positional for one in options.values()):
        return None
    by_text = {one.written: (python_name(name), one) for name, one in options.items()}
    given: dict[str, Any] = {}
    rest: list[str] = []
    waiting = list(args)
    while waiting:
        arg = waiting.pop(0)
        written, equals, value = arg.partition("=")
        if written not in by_text:
            if not _is_left_over(arg, rest):
                return None
            rest.append(arg)
            continue
        name, one = by_text[written]
        if one.type is bool:
            if equals:
                return None
            given[name] = True
            continue
        if not equals:
            value = waiting.pop(0) if waiting else "-"
        if value.startswith("-"):
            return None
        if one.type == list[str]:
            given.setdefault(name, []).append(value)
        elif is_plain(value, one.type, one.least):
            given[name] = one.type(value) if one.type in (int, float) else value
        else:
            return None
    return given, rest


def _is_left_over(arg: str, rest: Sequence[str]) -> bool:
    """Whether it is an option of a method or what follows one; what else it may be, Typer knows."""
    return (len(arg) > 2 and arg.startswith("--")) or (bool(rest) and not arg.startswith("-"))


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
