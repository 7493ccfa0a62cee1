"""Commands without Typer: loading it and describing all options to it takes longer than many a one.

    plain_question(["anonymize", "table", "--data", "x.csv", …])    # None: Typer must read it

Read here is what most commands are: their words, then options with plain values. Typer reads all
else, and says what is wrong with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tokumei.cli.declared import FORMAT, JSON, UNUSED_SEED, Declared, declared
from tokumei.cli.doors import Door, asked, doors, python_name
from tokumei.cli.plainly import is_plain
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
    _require_once(options, args[words:])
    read = read_options(options, args[words:])
    return None if read is None else partial(answered, door, *read)


def _require_once(options: dict[str, Declared], args: Sequence[str]) -> None:
    """Fail on an option with two values: of --l 3 --l 2 one would be dropped without a word."""
    written = Counter(arg.partition("=")[0] for arg in args)
    for one in options.values():
        if written[one.written] > 1 and one.type not in (bool, list[str]):
            raise UsageError(
                f"{one.written} is given twice", f"{one.written} が二度指定されています"
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
