"""Builds an argparse parser from a command's options, and reads command lines with it.

    parse_arguments(command, ["--data", "x.csv", "--k", "5", "--scale", "0.1"])
    # values {"data": ["x.csv"], "k": ["5"]}, rest ["--scale", "0.1"]

Every value is still text here; `binding.py` converts it. What the command does not know is left
over: it may be an option of a method.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn, get_origin

from tokumei.apps.cli.converters import duplicate_option_error, strip_optional
from tokumei.apps.cli.dispatch import CliCommand, OptionSpec
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message

TextValue = bool | str | list[str]


class ParsedArguments(NamedTuple):
    """Texts by the name of the option, and what is left over for options of methods."""

    values: dict[str, TextValue]
    rest: list[str]


class _RaisingParser(argparse.ArgumentParser):
    """A parser that raises errors instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print before it ends the process."""
        raise UsageError(Message.verbatim(message))


def build_parser(options: Mapping[str, OptionSpec]) -> argparse.ArgumentParser:
    """A parser of all options that are given by name; only those given get a value."""
    parser = _RaisingParser(
        add_help=False, allow_abbrev=False, exit_on_error=False, argument_default=argparse.SUPPRESS
    )
    for name, option in options.items():
        if option.positional:
            continue
        if option.negatable:
            parser.add_argument(option.written, dest=name, action=argparse.BooleanOptionalAction)
        elif option.type is bool:
            parser.add_argument(option.written, dest=name, action="store_true")
        else:
            parser.add_argument(option.written, dest=name, action="append")
    return parser


def parse_arguments(command: CliCommand, args: Sequence[str]) -> ParsedArguments:
    """Read the arguments after the words of a command."""
    options = command.options()
    option_args = list(args[: args.index("--")] if "--" in args else args)
    words_after_dashes = list(args[len(option_args) + 1 :])
    try:
        namespace, left_over = build_parser(options).parse_known_args(option_args)
    except argparse.ArgumentError as error:
        raise _explain_error(error, options, option_args) from None
    parsed_values: dict[str, TextValue] = vars(namespace)
    values = {
        name: _require_single_value(options[name], value) if isinstance(value, list) else value
        for name, value in parsed_values.items()
    }
    first_option = next((n for n, arg in enumerate(left_over) if _is_option(arg)), len(left_over))
    unused = _assign_positionals(options, [*left_over[:first_option], *words_after_dashes], values)
    return ParsedArguments(values, [*left_over[first_option:], *unused])


def _is_option(text: str) -> bool:
    return len(text) > 1 and text.startswith("-")


def _assign_positionals(
    options: Mapping[str, OptionSpec], words: list[str], values: dict[str, TextValue]
) -> list[str]:
    """Give words to positional arguments in their order; the words that none takes."""
    for name, option in options.items():
        if option.positional and words:
            several = option.type == list[str]
            values[name] = words if several else words[0]
            words = [] if several else words[1:]
    return words


def _require_single_value(option: OptionSpec, values: list[str]) -> TextValue:
    """Fail on an option with two values: of --l 3 --l 2 one would be dropped."""
    if option.type == list[str]:
        return values
    if len(values) == 1:
        return values[0]
    if get_origin(strip_optional(option.hint)) is not tuple:
        raise duplicate_option_error(option.written)
    raise UsageError(
        "{option} is given twice; give all values at once, separated by commas: {combined}",
        option=option.written,
        combined=f"{option.written} {','.join(values)}",
    )


def _explain_error(
    error: argparse.ArgumentError, options: Mapping[str, OptionSpec], args: Sequence[str]
) -> UsageError:
    """The error of an option without its value, or of a flag with one."""
    flag = (error.argument_name or "").partition("/")[0]
    if any(option.written == flag and option.type is bool for option in options.values()):
        return UsageError("{option} takes no value", option=flag)
    next_argument = args[args.index(flag) + 1 :][:1] if flag in args else []
    known_flags = {option.written for option in options.values()}
    if next_argument and next_argument[0].partition("=")[0] not in known_flags:
        return UsageError(
            "{option} needs a value; one that begins with a dash is written {joined}",
            option=flag,
            joined=f"{flag}={next_argument[0]}",
        )
    return UsageError("{option} needs a value", option=flag)
