"""Binds the arguments of a command line to the fields of a command class.

What the kind, its format or the chosen methods do not use is refused, and so is what is said twice.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field
from typing import Any

from tokumei.cli.converters import (
    convert_text,
    convert_value,
    field_hints,
    given_twice,
    take_parameters,
    takers,
)
from tokumei.cli.dispatch import FORMAT, JSON, UNUSED_SEED, CliCommand, OptionSpec
from tokumei.cli.parser import ParsedArguments
from tokumei.core.ask import Ask, options_of
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.registry import hints_of
from tokumei.core.text import Text

BEGIN_WITH = ("data", "original", "known", "release")
"""What commands call the file that they begin with, where they need it."""
SOURCES = ("data", "original", "file", "input", "source", "table", "history", "csv")
"""Words by which people name that file."""


def bind_arguments(command: CliCommand, parsed: ParsedArguments) -> Ask:
    """The command class with its fields filled, checked against what this format uses."""
    given = _convert_values(command.options(), parsed.values)
    format = given.pop(FORMAT, None)
    chosen, kind, ask = command.resolve_kind(format, given)
    hints = hints_of(ask)
    fields = _fields_by_name(ask)
    values: dict[str, Any] = {}
    for name, value in given.items():
        written = f"--{name.replace('_', '-')}"
        if name not in fields:
            raise _refused(command, chosen, written)
        field = fields[name]
        values[field.name] = convert_value(value, hints[field.name], written)
    if values.get("sep") == "":  # Readers would take it for none, and detect one.
        from tokumei.files.csv_text import check_separator

        check_separator("")
    if chosen and "format" in hints:
        values["format"] = chosen
    if "of" in hints:
        values["of"] = kind
    if parsed.rest or "set" in values:
        _add_parameters(command, ask, values, parsed.rest)
    _require(command, chosen, ask, values)
    return ask(**values)


def _convert_values(
    options: Mapping[str, OptionSpec], texts: Mapping[str, bool | str | list[str]]
) -> dict[str, Any]:
    """Values in the types of the command line; from the environment where none is given."""
    given = dict(texts)
    for name, option in options.items():
        variable = option.about.get("env")
        if variable and name not in given and (text := os.environ.get(variable)):
            given[name] = text
    converted = {name: convert_text(value, options[name]) for name, value in given.items()}
    return {name: value for name, value in converted.items() if name not in (JSON, UNUSED_SEED)}


def _fields_by_name(ask: type[Ask]) -> dict[str, Field[Any]]:
    """The fields of a command class by the name of the command line, older names included."""
    fields = options_of(ask)
    found = dict(fields)
    for field in fields.values():
        for alias in field.metadata["aliases"]:
            found.setdefault(alias, field)
    return found


def _add_parameters(
    command: CliCommand, ask: type[Ask], values: dict[str, Any], rest: Sequence[str]
) -> None:
    """Add what is left of the command line: options of methods, each said once."""
    chosen = ask.methods(values) if rest else {}

    def refused(option: str) -> UsageError:
        return _unknown(command, option, chosen, ask.methods({"of": values.get("of")}))

    more, said = take_parameters(rest, chosen, refused), values.get("set", {})
    for name in more.keys() & said.keys():
        raise given_twice(f"--{name.replace('_', '-')}")
    if more:
        values["set"] = {**more, **said}


def _unknown(
    command: CliCommand, option: str, chosen: Mapping[str, Any], every: Mapping[str, Any]
) -> UsageError:
    """The error of an option that neither the command nor a chosen method has."""
    if not option.startswith("-"):
        return _no_option(command, option)
    if others := takers(option, every):
        named, used = ", ".join(chosen), ", ".join(others)
        return UsageError(
            f"{named} does not use {option}; it is an option of {used}",
            f"{named} では {option} を使いません ({used} のオプションです)",
        )
    if option.removeprefix("--") in SOURCES and (files := _file_options(command)):
        return UsageError(
            f"unknown option '{option}'. This command takes its file by {' or '.join(files)}. "
            f"See 'tokumei {command.words} --help'",
            f"オプション '{option}' はありません。このコマンドのファイルは {' か '.join(files)} で"
            "指定します。"
            f"'tokumei {command.words} --help' を参照してください",
        )
    valid = [
        one.written for one in command.options().values() if not (one.hidden or one.positional)
    ]
    valid += [f"--{name.replace('_', '-')}" for one in chosen.values() for name in field_hints(one)]
    what, see = Text("option", "オプション"), f"tokumei {command.words} --help"
    return UnknownNameError(what, option, valid, see=see)


def _no_option(command: CliCommand, word: str) -> UsageError:
    """The error of a word that stands alone, and how a file is given if it may be one."""
    if files := _file_options(command):
        ways = [f"{one} {word}" for one in files]
        return UsageError(
            f"'{word}' is not an option; a file is given as {' or '.join(ways)}",
            f"'{word}' はオプションではありません "
            f"(ファイルは {' か '.join(ways)} のように指定します)",
        )
    return UsageError(
        f"'{word}' is not an option; options start with --",
        f"'{word}' はオプションではありません (オプションは -- で始まります)",
    )


def _file_options(command: CliCommand) -> list[str]:
    """The options that take the file a command begins with, one for every kind, each once."""
    found: dict[str, None] = {}
    for _, verb in command.implementations:
        fields = options_of(verb.ask())
        needed = (n for n in BEGIN_WITH if n in fields and fields[n].default is MISSING)
        if (name := next(needed, None)) is not None:
            found[f"--{name}"] = None
    return list(found)


def _require(command: CliCommand, format: str, ask: type[Ask], values: Mapping[str, Any]) -> None:
    for name, one in options_of(ask).items():
        needed = one.default is MISSING and one.default_factory is MISSING
        if needed and one.name not in values:
            positional = one.metadata["positional"]
            option = name.upper() if positional else f"--{name.replace('_', '-')}"
            if variable := one.metadata["env"]:
                raise UsageError(
                    f"{option} (or the environment variable {variable}) is needed",
                    f"{option} (または環境変数 {variable}) が必要です",
                )
            if len(command.formats) > 1:
                raise UsageError(
                    f"--format {format} needs {option}",
                    f"--format {format} には {option} が必要です",
                )
            raise UsageError(f"{option} is needed", f"{option} が必要です")


def _refused(command: CliCommand, format: str, option: str) -> UsageError:
    if len(command.formats) > 1:
        return UsageError(
            f"--format {format} does not use {option}",
            f"--format {format} では {option} を使いません",
        )
    word = command.words
    return UsageError(f"{word} does not use {option}", f"{word} では {option} を使いません")
