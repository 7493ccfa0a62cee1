"""The file of lines and its head: read whole, extended by one line at a time, by one writer.

A line is on the disk before anything that it announces is done. Who checks what a release adds must
also be the next to record one, so writers wait for each other.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tokumei.core.errors import Fault, InputError, OutputError
from tokumei.core.platform_support import lock_file, open_for_bytes, write_at
from tokumei.core.reasons import system_reason
from tokumei.core.text import Text
from tokumei.files.atomic import write_all
from tokumei.files.writing import bytes_output
from tokumei.ledger.chain import Chain, Codes, head_fits, head_of, line_hash, read_chain, sealed

LINES, HEAD = "ledger.jsonl", "head"
RECOVERED = Text(
    "the last line of the ledger was half written, by a process that was killed; it announced "
    "nothing that was done, and was cut off",
    "台帳の最終行が書きかけでした (処理の強制終了による)。その行が示す処理は行われていないため、"
    "取り除きました",
)


def load_chain(folder: Path, codes: Codes | None) -> Chain:
    """All lines of a ledger; an error names the first that was changed, or what is gone."""
    try:
        data = (folder / LINES).read_bytes()
        head = (folder / HEAD).read_bytes()
    except OSError as err:
        reason = system_reason(err)
        raise InputError(
            f"{folder}: not a ledger that can be read: {reason.en} (see tokumei ledger init)",
            f"{folder}: 台帳を読めません: {reason.ja} (tokumei ledger init 参照)",
        ) from None
    chain = read_chain(data, codes)
    if not head_fits(head, data[: chain.whole], codes):
        raise _cut_short()
    return chain


def extend(folder: Path, chain: Chain, event: Mapping[str, Any], codes: Codes) -> Chain:
    """The ledger with one more line, on the disk when this returns."""
    line = sealed(event, before=chain.last, codes=codes)
    path = folder / LINES
    try:
        descriptor = open_for_bytes(path)
        try:
            if chain.torn:
                os.ftruncate(descriptor, chain.whole)
            if write_at(descriptor, line, chain.whole) < len(line):
                os.ftruncate(descriptor, chain.whole)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as err:
        raise OutputError(
            f"{path}: nothing was recorded: {system_reason(err).en}",
            f"{path}: 何も記録しませんでした: {system_reason(err).ja}",
        ) from None
    grown = Chain((*chain.events, event), line_hash(line), chain.whole + len(line))
    write_all([bytes_output(head_of(grown, codes), folder / HEAD, secret=True)])
    return grown


def _cut_short() -> InputError:
    message = Text(
        "lines at the end of the ledger are gone, or its head was changed: restore both from a "
        "copy",
        "台帳の末尾の行が失われたか、先頭情報 (head) が変更されています。控えから復元してください",
    )
    return InputError(message, faults=[Fault(rule="ledger-head", message=message)])


LOCK = "lock"
PATIENCE = 60.0
"""Seconds to wait for another writer."""
_PAUSE = 0.05


@contextmanager
def only_writer(folder: Path, *, patience: float = PATIENCE) -> Iterator[None]:
    """The right to write, given back at the end, or when the process is gone."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as err:
        raise OutputError(
            f"{folder}: cannot be written: {system_reason(err).en}",
            f"{folder}: 書き込めません: {system_reason(err).ja}",
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
            lock_file(descriptor)
            return
        except OSError:
            if time.monotonic() > until:
                raise OutputError(
                    f"{folder}: another process is writing this ledger; try again later",
                    f"{folder}: 別の処理が台帳に書き込んでいます。後でやり直してください",
                ) from None
        time.sleep(_PAUSE)
