"""Entry point of a supervised process.

    python -m tokumei.apps.contest.server.process_main web|worker HOME …

The web process gives up the right to read the truth before it loads anything else.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import NoReturn


def main(arguments: list[str]) -> int:
    """Run as `web HOME DESCRIPTOR` or `worker HOME NAME`; the exit code."""
    from tokumei.core.errors import TokumeiError

    kind, home, last = arguments
    try:
        return run_web(Path(home), int(last)) if kind == "web" else run_worker(Path(home), last)
    except TokumeiError as error:
        print(error, file=sys.stderr)
        return error.exit_code


def run_web(home: Path, descriptor: int) -> int:
    """Serve pages on an inherited socket until SIGTERM."""
    from tokumei.apps.contest.store.sandbox import hide_vault_from_web

    # Only the thread that asks is confined, and what comes from it: so before any other thread.
    hide_vault_from_web(home)
    exit_with_parent()
    signal.signal(signal.SIGTERM, exit_on_signal)
    warn_if_vault_readable(home)
    from tokumei.apps.contest.server.web_process import serve_web

    serve_web(home, descriptor)
    return 0


def run_worker(home: Path, name: str) -> int:
    """Judge until SIGTERM."""
    exit_with_parent()
    from tokumei.apps.contest.jobs.worker import run_worker as work
    from tokumei.apps.http.server import log_to_stderr

    log_to_stderr()
    return work(home, name)


def exit_with_parent() -> None:
    """End this process when its parent is gone: then stdin, a pipe from it, is at its end."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def exit_on_signal(number: int, frame: FrameType | None) -> NoReturn:
    """End cleanly on a signal."""
    raise SystemExit(0)


def warn_if_vault_readable(home: Path) -> None:
    """Say so if this process can open the vault all the same."""
    from tokumei.apps.contest.store.server_home import VAULT_FOLDER
    from tokumei.core.messages import Message

    try:
        next((home / VAULT_FOLDER).iterdir(), None)
    except OSError:
        return
    print(
        Message(
            "WARNING: this system cannot hide the truth (HOME/vault) from the web process: it has "
            "no Landlock (Linux 5.13). Run pages and workers as different users; see "
            "docs/contest-deploy.md."
        ).show(),
        file=sys.stderr,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
