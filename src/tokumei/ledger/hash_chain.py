"""Keyed codes, and an append-only chain of lines, each sealed over the hash of the previous.

    line = seal_line({"event": "begin", …}, before=last, codes=codes)
    read_chain(path.read_bytes(), codes)        # the events; the first changed byte is an error

People and values stand in a ledger as HMAC-SHA-256 under its own key. Without the key nobody can
try names: the codes tell only what is equal. Ids are compared as text, in one spelling
(`canonicalize_column`), so that 17 in one source is 17.0 in another.

A line is JSON in one spelling only, so that every byte of it is covered by its seal. A half-written
last line is what a killed writer left: it is told, and cut off by the next writer. A ledger that
lost whole lines at its end is found by `head`, the number and hash of the last line.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, Violation
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.messages import Message
from tokumei.core.provenance import KEY_BYTES
from tokumei.files.file_formats import AnyPath
from tokumei.files.key_files import read_key
from tokumei.ledger.entry import LedgerEvent

CODE_HIGH, CODE_LOW = "high", "low"
"""The two halves of a person's code of 128 bits."""
MISSING_VALUE = b"\x00"
"""What stands for a missing cell, unlike any text."""


@dataclass(frozen=True)
class KeyedCodes:
    """The key of a ledger, and what it makes of names."""

    key: bytes = field(repr=False)

    @classmethod
    def read(cls, path: AnyPath) -> KeyedCodes:
        """The key in a file that only its owner may read."""
        return cls(read_key(path).to_bytes(KEY_BYTES, "big"))

    def mark(self, what: str, data: bytes = b"") -> str:
        """A seal on bytes, as text; nobody without the key can make it."""
        return hmac.digest(self._derive_key(what), data, "sha256").hex()

    @property
    def key_id(self) -> str:
        """What tells one key from another, and nothing of the key."""
        return self.mark("key")[:16]

    def person_codes(self, ids: pl.Series) -> tuple[np.ndarray, np.ndarray]:
        """The two halves of every person's code; ids that are missing must be gone before."""
        key = self._derive_key("person")
        digests = [
            hmac.digest(key, text.encode(), "sha256")[:16]
            for text in canonicalize_column(ids).to_list()
        ]
        halves = np.frombuffer(b"".join(digests), dtype=">u8").reshape(-1, 2).astype(np.uint64)
        return halves[:, 0].copy(), halves[:, 1].copy()

    def value_codes(self, cells: pl.Series) -> np.ndarray:
        """A code of 64 bits for every cell, by its canonical text; a missing cell has one too."""
        key = self._derive_key("value")
        text = canonicalize_column(cells)
        unique = text.unique()
        codes = [
            int.from_bytes(
                hmac.digest(
                    key,
                    MISSING_VALUE if cell_text is None else b"\x01" + cell_text.encode(),
                    "sha256",
                )[:8]
            )
            for cell_text in unique.to_list()
        ]
        table = pl.DataFrame({"text": unique, "code": pl.Series(codes, dtype=pl.UInt64)})
        text_frame = text.alias("text").to_frame()
        return (
            text_frame.join(table, on="text", how="left", nulls_equal=True, maintain_order="left")[
                "code"
            ]
            .to_numpy()
            .astype(np.uint64)
        )

    def _derive_key(self, what: str) -> bytes:
        """A key for one purpose, so that a code of one is none of another."""
        return hashlib.sha256(b"tokumei ledger " + what.encode() + b"\n" + self.key).digest()


CHAIN_START = "0" * 64
PREVIOUS_HASH, SEAL_KEY = "before", "seal"


@dataclass(frozen=True)
class LedgerChain:
    """The events in order, the hash of the last line, how many bytes are whole lines."""

    events: tuple[LedgerEvent, ...]
    last: str
    whole: int
    torn: int = 0
    """How many bytes of a half-written line follow."""


def seal_line(event: LedgerEvent, *, before: str, codes: KeyedCodes) -> bytes:
    """The line of an event, with its end."""
    body = {**event, PREVIOUS_HASH: before}
    return _serialize_event({**body, SEAL_KEY: codes.mark("line", _serialize_event(body))})


def hash_line(line: bytes) -> str:
    """By what the next line names this one."""
    return hashlib.sha256(line).hexdigest()


def read_chain(data: bytes, codes: KeyedCodes | None) -> LedgerChain:
    """All events; without the key only the hashes are compared, not the seals."""
    end = data.rfind(b"\n") + 1
    events, last = [], CHAIN_START
    for number, line in enumerate(data[:end].splitlines(keepends=True), start=1):
        event = _parse_line(line)
        if event is None or event.get(PREVIOUS_HASH) != last or not _has_valid_seal(event, codes):
            raise broken_chain_error(number)
        events.append(event)
        last = hash_line(line)
    return LedgerChain(tuple(events), last, end, len(data) - end)


def make_head(chain: LedgerChain, codes: KeyedCodes) -> bytes:
    """The number and hash of the last line, sealed."""
    return seal_line(
        {"lines": len(chain.events), "last": chain.last}, before=CHAIN_START, codes=codes
    )


def is_head_valid(head: bytes, data: bytes, codes: KeyedCodes | None) -> bool:
    """Whether the lines still hold the one that the head names."""
    event = _parse_line(head)
    if (
        event is None
        or event.get(PREVIOUS_HASH) != CHAIN_START
        or not _has_valid_seal(event, codes)
    ):
        return False
    number, lines = event.get("lines"), data.splitlines(keepends=True)
    if not isinstance(number, int) or not 0 < number <= len(lines):
        return False
    return bool(hash_line(lines[number - 1]) == event.get("last"))


def broken_chain_error(line: int) -> InputError:
    """The error for a line that was changed, or follows one that is gone."""
    message = Message(
        "line {line} of the ledger was changed, or a line before it is gone; its records cannot "
        "be trusted: restore it from a copy",
        line=line,
    )
    return InputError(message, faults=[Violation(rule="ledger-chain", line=line, message=message)])


def _serialize_event(event: LedgerEvent) -> bytes:
    text = json.dumps(event, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def _parse_line(line: bytes) -> LedgerEvent | None:
    """The event of a line that is written as we write it."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and _serialize_event(event) == line else None


def _has_valid_seal(event: LedgerEvent, codes: KeyedCodes | None) -> bool:
    body = {key: value for key, value in event.items() if key != SEAL_KEY}
    seal = event.get(SEAL_KEY)
    if codes is None:
        return isinstance(seal, str)
    return isinstance(seal, str) and hmac.compare_digest(
        seal, codes.mark("line", _serialize_event(body))
    )
