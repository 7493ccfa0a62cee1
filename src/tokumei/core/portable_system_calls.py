"""Functions that not every operating system has: file locks, file modes, process groups.

    lock_file(descriptor)                  # BlockingIOError while another process holds it
    set_file_mode(descriptor, path, 0o644)
    kill_process_group(process.pid)

Nothing else in Tokumei names what only some systems have, but for what has a place of its own:
limits of a process (`process_limits.py`) and the confinement of a contest
(`apps/contest/store/sandbox.py`). Where a system lacks something, the library does without it as
each function says; the contest server, which cannot, refuses (`require_server_platform`).
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tokumei.core.errors import OutputError, UsageError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

RENAMES_OPEN_FILES = os.name != "nt"
"""Whether a file can be renamed or removed while it is open."""
_BINARY_FLAG = getattr(os, "O_BINARY", 0)
_STOP_SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")
_SERVER_OS_FUNCTIONS = ("fork", "setsid", "killpg", "waitpid", "nice")


def mark_in_use(descriptor: int) -> bool:
    """Mark an open file or folder as in use until it is closed; False where nothing can be marked.

    False also where another process marked it. Windows has no such marks: its locks keep others
    from reading.
    """
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def lock_file(descriptor: int) -> None:
    """Lock a file that serves only as a lock; BlockingIOError if another process holds it.

    The lock ends with the descriptor or the process. OutputError where the system has no locks.
    """
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    windows = _import_or_none("msvcrt")
    if windows is None:
        raise OutputError(
            "this system has no file locks; without them two processes could damage each other's "
            "files"
        )
    _lock_on_windows(windows, descriptor)


def _lock_on_windows(windows: ModuleType, descriptor: int) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        windows.locking(descriptor, windows.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(error.errno, error.strerror) from None


def _import_or_none(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:
        return None


def set_file_mode(descriptor: int, path: Path, mode: int) -> None:
    """Say who may read and write an open file."""
    if hasattr(os, "fchmod") and RENAMES_OPEN_FILES:
        os.fchmod(descriptor, mode)
    else:
        path.chmod(mode)


def open_folder(folder: Path) -> int | None:
    """A descriptor of a folder; None on Windows, which opens none."""
    return os.open(folder, os.O_RDONLY) if os.name != "nt" else None


@contextmanager
def locked_folder(folder: Path | None) -> Iterator[None]:
    """Wait until no other process has the folder locked, and lock it; where there are locks."""
    descriptor: int | None = None
    try:
        if folder is not None and fcntl is not None:
            with suppress(OSError):  # a file system without locks
                descriptor = open_folder(folder)
                if descriptor is not None:
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Put a folder's names on the disk; Windows does so by itself."""
    descriptor = open_folder(folder)
    if descriptor is None:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_binary_for_writing(path: Path) -> int:
    """A descriptor to write bytes as they are, to a file that only its owner may read."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | _BINARY_FLAG, 0o600)


def write_at_offset(descriptor: int, data: bytes, place: int) -> int:
    """Write bytes at a place of a file; how many were written."""
    if hasattr(os, "pwrite"):
        return os.pwrite(descriptor, data, place)
    os.lseek(descriptor, place, os.SEEK_SET)
    return os.write(descriptor, data)


def kill_process_group(process: int) -> None:
    """Kill a process and all it started; without process groups only itself."""
    if hasattr(os, "killpg"):
        os.killpg(process, signal.SIGKILL)
    else:
        os.kill(process, signal.SIGTERM)  # on Windows this ends it at once


def kill_own_process_group() -> None:
    """Kill this process and all it started; without process groups only itself."""
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def was_ended_by_signal(code: int, name: str) -> bool:
    """Whether an exit code says that the signal of this name ended a process."""
    number = getattr(signal, name, None)
    return number is not None and code == -number


def stop_signals() -> tuple[signal.Signals, ...]:
    """The signals that ask a server to end, as far as the system has them."""
    return tuple(getattr(signal, name) for name in _STOP_SIGNALS if hasattr(signal, name))


def total_memory_megabytes() -> int:
    """The machine's memory; 0 where the system does not tell."""
    if not hasattr(os, "sysconf"):
        return 0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def require_server_platform() -> None:
    """UsageError where contests cannot be judged: that needs forks under limits, and file locks."""
    can_fork = all(hasattr(os, name) for name in _SERVER_OS_FUNCTIONS) and hasattr(select, "poll")
    if not can_fork or fcntl is None or _import_or_none("resource") is None:
        raise UsageError(
            "this system cannot run a contest server, which judges in separate processes under "
            "limits; run it on Linux or macOS, or on Windows in WSL or a container"
        )
