"""A Python without what only some systems have: `python other_system.py SCRIPT`, or with commands.

    python other_system.py -c "import tokumei"
    python other_system.py tokumei --help

The standard library of this system needs some of it, so that is loaded before it is taken away.
"""

from __future__ import annotations

import asyncio  # noqa: F401
import multiprocessing  # noqa: F401
import os
import select
import signal
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog")
OF_OS = (
    *("fchmod", "fchown", "chown", "lchown", "fork", "forkpty", "killpg", "getpgid", "setsid"),
    *("nice", "pread", "pwrite", "sysconf", "getuid", "geteuid", "getgid", "getegid", "wait4"),
    *("sched_getaffinity", "getloadavg", "mkfifo", "O_NOFOLLOW", "O_DIRECTORY", "O_PATH"),
)
SIGNALS = ("SIGKILL", "SIGHUP", "SIGXCPU", "SIGXFSZ", "SIGALRM", "alarm")


def take_away() -> None:
    """Leave what every system has."""
    for name in MODULES if os.name == "nt" else (*MODULES, "msvcrt"):
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in ((os, OF_OS), (signal, SIGNALS), (select, ("poll",))):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)


def main(arguments: list[str]) -> None:
    """Run a script, or Tokumei's command line."""
    take_away()
    if arguments[0] == "-c":
        exec(arguments[1], {"__name__": "__main__"})
        return
    from tokumei.apps.cli.app import main as run

    sys.argv = arguments
    run()


if __name__ == "__main__":
    main(sys.argv[1:])
