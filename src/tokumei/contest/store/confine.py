"""A process gives up its right to open the vault (Landlock, Linux 5.13 or newer).

    confine_web(home)                # True: this process and its children cannot open the vault

Landlock only knows what is allowed, so everything is allowed but the vault and its parents: beside
each folder on the way to the vault all others stay as they were. New files directly in a parent of
the vault (say, in the home itself) cannot be opened any more; those in folders beside it can.
Call it before any thread is started: it holds for the calling thread and what it starts.
"""

from __future__ import annotations

import os
import struct
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

try:
    import ctypes
except ImportError:  # a Python built without it
    ctypes = None  # type: ignore[assignment]

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on all architectures
_VERSION = 1
_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_WRITE_FILE, _READ_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 2, 1 << 14, 1 << 13
_OF_FOLDERS = sum(1 << bit for bit in range(3, 13))  # list, remove, make
_RIGHTS = {1: _WRITE_FILE | _READ_FILE | _OF_FOLDERS, 2: _REFER, 3: _TRUNCATE}
"""Rights by the version of Landlock that brought them."""
_OF_FILES = _WRITE_FILE | _READ_FILE | _TRUNCATE


def confine_web(home: Path) -> bool:
    """Make HOME/vault unreadable for this process; False if the system cannot."""
    scratch = home.resolve() / "scratch"
    scratch.mkdir(exist_ok=True)
    done = confine(home / "vault")
    if done:
        # The usual folder may be a parent of the vault.
        tempfile.tempdir = os.environ["TMPDIR"] = str(scratch)
    return done


def confine(closed: Path) -> bool:
    """Give up one folder for good; False if the system cannot."""
    if sys.platform != "linux" or ctypes is None:
        return False
    version = _call(_CREATE, None, 0, _VERSION)
    if version < 1:
        return False
    handled = sum(rights for since, rights in _RIGHTS.items() if since <= version)
    ruleset = _call(_CREATE, ctypes.byref(ctypes.c_uint64(handled)), 8, 0)
    if ruleset < 0:
        return False
    try:
        for path in _beside(closed.resolve()):
            _allow(ruleset, path, handled)
        library = ctypes.CDLL(None, use_errno=True)
        refused = library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return not refused and _call(_RESTRICT, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _beside(closed: Path) -> list[Path]:
    """Everything that is not above, in or at a folder.

    A link gets no right of its own: it may lead back to a folder above. What it leads to has one.
    """
    found: list[Path] = []
    for parent, child in zip(closed.parents, (closed, *closed.parents), strict=False):
        with suppress(PermissionError):
            others = (other for other in parent.iterdir() if other != child)
            found += (other for other in others if not other.is_symlink())
    return found


def _allow(ruleset: int, path: Path, handled: int) -> None:
    # What vanished meanwhile needs no right; what became a link meanwhile must not get one.
    with suppress(FileNotFoundError, PermissionError):
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            rights = handled if path.is_dir() else handled & _OF_FILES
            beneath = ctypes.create_string_buffer(struct.pack("=Qi", rights, opened), 12)
            _call(_ADD, ruleset, _BENEATH, beneath, 0)
        finally:
            os.close(opened)


def _call(number: int, *arguments: object) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return int(library.syscall(ctypes.c_long(number), *arguments))
