"""Entry point of the command line: sets the language, runs a command, reports errors."""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from tokumei.apps.cli.run_command import run_command_line
from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import Defect, InputError, TokumeiError, UsageError
from tokumei.core.messages import Message, use_language

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
        memory = Message("not enough memory for this", "メモリが足りません")
        _print_error(InputError(memory), as_json)
        return 2
    except OSError as err:
        if err.filename is None:
            raise
        reason = translate_system_error(err)
        _print_error(
            InputError(f"{err.filename}: {reason.en}", f"{err.filename}: {reason.ja}"), as_json
        )
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
    if language not in (None, "en", "ja"):
        raise UsageError(
            f"--lang must be en or ja, not '{language}'",
            f"--lang は en か ja です ('{language}' は使えません)",
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
        f"a defect of Tokumei: {error_name}. Please report it; TOKUMEI_TRACEBACK=1 shows where it "
        "happened, and may show cells of your data",
        f"Tokumei の不具合です: {error_name}。ご報告ください。TOKUMEI_TRACEBACK=1 を設定すると発"
        f"生箇所を"
        "表示します (データの値が表示されることがあります)",
    )


def _print_error(err: TokumeiError, as_json: bool) -> None:
    if as_json:
        print(json.dumps(err.as_json(), ensure_ascii=False, indent=2))
    word = Message("Error", "エラー").show()
    print("\n".join([f"{word}: {err}", *getattr(err, "__notes__", [])]), file=sys.stderr)
