"""What a supervised process runs: `python -m tokumei.contest.server.child web|worker HOME …`.

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
    from tokumei.contest.store.confine import confine_web

    # Only the thread that asks is confined, and what comes from it: so before any other thread.
    confine_web(home)
    end_with_parent()
    signal.signal(signal.SIGTERM, leave)
    warn_of_readable_truth(home)
    from tokumei.contest.server.web_process import serve

    serve(home, descriptor)
    return 0


def run_worker(home: Path, name: str) -> int:
    """Judge until SIGTERM."""
    end_with_parent()
    from tokumei.contest.jobs.worker import run_worker as work
    from tokumei.http.serving import log_to_stderr

    log_to_stderr()
    return work(home, name)


def end_with_parent() -> None:
    """End this process when its parent is gone: then stdin, a pipe from it, is at its end."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """End cleanly on a signal."""
    raise SystemExit(0)


def warn_of_readable_truth(home: Path) -> None:
    """Say so if this process can open the vault all the same."""
    from tokumei.contest.store.home import VAULT
    from tokumei.core.text import Text

    try:
        next((home / VAULT).iterdir(), None)
    except OSError:
        return
    print(
        Text(
            "WARNING: this system cannot hide the truth (HOME/vault) from the web process: it has "
            "no Landlock (Linux 5.13). Run pages and workers as different users; see "
            "docs/contest-deploy.md.",
            "警告: このシステムでは正解 (HOME/vault) を Web プロセスから隠せません (Landlock のない"
            " 環境です)。ページとワーカーを別のユーザーで動かしてください "
            "(docs/contest-deploy.md)。",
        ).show(),
        file=sys.stderr,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
