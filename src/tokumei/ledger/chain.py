"""Keyed codes, and lines that only grow: each tells the hash of the one before, and is sealed.

    line = sealed({"event": "begin", …}, before=last, codes=codes)
    read_chain(path.read_bytes(), codes)        # the events; the first changed byte is an error

People and values stand in a ledger as HMAC-SHA-256 under its own key. Without the key nobody can
try names: the codes tell only what is equal. Ids are compared as text, in one spelling
(`canonical`), so that 17 in one source is 17.0 in another.

A line is JSON in one spelling only, so that every byte of it is covered by its seal. A half-written
last line is what a killed writer left: it is told, and cut off by the next writer. A ledger that
lost whole lines at its end is found by `head`, the number and hash of the last line.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.errors import Fault, InputError
from tokumei.core.release import KEY_BYTES
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath
from tokumei.files.keys import read_key

HIGH, LOW = "high", "low"
"""The two halves of a person's code of 128 bits."""
NO_VALUE = b"\x00"
"""What stands for a missing cell, unlike any text."""


@dataclass(frozen=True)
class Codes:
    """The key of a ledger, and what it makes of names."""

    key: bytes = field(repr=False)

    @classmethod
    def read(cls, path: AnyPath) -> Codes:
        """The key in a file that only its owner may read."""
        return cls(read_key(path).to_bytes(KEY_BYTES, "big"))

    def mark(self, what: str, data: bytes = b"") -> str:
        """A seal on bytes, as text; nobody without the key can make it."""
        return hmac.digest(self._key(what), data, "sha256").hex()

    @property
    def key_id(self) -> str:
        """What tells one key from another, and nothing of the key."""
        return self.mark("key")[:16]

    def people(self, ids: pl.Series) -> tuple[np.ndarray, np.ndarray]:
        """The two halves of every person's code; ids that are missing must be gone before."""
        key = self._key("person")
        digests = [
            hmac.digest(key, text.encode(), "sha256")[:16] for text in canonical(ids).to_list()
        ]
        halves = np.frombuffer(b"".join(digests), dtype=">u8").reshape(-1, 2).astype(np.uint64)
        return halves[:, 0].copy(), halves[:, 1].copy()

    def values(self, cells: pl.Series) -> np.ndarray:
        """A code of 64 bits for every cell, by its canonical text; a missing cell has one too."""
        key = self._key("value")
        text = canonical(cells)
        unique = text.unique()
        codes = [
            int.from_bytes(
                hmac.digest(key, NO_VALUE if one is None else b"\x01" + one.encode(), "sha256")[:8]
            )
            for one in unique.to_list()
        ]
        table = pl.DataFrame({"text": unique, "code": pl.Series(codes, dtype=pl.UInt64)})
        found = text.alias("text").to_frame()
        return (
            found.join(table, on="text", how="left", nulls_equal=True, maintain_order="left")[
                "code"
            ]
            .to_numpy()
            .astype(np.uint64)
        )

    def _key(self, what: str) -> bytes:
        """A key for one purpose, so that a code of one is none of another."""
        return hashlib.sha256(b"tokumei ledger " + what.encode() + b"\n" + self.key).digest()


START = "0" * 64
BEFORE, SEAL = "before", "seal"


@dataclass(frozen=True)
class Chain:
    """The events in order, the hash of the last line, how many bytes are whole lines."""

    events: tuple[Mapping[str, Any], ...]
    last: str
    whole: int
    torn: int = 0
    """How many bytes of a half-written line follow."""


def sealed(event: Mapping[str, Any], *, before: str, codes: Codes) -> bytes:
    """The line of an event, with its end."""
    body = {**event, BEFORE: before}
    return _line({**body, SEAL: codes.mark("line", _line(body))})


def line_hash(line: bytes) -> str:
    """By what the next line names this one."""
    return hashlib.sha256(line).hexdigest()


def read_chain(data: bytes, codes: Codes | None) -> Chain:
    """All events; without the key only the hashes are compared, not the seals."""
    end = data.rfind(b"\n") + 1
    events, last = [], START
    for number, line in enumerate(data[:end].splitlines(keepends=True), start=1):
        event = _event(line)
        if event is None or event.get(BEFORE) != last or not _is_sealed(event, codes):
            raise broken_chain(number)
        events.append(event)
        last = line_hash(line)
    return Chain(tuple(events), last, end, len(data) - end)


def head_of(chain: Chain, codes: Codes) -> bytes:
    """The number and hash of the last line, sealed."""
    return sealed({"lines": len(chain.events), "last": chain.last}, before=START, codes=codes)


def head_fits(head: bytes, data: bytes, codes: Codes | None) -> bool:
    """Whether the lines still hold the one that the head names."""
    event = _event(head)
    if event is None or event.get(BEFORE) != START or not _is_sealed(event, codes):
        return False
    number, lines = event.get("lines"), data.splitlines(keepends=True)
    if not isinstance(number, int) or not 0 < number <= len(lines):
        return False
    return bool(line_hash(lines[number - 1]) == event.get("last"))


def broken_chain(line: int) -> InputError:
    """The error for a line that was changed, or follows one that is gone."""
    message = Text(
        f"line {line} of the ledger was changed, or a line before it is gone; what it says of "
        "releases cannot be trusted: restore it from a copy",
        f"台帳の {line} 行目が変更されたか、それより前の行が失われています。記録は信頼できません。"
        "控えから復元してください",
    )
    return InputError(message, faults=[Fault(rule="ledger-chain", line=line, message=message)])


def _line(event: Mapping[str, Any]) -> bytes:
    text = json.dumps(event, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def _event(line: bytes) -> dict[str, Any] | None:
    """The event of a line that is written as we write it."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and _line(event) == line else None


def _is_sealed(event: Mapping[str, Any], codes: Codes | None) -> bool:
    body = {key: value for key, value in event.items() if key != SEAL}
    seal = event.get(SEAL)
    if codes is None:
        return isinstance(seal, str)
    return isinstance(seal, str) and hmac.compare_digest(seal, codes.mark("line", _line(body)))
