"""Formats the help pages of `tokumei`, of a group of commands, and of one command.

A command with many options shows the common ones; `--help-all` shows all of them, and the options
of its methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING

from tokumei.apps.cli.converters import MethodClass, format_parameter_help
from tokumei.apps.cli.dispatch import CliCommand, CommandPath, OptionSpec, list_commands
from tokumei.apps.cli.help_sections import (
    GROUP_DESCRIPTIONS,
    HELP_SECTIONS,
    OTHER_COMMANDS,
    PROGRAM_DESCRIPTION,
)
from tokumei.apps.cli.option_help import is_common, option_row
from tokumei.apps.cli.text_wrapping import HelpRow, wrap_rows, wrap_text
from tokumei.core.catalogs import available_languages
from tokumei.core.messages import Message, join_messages

EXAMPLES_SHOWN = 2
"""How many examples a command with many options shows before `--help-all`."""
HELP_ROW: HelpRow = ("-h, --help", Message("show this page"))
VERSION_ROW: HelpRow = ("--version", Message("show the version and exit"))
HELP_ALL_ROW: HelpRow = ("--help-all", Message("show all options"))
_OPTIONS_TITLE, _COMMANDS_TITLE = Message("Options"), Message("Commands")


def format_group_help(group: CommandPath, commands: Sequence[CliCommand] | None = None) -> str:
    """The page of `tokumei`, or of a group of commands."""
    all_commands = list_commands() if commands is None else commands
    about = GROUP_DESCRIPTIONS.get(" ".join(group)) if group else PROGRAM_DESCRIPTION
    usage = " ".join(["tokumei", *group, Message("COMMAND [OPTIONS]").show()])
    parts = [_format_usage(usage), *([wrap_text(about.show(), indent=2)] if about else [])]
    version_rows = [] if group else [VERSION_ROW]
    parts.append(_format_section(_OPTIONS_TITLE, [*version_rows, _language_row(), HELP_ROW]))
    if group:
        rows = [
            (name, _describe_group_member(group, name, all_commands))
            for name in _member_names(group, all_commands)
        ]
        return _join_page([*parts, _format_section(_COMMANDS_TITLE, rows)])
    sectioned_names = {name for _, briefs in HELP_SECTIONS for name in briefs}
    member_names = _member_names((), all_commands)
    unsectioned = {
        n: _describe_group_member((), n, all_commands)
        for n in member_names
        if n not in sectioned_names
    }
    for title, briefs in (*HELP_SECTIONS, (OTHER_COMMANDS, unsectioned)):
        listed = [(name, brief) for name, brief in briefs.items() if name in member_names]
        parts += [_format_section(title, listed)] if listed else []
    return _join_page(parts)


def _language_row() -> HelpRow:
    languages = available_languages()
    about = Message("language of messages: {languages}", languages=join_messages(languages))
    return f"--lang {'|'.join(languages)}", about


def _member_names(group: CommandPath, commands: Sequence[CliCommand]) -> list[str]:
    """The words that may follow a group's, each once, in the order of the commands."""
    size = len(group)
    next_words = (
        command.path[size]
        for command in commands
        if command.path[:size] == group and command.path != group
    )
    return list(dict.fromkeys(next_words))


def _describe_group_member(
    group: CommandPath, name: str, commands: Sequence[CliCommand]
) -> Message:
    """What a list of commands says of one: the first sentence of its help."""
    path = (*group, name)
    command = next((candidate for candidate in commands if candidate.path == path), None)
    if command is None:
        about = GROUP_DESCRIPTIONS.get(" ".join(path), Message.verbatim(""))
    else:
        about = command.implementations[0][1].ask().about
    return first_sentence(about)


def first_sentence(message: Message) -> Message:
    """What a list of commands says of one: whole words, never cut off."""
    return Message.of_texts(
        {language: _cut_first_sentence(text) for language, text in message.texts().items()}
    )


def _cut_first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?!])\s|(?<=。)", " ".join(text.split()), maxsplit=1)[0]


def format_command_help(command: CliCommand, *, everything: bool) -> str:
    """The page of a command; `everything`: with rare options and those of its methods."""
    options = {name: spec for name, spec in command.options().items() if not spec.hidden}
    named = {name: spec for name, spec in options.items() if not spec.positional}
    common = [name for name in named if everything or is_common(command, name, len(named))]
    abridged = len(common) < len(named)
    arguments = [
        option_row(command, name, spec) for name, spec in options.items() if spec.positional
    ]
    rows = [option_row(command, name, named[name]) for name in common]
    help_rows = [HELP_ALL_ROW] if abridged or _command_methods(command) else []
    parts = [
        _format_usage(_usage_line(command, options)),
        *_describe_command(command, short=abridged),
        *([_format_section(Message("Arguments"), arguments)] if arguments else []),
        _format_section(Message("Common options") if abridged else _OPTIONS_TITLE, rows),
        _format_section(Message("Everywhere"), [_language_row(), HELP_ROW, *help_rows]),
        *_format_methods(command, everything=everything),
    ]
    return _join_page(parts)


def _usage_line(command: CliCommand, options: dict[str, OptionSpec]) -> str:
    words = ["tokumei", *command.path, Message("[OPTIONS]").show()]
    for name, spec in options.items():
        if spec.positional:
            required = spec.field is not None and spec.field.default is MISSING
            word = name.upper() + ("..." if spec.type == list[str] else "")
            words.append(word if required else f"[{word}]")
    return " ".join(words)


def _describe_command(command: CliCommand, *, short: bool) -> list[str]:
    """What the command does, kind by kind, with examples that run."""
    command_classes = dict.fromkeys(verb.ask() for _, verb in command.implementations)
    texts = dict.fromkeys(command_class.about.show() for command_class in command_classes)
    parts = [wrap_text(text, indent=2) for text in texts]
    examples = [example for command_class in command_classes for example in command_class.examples]
    shown = examples[:EXAMPLES_SHOWN] if short else examples
    if shown:
        title = Message("Example", plural="Examples", count=len(shown)).show()
        lines = [wrap_text(example_line, indent=2, hanging=6) for example_line in shown]
        parts.append("\n".join([f"{title}:", *lines]))
    return parts


def _command_methods(command: CliCommand) -> dict[str, MethodClass]:
    """All methods whose fields are options of the command, by name."""
    methods: dict[str, MethodClass] = {}
    for kind, spec in command.implementations:
        methods |= spec.ask().methods({"of": kind})
    return methods


def _format_methods(command: CliCommand, *, everything: bool) -> list[str]:
    methods = _command_methods(command)
    if not methods:
        return []
    if everything:
        title = Message("Methods and their options:").show()
        lines = format_parameter_help(methods).split("\n\n")
        return ["\n".join([title, *(wrap_text(line, indent=2, hanging=6) for line in lines)])]
    example = next(iter(methods))
    return [
        wrap_text(
            Message(
                "Methods have options of their own: `tokumei methods {example}` lists those of "
                "{example}, `tokumei methods` all methods.",
                example=example,
            ).show()
        )
    ]


def _format_usage(line: str) -> str:
    return wrap_text(Message("Usage: {command}", command=line).show(), hanging=4)


def _format_section(title: Message, rows: Iterable[HelpRow]) -> str:
    return f"{title.show()}:\n{wrap_rows(rows)}"


def _join_page(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"
