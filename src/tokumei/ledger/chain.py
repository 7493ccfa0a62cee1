"""Lines that only grow: each tells the hash of the one before, and is sealed with the key.

    line = sealed({"event": "begin", …}, before=last, codes=codes)
    read_chain(path.read_bytes(), codes)        # the events; the first changed byte is an error

A line is JSON in one spelling only, so that every byte of it is covered by its seal. A half-written
last line is what a killed writer left: it is told, and cut off by the next writer. A ledger that
lost whole lines at its end is found by `head`, the number and hash of the last line.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.ledger.codes import Codes

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
