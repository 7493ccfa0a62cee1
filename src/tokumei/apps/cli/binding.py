"""Binds the arguments of a command line to the fields of a command class.

What the kind, its format or the chosen methods do not use is refused, and so is what is said twice.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field

from tokumei.apps.cli.converters import (
    MethodClasses,
    OptionValue,
    convert_text,
    convert_value,
    duplicate_option_error,
    field_hints,
    methods_with_option,
    parse_parameters,
)
from tokumei.apps.cli.dispatch import FORMAT, JSON, UNUSED_SEED, CliCommand, OptionSpec
from tokumei.apps.cli.parser import ParsedArguments
from tokumei.core.command import Command, command_options
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import OR, Message, join_messages
from tokumei.core.registry import field_type_hints

INPUT_FILE_OPTIONS = ("data", "original", "known", "release")
"""Names of the option that takes a command's input file."""
INPUT_FILE_SYNONYMS = ("data", "original", "file", "input", "source", "table", "history", "csv")
"""Words by which people name that file."""


def bind_arguments(command: CliCommand, parsed: ParsedArguments) -> Command:
    """The command class with its fields filled, checked against what this format uses."""
    option_values = _convert_option_texts(command.options(), parsed.values)
    requested_format = option_values.pop(FORMAT, None)
    format_name, kind, command_class = command.resolve_kind(
        None if requested_format is None else str(requested_format), option_values
    )
    hints = field_type_hints(command_class)
    fields = _fields_by_name(command_class)
    values: dict[str, object] = {}
    for name, value in option_values.items():
        flag = f"--{name.replace('_', '-')}"
        if name not in fields:
            raise _unused_option_error(command, format_name, flag)
        field = fields[name]
        values[field.name] = convert_value(value, hints[field.name], flag)
    if values.get("sep") == "":  # Readers would take it for none, and detect one.
        from tokumei.files.csv_parsing import check_separator

        check_separator("")
    if format_name and "format" in hints:
        values["format"] = format_name
    if "of" in hints:
        values["of"] = kind
    if parsed.rest or "set" in values:
        _add_method_parameters(command, command_class, values, parsed.rest)
    _require_options(command, format_name, command_class, values)
    return command_class(**values)


def _convert_option_texts(
    options: Mapping[str, OptionSpec], texts: Mapping[str, bool | str | list[str]]
) -> dict[str, OptionValue]:
    """Values in the types of the command line; from the environment where none is given."""
    all_texts = dict(texts)
    for name, option in options.items():
        if name not in all_texts and (text := os.environ.get(option.env)):
            all_texts[name] = text
    converted = {name: convert_text(value, options[name]) for name, value in all_texts.items()}
    return {name: value for name, value in converted.items() if name not in (JSON, UNUSED_SEED)}


def _fields_by_name(command_class: type[Command]) -> dict[str, Field[object]]:
    """The fields of a command class by the name of the command line, older names included."""
    fields = command_options(command_class)
    fields_with_aliases = dict(fields)
    for field in fields.values():
        for alias in field.metadata["aliases"]:
            fields_with_aliases.setdefault(alias, field)
    return fields_with_aliases


def _add_method_parameters(
    command: CliCommand,
    command_class: type[Command],
    values: dict[str, object],
    rest: Sequence[str],
) -> None:
    """Add what is left of the command line: options of methods, each said once."""
    chosen_methods = command_class.methods(values) if rest else {}

    def refuse_option(option: str) -> UsageError:
        return _unknown_option_error(
            command, option, chosen_methods, command_class.methods({"of": values.get("of")})
        )

    parameters = parse_parameters(rest, chosen_methods, refuse_option)
    set_values = values.get("set", {})
    assert isinstance(set_values, dict)
    for name in parameters.keys() & set_values.keys():
        raise duplicate_option_error(f"--{name.replace('_', '-')}")
    if parameters:
        values["set"] = {**parameters, **set_values}


def _unknown_option_error(
    command: CliCommand, option: str, chosen_methods: MethodClasses, all_methods: MethodClasses
) -> UsageError:
    """The error of an option that neither the command nor a chosen method has."""
    if not option.startswith("-"):
        return _bare_word_error(command, option)
    if other_methods := methods_with_option(option, all_methods):
        return UsageError(
            "{chosen_methods} does not use {option}; it is an option of {other_methods}",
            chosen_methods=join_messages(chosen_methods),
            option=option,
            other_methods=join_messages(other_methods),
        )
    if option.removeprefix("--") in INPUT_FILE_SYNONYMS and (files := _input_file_options(command)):
        return UsageError(
            "unknown option '{option}'. This command takes its file by {options}. See 'tokumei "
            "{command} --help'",
            option=option,
            options=join_messages(files, OR),
            command=command.command_text,
        )
    valid = [
        entry.written
        for entry in command.options().values()
        if not (entry.hidden or entry.positional)
    ]
    valid += [
        f"--{name.replace('_', '-')}"
        for entry in chosen_methods.values()
        for name in field_hints(entry)
    ]
    noun, see = Message("option"), f"tokumei {command.command_text} --help"
    return UnknownNameError(noun, option, valid, see=see)


def _bare_word_error(command: CliCommand, word: str) -> UsageError:
    """The error of a word that stands alone, and how a file is given if it may be one."""
    if files := _input_file_options(command):
        alternatives = [f"{file_option} {word}" for file_option in files]
        return UsageError(
            "'{word}' is not an option; a file is given as {alternatives}",
            word=word,
            alternatives=join_messages(alternatives, OR),
        )
    return UsageError("'{word}' is not an option; options start with --", word=word)


def _input_file_options(command: CliCommand) -> list[str]:
    """The options that take the file a command begins with, one for every kind, each once."""
    unique_options: dict[str, None] = {}
    for _, spec in command.implementations:
        fields = command_options(spec.ask())
        required_names = (
            n for n in INPUT_FILE_OPTIONS if n in fields and fields[n].default is MISSING
        )
        if (name := next(required_names, None)) is not None:
            unique_options[f"--{name}"] = None
    return list(unique_options)


def _require_options(
    command: CliCommand, format: str, command_class: type[Command], values: Mapping[str, object]
) -> None:
    for name, field in command_options(command_class).items():
        required = field.default is MISSING and field.default_factory is MISSING
        if required and field.name not in values:
            positional = field.metadata["positional"]
            option = name.upper() if positional else f"--{name.replace('_', '-')}"
            if variable := field.metadata["env"]:
                raise UsageError(
                    "{option} (or the environment variable {variable}) is needed",
                    option=option,
                    variable=variable,
                )
            if len(command.implementation_of_format) > 1:
                raise UsageError("--format {format} needs {option}", format=format, option=option)
            raise UsageError("{option} is needed", option=option)


def _unused_option_error(command: CliCommand, format: str, option: str) -> UsageError:
    if len(command.implementation_of_format) > 1:
        return UsageError("--format {format} does not use {option}", format=format, option=option)
    return UsageError(
        "{command} does not use {option}", command=command.command_text, option=option
    )
