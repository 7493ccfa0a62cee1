"""Runs a command line: resolves its command, shows help, or binds its arguments and answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tokumei._version import __version__
from tokumei.cli.binding import bind_arguments
from tokumei.cli.dispatch import JSON, CliCommand, Path, resolve_command
from tokumei.cli.parser import parse_arguments
from tokumei.core.ask import Ask
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.fields import FrontEnd, using_front_end
from tokumei.core.text import Text

HELP = ("-h", "--help", "--help-all")


def run_command_line(args: Sequence[str], commands: Sequence[CliCommand] | None = None) -> int:
    """Do what the arguments say; the exit code. `commands`: these instead of all."""
    if args and {*args} <= {"--version", "--json"} and "--version" in args:
        return _show_version(as_json="--json" in args)
    command, words, rest = resolve_command(args, commands)
    asked = {*(rest[: rest.index("--")] if "--" in rest else rest)} & {*HELP}
    if command is None:
        return _run_group(words, rest, bool(asked), commands)
    if asked:
        from tokumei.cli.help import show_command_help

        sys.stdout.write(show_command_help(command, everything="--help-all" in asked))
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


def print_result(ask: Ask, *, as_json: bool) -> int:
    """Run a bound command and print its answer; the exit code."""
    from tokumei.cli.console import print_answer, show_progress
    from tokumei.cli.options import PrintingCommand

    if isinstance(ask, PrintingCommand):
        return ask.run(as_json=as_json)
    show_progress()
    return print_answer(ask.answer(), as_json=as_json)


def _run_group(
    words: Path, args: Sequence[str], asked: bool, commands: Sequence[CliCommand] | None
) -> int:
    """Show the help of a group; without --help that is wrong usage, and so are other options."""
    from tokumei.cli.help import show_group_help

    if asked or not args:
        print(show_group_help(words, commands), end="", file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    if args[0] == JSON_OPTION:
        raise UsageError(NO_COMMAND)
    see = " ".join(["tokumei", *words, "--help"])
    valid = ["--help", "--lang", *([] if words else ["--version"])]
    raise UnknownNameError(Text("option", "オプション"), args[0], valid, see=see)


JSON_OPTION = f"--{JSON}"
NO_COMMAND = Text(
    "Missing command: --json comes after the command.",
    "コマンドを指定してください (--json はコマンドの後に付けます)。",
)


def _with_help_hint(error: UsageError, path: Path) -> UsageError:
    """The same error; the help page of the command is named beside it, unless it is already."""
    page = f"{' '.join(['tokumei', *path])} --help"
    if page not in error.message.en:
        hint = Text(f"Try '{page}' for help.", f"'{page}' で説明を表示します。")
        error.add_note(hint.show())
    return error


def _show_version(*, as_json: bool) -> int:
    print(json.dumps({"version": __version__}) if as_json else f"tokumei {__version__}")
    return 0
