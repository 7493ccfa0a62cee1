"""Runs a command line: resolves its command, shows help, or binds its arguments and answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tokumei._version import __version__
from tokumei.apps.cli.binding import bind_arguments
from tokumei.apps.cli.dispatch import JSON, CliCommand, CommandPath, resolve_command
from tokumei.apps.cli.parser import parse_arguments
from tokumei.core.command import Command
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.fields import FrontEnd, using_front_end
from tokumei.core.messages import Message

HELP_OPTIONS = ("-h", "--help", "--help-all")


def run_command_line(args: Sequence[str], commands: Sequence[CliCommand] | None = None) -> int:
    """Do what the arguments say; the exit code. `commands`: these instead of all."""
    if args and {*args} <= {"--version", "--json"} and "--version" in args:
        return _show_version(as_json="--json" in args)
    command, words, rest = resolve_command(args, commands)
    help_flags = {*(rest[: rest.index("--")] if "--" in rest else rest)} & {*HELP_OPTIONS}
    if command is None:
        return _run_group(words, rest, bool(help_flags), commands)
    if help_flags:
        from tokumei.apps.cli.help import format_command_help

        sys.stdout.write(format_command_help(command, everything="--help-all" in help_flags))
        return 0
    return run_command(command, rest)


def run_command(command: CliCommand, args: Sequence[str]) -> int:
    """Bind the arguments, run the command and print its answer; the exit code."""
    with using_front_end(FrontEnd.COMMAND_LINE):
        return _run_bound(command, args)


def _run_bound(command: CliCommand, args: Sequence[str]) -> int:
    try:
        parsed = parse_arguments(command, args)
        ask = bind_arguments(command, parsed)
    except UsageError as error:
        raise _with_help_hint(error, command.path) from None
    return print_result(ask, as_json=bool(parsed.values.get(JSON, False)))


def print_result(bound_command: Command, *, as_json: bool) -> int:
    """Run a bound command and print its answer; the exit code."""
    from tokumei.apps.cli.console import print_command_result, show_progress
    from tokumei.apps.cli.printing_command import PrintingCommand

    if isinstance(bound_command, PrintingCommand):
        return bound_command.run(as_json=as_json)
    show_progress()
    return print_command_result(bound_command.answer(), as_json=as_json)


def _run_group(
    words: CommandPath,
    args: Sequence[str],
    help_requested: bool,
    commands: Sequence[CliCommand] | None,
) -> int:
    """Show the help of a group; without --help that is wrong usage, and so are other options."""
    from tokumei.apps.cli.help import format_group_help

    if help_requested or not args:
        print(
            format_group_help(words, commands),
            end="",
            file=sys.stdout if help_requested else sys.stderr,
        )
        return 0 if help_requested else 2
    if args[0] == JSON_OPTION:
        raise UsageError(MISSING_COMMAND)
    see = " ".join(["tokumei", *words, "--help"])
    valid = ["--help", "--lang", *([] if words else ["--version"])]
    raise UnknownNameError(Message("option", "オプション"), args[0], valid, see=see)


JSON_OPTION = f"--{JSON}"
MISSING_COMMAND = Message(
    "Missing command: --json comes after the command.",
    "コマンドを指定してください (--json はコマンドの後に付けます)。",
)


def _with_help_hint(error: UsageError, path: CommandPath) -> UsageError:
    """The same error; the help page of the command is named beside it, unless it is already."""
    page = f"{' '.join(['tokumei', *path])} --help"
    if page not in error.message.en:
        hint = Message(f"Try '{page}' for help.", f"'{page}' で説明を表示します。")
        error.add_note(hint.show())
    return error


def _show_version(*, as_json: bool) -> int:
    print(json.dumps({"version": __version__}) if as_json else f"tokumei {__version__}")
    return 0
