"""The ledger's file of lines and its head: read whole, appended by one writer.

A line is on the disk before anything that it announces is done. Who checks what a release adds must
also be the next to record one, so writers wait for each other.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import InputError, OutputError, Violation
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import lock_file, open_binary_for_writing, write_at_offset
from tokumei.files.atomic_write import write_all
from tokumei.files.writing import bytes_output
from tokumei.ledger.entry import LedgerEvent
from tokumei.ledger.hash_chain import (
    KeyedCodes,
    LedgerChain,
    hash_line,
    is_head_valid,
    make_head,
    read_chain,
    seal_line,
)

LEDGER_FILE, HEAD_FILE, CLASSES_FOLDER = "ledger.jsonl", "head", "classes"
TORN_LINE_REMOVED = Message(
    "the last line of the ledger was half written by a process that was killed; what it announced "
    "was not done, so the line was removed"
)


def make_ledger_folder(folder: Path) -> None:
    """Make the folder of a ledger; only its owner may read it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / CLASSES_FOLDER).mkdir(mode=0o700, exist_ok=True)
    except OSError as err:
        raise OutputError(
            "{folder}: cannot be made: {reason}", folder=folder, reason=translate_system_error(err)
        ) from None


def load_chain(folder: Path, codes: KeyedCodes | None) -> LedgerChain:
    """All lines of a ledger; an error names the first that was changed, or what is gone."""
    try:
        data = (folder / LEDGER_FILE).read_bytes()
        head = (folder / HEAD_FILE).read_bytes()
    except OSError as err:
        reason = translate_system_error(err)
        raise InputError(
            "{folder}: not a ledger that can be read: {reason} (see tokumei ledger init)",
            folder=folder,
            reason=reason,
        ) from None
    chain = read_chain(data, codes)
    if not is_head_valid(head, data[: chain.whole], codes):
        raise _truncated_ledger_error()
    return chain


def append_line(
    folder: Path, chain: LedgerChain, event: LedgerEvent, codes: KeyedCodes
) -> LedgerChain:
    """The ledger with one more line, on the disk when this returns."""
    line = seal_line(event, before=chain.last, codes=codes)
    path = folder / LEDGER_FILE
    try:
        descriptor = open_binary_for_writing(path)
        try:
            if chain.torn:
                os.ftruncate(descriptor, chain.whole)
            if write_at_offset(descriptor, line, chain.whole) < len(line):
                os.ftruncate(descriptor, chain.whole)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as err:
        raise OutputError(
            "{path}: nothing was recorded: {reason}", path=path, reason=translate_system_error(err)
        ) from None
    grown = LedgerChain((*chain.events, event), hash_line(line), chain.whole + len(line))
    write_all([bytes_output(make_head(grown, codes), folder / HEAD_FILE, secret=True)])
    return grown


def _truncated_ledger_error() -> InputError:
    message = Message(
        "lines at the end of the ledger are gone, or its head was changed: restore both from a copy"
    )
    return InputError(message, faults=[Violation(rule="ledger-head", message=message)])


LOCK_FILE = "lock"
LOCK_TIMEOUT_SECONDS = 60.0
"""Seconds to wait for another writer."""
_RETRY_SECONDS = 0.05


@contextmanager
def hold_write_lock(folder: Path, *, patience: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """The right to write, given back at the end, or when the process is gone."""
    try:
        descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as err:
        raise OutputError(
            "{folder}: cannot be written: {reason}",
            folder=folder,
            reason=translate_system_error(err),
        ) from None
    try:
        _wait_for_lock(descriptor, folder, patience)
        yield
    finally:
        os.close(descriptor)


def _wait_for_lock(descriptor: int, folder: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while True:
        try:
            lock_file(descriptor)
            return
        except OSError:
            if time.monotonic() > until:
                raise OutputError(
                    "{folder}: another process is writing this ledger; try again later",
                    folder=folder,
                ) from None
        time.sleep(_RETRY_SECONDS)
