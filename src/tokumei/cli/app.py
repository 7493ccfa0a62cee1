"""The entry point: language, commands, and what happens when something is wrong."""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from tokumei._version import __version__
from tokumei.core.errors import Defect, InputError, TokumeiError, UsageError
from tokumei.core.reasons import system_reason
from tokumei.core.text import Text, use_language

NO_COMMAND = Text(
    "Missing command: --json comes after the command.",
    "コマンドを指定してください (--json はコマンドの後に付けます)。",
)


def main(argv: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 a rule or claim broken, 2 wrong usage or input."""
    args = list(sys.argv[1:] if argv is None else argv)
    # Modules are no garbage; looking for it among them slows the start and, much more, the end.
    gc.set_threshold(100_000)
    # NumPy's threads would spin for a while after every product, on cores that others need.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    atexit.register(gc.freeze)
    _speak_utf8()
    try:
        code = _run(args, "--json" in args)
        sys.stdout.flush()
    except OSError as err:
        # Nothing more can be said on stdout, not even when Python flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 2
        if not isinstance(err, BrokenPipeError):
            print(f"stdout: {system_reason(err).show()}", file=sys.stderr)
    sys.exit(code)


def _run(args: list[str], as_json: bool) -> int:
    """Run a command; its exit code."""
    try:
        from tokumei.cli.plain import plain_question

        args = _take_language(args)
        if sorted(args) == ["--json", "--version"]:
            print(json.dumps({"version": __version__}))
            return 0
        question = plain_question(args)
        return _run_typer(args, as_json) if question is None else question()
    except TokumeiError as err:
        _fail(err, as_json)
        return err.exit_code
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        memory = Text("not enough memory for this", "メモリが足りません")
        _fail(InputError(memory), as_json)
        return 2
    except OSError as err:
        if err.filename is None:
            raise
        reason = system_reason(err)
        _fail(InputError(f"{err.filename}: {reason.en}", f"{err.filename}: {reason.ja}"), as_json)
        return 2
    except Exception as err:  # a script gets its answer even to a defect of ours
        if os.environ.get("TOKUMEI_TRACEBACK"):
            raise
        _fail(_defect(err), as_json)
        return 2


def _run_typer(args: list[str], as_json: bool) -> int:
    """Run a command that Typer reads, or has to explain."""
    import typer

    from tokumei.cli.commands import build_app
    from tokumei.cli.plain import read_plainly
    from tokumei.cli.words import translate_help

    app = typer.main.get_command(build_app(args))
    translate_help(app)
    read_plainly(app)
    try:
        code = app(args, prog_name="tokumei", standalone_mode=False)
    except typer.TyperException as err:
        _fail_usage(err, as_json)
        return 2
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _speak_utf8() -> None:
    """JSON is UTF-8 whatever the locale; a screen that cannot show a character shows its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8")


def _take_language(args: list[str]) -> list[str]:
    """Take `--lang X` out of the arguments, wherever it stands, before help texts are made."""
    rest: list[str] = []
    chosen: str | None = None
    waiting = iter(args)
    for arg in waiting:
        if arg == "--":
            rest += [arg, *waiting]
        elif arg == "--lang":
            chosen = next(waiting, "")
        elif arg.startswith("--lang="):
            chosen = arg.removeprefix("--lang=")
        else:
            rest.append(arg)
    if chosen not in (None, "en", "ja"):
        raise UsageError(
            f"--lang must be en or ja, not '{chosen}'",
            f"--lang は en か ja です ('{chosen}' は使えません)",
        )
    use_language(chosen)
    return rest


def _defect(err: Exception) -> Defect:
    """What went wrong and where, without the words of the error, which may quote a cell."""
    last = err.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = "" if last is None else f" ({Path(last.tb_frame.f_code.co_filename).name})"
    what = f"{type(err).__name__}{place}"
    return Defect(
        f"a defect of Tokumei: {what}. Please report it; TOKUMEI_TRACEBACK=1 shows where it "
        "happened, and may show cells of your data",
        f"Tokumei の不具合です: {what}。ご報告ください。TOKUMEI_TRACEBACK=1 を設定すると発生箇所を"
        "表示します (データの値が表示されることがあります)",
    )


def _fail(err: TokumeiError, as_json: bool) -> None:
    if as_json:
        print(json.dumps(err.as_json(), ensure_ascii=False, indent=2))
    word = Text("Error", "エラー").show()
    print(f"{word}: {err}", file=sys.stderr)


def _fail_usage(err: Any, as_json: bool) -> None:
    """Wrong usage as Typer found it; a call without a command shows the help."""
    from tokumei.cli.words import usage_text

    if type(err).__name__ == "NoArgsIsHelpError":
        err.show()
        return
    groups = hasattr(getattr(getattr(err, "ctx", None), "command", None), "commands")
    lacking = groups and getattr(err, "option_name", "") == "--json"
    _fail(UsageError(NO_COMMAND if lacking else usage_text(err.format_message())), as_json)
    command = getattr(getattr(err, "ctx", None), "command_path", "tokumei")
    hint = f"{command} --help"
    print(Text(f"Try '{hint}' for help.", f"'{hint}' で説明を表示します。").show(), file=sys.stderr)
