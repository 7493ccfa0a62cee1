"""The entry point: language, commands, and what happens when something is wrong."""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from tokumei.cli.run_command import run_command_line
from tokumei.core.errors import Defect, InputError, TokumeiError, UsageError
from tokumei.core.reasons import system_reason
from tokumei.core.text import Text, use_language

COMPLETE = "--complete"
"""The hidden option by which completion scripts ask what may follow."""


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
        if args[:1] == [COMPLETE]:
            return _complete(args[1:])
        return run_command_line(_take_language(args))
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


def _complete(words: list[str]) -> int:
    """Print what may follow the words typed so far, for a shell."""
    from tokumei.cli.completion import complete_words

    print(*complete_words(words), sep="\n")
    return 0


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
    print("\n".join([f"{word}: {err}", *getattr(err, "__notes__", [])]), file=sys.stderr)
