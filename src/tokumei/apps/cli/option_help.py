"""Describes the options of a command: how each is typed, its help, default and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, Field
from typing import Literal, get_args, get_origin

from tokumei.apps.cli.converters import format_default, strip_optional
from tokumei.apps.cli.dispatch import FORMAT, JSON, CliCommand, OptionSpec
from tokumei.apps.cli.text_wrapping import HelpRow
from tokumei.core.command import command_options
from tokumei.core.messages import Message

FEW_OPTIONS = 25
"""A command with no more options than this shows all of them."""
COMMON_OPTIONS = frozenset(
    [
        "data",
        "original",
        "release",
        "known",
        "public",
        "guess",
        "truth",
        "out",
        "secret",
        "link",
        "qi",
        "sa",
        "id",
        "person",
        "identifier",
        "method",
        "attacks",
        "k",
        "l",
        "t",
        "seed",
        "key",
        "format",
        "json",
        "recipient",
        "ledger",
        "hierarchies",
        "engine",
    ]
)
"""Options that people need often; of a command with many options, help shows these first."""
FORMAT_HELP = Message("file format")
_METAVARS: dict[object, str] = {int: "N", float: "X", str: "TEXT", bool: ""}


def is_common(command: CliCommand, name: str, count: int) -> bool:
    """Whether an option is shown first: few there are, or it is needed, or needed often."""
    return (
        count <= FEW_OPTIONS
        or name in COMMON_OPTIONS
        or _is_required(_option_fields(command, name), command)
    )


def option_row(command: CliCommand, name: str, option: OptionSpec) -> HelpRow:
    """An option as it is typed, and its help."""
    if name == JSON:
        return option.written, Message("one JSON document on stdout")
    typed = name.upper() if option.positional else f"{option.written} {_metavar(option)}".rstrip()
    if option.negatable:
        typed = f"{option.written}, --no-{option.written.removeprefix('--')}"
    if name == FORMAT:
        default = next(iter(command.implementation_of_format))
        return typed, Message("{help} [default: {default}]", help=FORMAT_HELP, default=default)
    fields = _option_fields(command, name)
    about = _with_default(fields[0].metadata["help"], fields, command)
    return typed, _with_limits(about, fields)


def _metavar(option: OptionSpec) -> str:
    plain = strip_optional(option.hint)
    origin = get_origin(plain)
    if get_origin(option.type) is Literal:
        return "|".join(map(str, get_args(option.type)))
    if origin is tuple:
        return "2-20|2,3" if get_args(plain)[0] is int else "A,B"
    if origin is dict:
        return "KEY=VALUE"
    return _METAVARS.get(plain, "TEXT")


def _option_fields(command: CliCommand, name: str) -> list[Field[object]]:
    """The option as every kind that has it declares it, one that help shows first."""
    all_options = (command_options(spec.ask()) for _, spec in command.implementations)
    fields = [options[name] for options in all_options if name in options]
    return sorted(fields, key=lambda field: bool(field.metadata["hidden"]))


def _is_required(fields: Sequence[Field[object]], command: CliCommand) -> bool:
    """Whether every kind needs the option."""
    required = [field.default is MISSING and field.default_factory is MISSING for field in fields]
    return bool(fields) and all(required) and len(fields) == len(command.implementations)


def _with_default(about: Message, fields: Sequence[Field[object]], command: CliCommand) -> Message:
    """The help with what holds for all kinds: required, default or environment variable."""
    if _is_required(fields, command):
        return Message("{help} [required]", help=about)
    value = fields[0].default
    if fields[0].metadata["negatable"] and value:
        return Message("{help} [default: on]", help=about)
    no_default = value is MISSING or isinstance(value, bool) or value in (None, "", "auto", ())
    default_in_help = "(default" in about.show("en")
    if variable := fields[0].metadata["env"]:
        return Message("{help} [env: {variable}]", help=about, variable=variable)
    if no_default or default_in_help or any(field.default != value for field in fields):
        return about
    return Message("{help} [default: {default}]", help=about, default=format_default(value))


def _with_limits(about: Message, fields: Sequence[Field[object]]) -> Message:
    """The help with the smallest and the largest number that every kind takes."""
    least, most = fields[0].metadata["least"], fields[0].metadata["most"]
    if any((f.metadata["least"], f.metadata["most"]) != (least, most) for f in fields):
        return about
    if most is None:
        return (
            about
            if least is None
            else Message("{help} [at least {least}]", help=about, least=least)
        )
    if least is None:
        return Message("{help} [at most {most}]", help=about, most=most)
    return Message("{help} [{least} to {most}]", help=about, least=least, most=most)
