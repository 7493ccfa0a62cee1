"""One writer at a time: who checks what a release adds must also be the next to record one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tokumei.core.errors import OutputError

try:
    import fcntl
except ImportError:  # pragma: no cover  another system: a file that only one can create
    fcntl = None  # type: ignore[assignment]

LOCK = "lock"
PATIENCE = 60.0
"""Seconds to wait for another writer."""
_PAUSE = 0.05


@contextmanager
def only_writer(folder: Path, *, patience: float = PATIENCE) -> Iterator[None]:
    """The right to write, given back at the end, or when the process is gone."""
    if fcntl is None:
        raise OutputError(
            "this system has no file locks, without which two writers could spoil a ledger",
            "この OS にはファイルロックがないため、台帳に書き込めません",
        )
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as err:
        raise OutputError(
            f"{folder}: cannot be written: {err.strerror}",
            f"{folder}: 書き込めません: {err.strerror}",
        ) from None
    try:
        _wait(descriptor, folder, patience)
        yield
    finally:
        os.close(descriptor)


def _wait(descriptor: int, folder: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            if time.monotonic() > until:
                raise OutputError(
                    f"{folder}: another process is writing this ledger; try again later",
                    f"{folder}: 別の処理が台帳に書き込んでいます。後でやり直してください",
                ) from None
        time.sleep(_PAUSE)
