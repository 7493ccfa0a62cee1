"""Entry point of the command line: sets the language, runs a command, reports errors."""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from tokumei._version import __version__
from tokumei.apps.cli.binding import bind_arguments
from tokumei.apps.cli.dispatch import JSON, CliCommand, CommandPath, resolve_command
from tokumei.apps.cli.parser import parse_arguments
from tokumei.core.catalogs import available_languages
from tokumei.core.command import Command
from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import Defect, InputError, TokumeiError, UnknownNameError, UsageError
from tokumei.core.fields import FrontEnd, using_front_end
from tokumei.core.language import use_language
from tokumei.core.messages import Message, join_messages

COMPLETE_OPTION = "--complete"
"""The hidden option by which completion scripts ask what may follow."""


def main(argv: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 a rule or claim broken, 2 wrong usage or input."""
    args = list(sys.argv[1:] if argv is None else argv)
    # Modules are no garbage; looking for it among them slows the start and, much more, the end.
    gc.set_threshold(100_000)
    # NumPy's threads would spin for a while after every product, on cores that others need.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    atexit.register(gc.freeze)
    _use_utf8_output()
    try:
        code = _run_to_exit_code(args, "--json" in args)
        sys.stdout.flush()
    except OSError as err:
        # Nothing more can be said on stdout, not even when Python flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 2
        if not isinstance(err, BrokenPipeError):
            print(f"stdout: {translate_system_error(err).show()}", file=sys.stderr)
    sys.exit(code)


def _run_to_exit_code(args: list[str], as_json: bool) -> int:
    """Run a command; its exit code."""
    try:
        if args[:1] == [COMPLETE_OPTION]:
            return _print_completions(args[1:])
        return run_command_line(_extract_language_option(args))
    except TokumeiError as err:
        _print_error(err, as_json)
        return err.exit_code
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        memory = Message("not enough memory for this")
        _print_error(InputError(memory), as_json)
        return 2
    except OSError as err:
        if err.filename is None:
            raise
        reason = translate_system_error(err)
        _print_error(InputError("{file}: {reason}", file=err.filename, reason=reason), as_json)
        return 2
    except Exception as err:  # a script gets its answer even to a defect of ours
        if os.environ.get("TOKUMEI_TRACEBACK"):
            raise
        _print_error(_wrap_defect(err), as_json)
        return 2


def _print_completions(words: list[str]) -> int:
    """Print what may follow the words typed so far, for a shell."""
    from tokumei.apps.cli.completion import complete_command_line

    print(*complete_command_line(words), sep="\n")
    return 0


def _use_utf8_output() -> None:
    """JSON is UTF-8 whatever the locale; a screen that cannot show a character shows its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8")


def _extract_language_option(args: list[str]) -> list[str]:
    """Take `--lang X` out of the arguments, wherever it stands, before help texts are made."""
    rest: list[str] = []
    language: str | None = None
    remaining = iter(args)
    for arg in remaining:
        if arg == "--":
            rest += [arg, *remaining]
        elif arg == "--lang":
            language = next(remaining, "")
        elif arg.startswith("--lang="):
            language = arg.removeprefix("--lang=")
        else:
            rest.append(arg)
    languages = available_languages()
    if language is not None and language not in languages:
        raise UsageError(
            "--lang must be one of {languages}, not '{language}'",
            languages=join_messages(languages),
            language=language,
        )
    use_language(language)
    return rest


def _wrap_defect(err: Exception) -> Defect:
    """What went wrong and where, without the words of the error, which may quote a cell."""
    innermost = err.__traceback__
    while innermost is not None and innermost.tb_next is not None:
        innermost = innermost.tb_next
    file_note = (
        "" if innermost is None else f" ({Path(innermost.tb_frame.f_code.co_filename).name})"
    )
    error_name = f"{type(err).__name__}{file_note}"
    return Defect(
        "a defect of Tokumei: {error_name}. Please report it; TOKUMEI_TRACEBACK=1 shows where it "
        "happened, and may show cells of your data",
        error_name=error_name,
    )


def _print_error(err: TokumeiError, as_json: bool) -> None:
    if as_json:
        print(json.dumps(err.as_json(), ensure_ascii=False, indent=2))
    word = Message("Error").show()
    print("\n".join([f"{word}: {err}", *getattr(err, "__notes__", [])]), file=sys.stderr)


HELP_OPTIONS = ("-h", "--help", "--help-all")


def run_command_line(args: Sequence[str], commands: Sequence[CliCommand] | None = None) -> int:
    """Do what the arguments say; the exit code. `commands`: these instead of all."""
    if args and {*args} <= {"--version", "--json"} and "--version" in args:
        return _show_version(as_json="--json" in args)
    from tokumei.apps.cli.console import print_command_result, show_progress
    from tokumei.apps.cli.printing_command import PrintingCommand

    command, words, rest = resolve_command(args, commands)
    help_flags = {*(rest[: rest.index("--")] if "--" in rest else rest)} & {*HELP_OPTIONS}
    if command is None:
        return _run_group(words, rest, bool(help_flags), commands)
    if help_flags:
        from tokumei.apps.cli.help import format_command_help

        sys.stdout.write(format_command_help(command, everything="--help-all" in help_flags))
        return 0
    with using_front_end(FrontEnd.COMMAND_LINE):
        bound_command, as_json = _bind_command(command, rest)
        if isinstance(bound_command, PrintingCommand):
            return bound_command.run(as_json=as_json)
        show_progress()
        result = bound_command.answer()
        if result.made is not None:
            from tokumei.apps.cli.verdict_line import add_verdict

            result = add_verdict(result, result.made)
        return print_command_result(result, as_json=as_json)


def _bind_command(command: CliCommand, args: Sequence[str]) -> tuple[Command, bool]:
    """The command with its arguments, and whether it is to print JSON."""
    try:
        parsed = parse_arguments(command, args)
        return bind_arguments(command, parsed), bool(parsed.values.get(JSON, False))
    except UsageError as error:
        raise _with_help_hint(error, command.path) from None


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
    raise UnknownNameError(Message("option"), args[0], valid, see=see)


JSON_OPTION = f"--{JSON}"
MISSING_COMMAND = Message("Missing command: --json comes after the command.")


def _with_help_hint(error: UsageError, path: CommandPath) -> UsageError:
    """The same error; the help page of the command is named beside it, unless it is already."""
    page = f"{' '.join(['tokumei', *path])} --help"
    if page not in error.message.show("en"):
        hint = Message("Try '{page}' for help.", page=page)
        error.add_note(hint.show())
    return error


def _show_version(*, as_json: bool) -> int:
    print(json.dumps({"version": __version__}) if as_json else f"tokumei {__version__}")
    return 0
