"""Takes away a process's right to open the vault (Landlock, Linux 5.13 or newer).

    hide_vault_from_web(home)  # True: this process and its children cannot open the vault

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

_SYS_CREATE_RULESET, _SYS_ADD_RULE, _SYS_RESTRICT_SELF = (
    444,
    445,
    446,
)  # the same on all architectures
_GET_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_WRITE_FILE, _READ_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 2, 1 << 14, 1 << 13
_FOLDER_RIGHTS = sum(1 << bit for bit in range(3, 13))  # list, remove, make
_RIGHTS_BY_VERSION = {1: _WRITE_FILE | _READ_FILE | _FOLDER_RIGHTS, 2: _REFER, 3: _TRUNCATE}
"""Rights by the version of Landlock that brought them."""
_FILE_RIGHTS = _WRITE_FILE | _READ_FILE | _TRUNCATE


def hide_vault_from_web(home: Path) -> bool:
    """Make HOME/vault unreadable for this process; False if the system cannot."""
    scratch = home.resolve() / "scratch"
    scratch.mkdir(exist_ok=True)
    is_confined = forbid_folder(home / "vault")
    if is_confined:
        # The usual folder may be a parent of the vault.
        tempfile.tempdir = os.environ["TMPDIR"] = str(scratch)
    return is_confined


def forbid_folder(forbidden: Path) -> bool:
    """Give up one folder for good; False if the system cannot."""
    if sys.platform != "linux" or ctypes is None:
        return False
    version = _syscall(_SYS_CREATE_RULESET, None, 0, _GET_VERSION_FLAG)
    if version < 1:
        return False
    handled_rights = sum(rights for since, rights in _RIGHTS_BY_VERSION.items() if since <= version)
    ruleset = _syscall(_SYS_CREATE_RULESET, ctypes.byref(ctypes.c_uint64(handled_rights)), 8, 0)
    if ruleset < 0:
        return False
    try:
        for path in _paths_outside(forbidden.resolve()):
            _allow_path(ruleset, path, handled_rights)
        library = ctypes.CDLL(None, use_errno=True)
        refused = library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return not refused and _syscall(_SYS_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _paths_outside(forbidden: Path) -> list[Path]:
    """Everything that is not above, in or at a folder.

    A link gets no right of its own: it may lead back to a folder above. What it leads to has one.
    """
    allowed_paths: list[Path] = []
    for parent, child in zip(forbidden.parents, (forbidden, *forbidden.parents), strict=False):
        with suppress(PermissionError):
            siblings = (sibling for sibling in parent.iterdir() if sibling != child)
            allowed_paths += (sibling for sibling in siblings if not sibling.is_symlink())
    return allowed_paths


def _allow_path(ruleset: int, path: Path, handled_rights: int) -> None:
    # What vanished meanwhile needs no right; what became a link meanwhile must not get one.
    with suppress(FileNotFoundError, PermissionError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            rights = handled_rights if path.is_dir() else handled_rights & _FILE_RIGHTS
            rule_attributes = ctypes.create_string_buffer(
                struct.pack("=Qi", rights, descriptor), 12
            )
            _syscall(_SYS_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule_attributes, 0)
        finally:
            os.close(descriptor)


def _syscall(number: int, *arguments: object) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return int(library.syscall(ctypes.c_long(number), *arguments))
