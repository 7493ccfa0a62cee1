"""Finds the records of a CSV text with array operations.

A quotation mark toggles between outside and inside a field; a doubled mark toggles twice, which
changes nothing. So separators and line ends after an even number of marks are structure, the
others are text. Marks in any other place than a field's ends make the text malformed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, Violation
from tokumei.core.messages import Message

_QUOTE, _NEWLINE, _RETURN = ord('"'), ord("\n"), ord("\r")
_BLOCK_BYTES = 2**18
_COUNT_BLOCK_BYTES = 2**19
"""So many bytes, and what they are compared to, stay in a core's own memory."""


@dataclass(frozen=True, eq=False)
class CsvRecordSizes:
    """One entry per record, the header being the first."""

    fields: np.ndarray
    lines: np.ndarray

    @property
    def records(self) -> int:
        """How many records, the header included."""
        return len(self.fields)

    def ragged(self, width: int) -> np.ndarray:
        """The records that do not have `width` fields."""
        return np.flatnonzero(self.fields != width)


@dataclass
class _ScanState:
    """The state that a block takes over from those before it."""

    inside: bool = False
    separators: int = 0
    newlines: int = 0


def count_characters(data: bytes, *chars: str) -> list[int]:
    """How often each of some ASCII characters occurs, at memory speed."""
    view, counts = np.frombuffer(data, np.uint8), [0] * len(chars)
    for start in range(0, len(view), _COUNT_BLOCK_BYTES):
        block = view[start : start + _COUNT_BLOCK_BYTES]
        for index, char in enumerate(chars):
            counts[index] += int(np.count_nonzero(block == ord(char)))
    return counts


def measure_csv_records(data: bytes, sep: str) -> CsvRecordSizes | Violation:
    """The layout of a CSV text, or the first quotation mark that makes it malformed."""
    view = np.frombuffer(data, np.uint8)
    state = _ScanState()
    parts: list[np.ndarray] = []
    for start in range(0, len(view), _BLOCK_BYTES):
        record_ends = _scan_block(view, start, ord(sep), state)
        if isinstance(record_ends, Violation):
            return record_ends
        parts.append(record_ends)
    if state.inside:
        return _unclosed_quote_violation(data)
    if not data.endswith(b"\n"):
        parts.append(np.array([[state.separators], [state.newlines + 1]]))
    separators, lines = np.concatenate(parts, axis=1)
    return CsvRecordSizes(np.diff(separators, prepend=0) + 1, np.concatenate([[0], lines[:-1]]) + 1)


def ragged_record_violations(layout: CsvRecordSizes, width: int) -> list[Violation]:
    """One fault for each of the first records with too few or too many fields."""
    faults = []
    for i in layout.ragged(width)[:MAX_SHOWN_VIOLATIONS]:
        line, count = int(layout.lines[i]), int(layout.fields[i])
        if count < width:
            message = Message(
                "line {line}: {count} field, too few; the header has {width}",
                plural="line {line}: {count} fields, too few; the header has {width}",
                count=count,
                line=line,
                width=width,
            )
        else:
            message = Message(
                "line {line}: {count} fields, too many; the header has {width}",
                count=count,
                line=line,
                width=width,
            )
        faults.append(Violation(rule="fields", line=line, message=message))
    return faults


def _scan_block(
    view: np.ndarray, start: int, sep: int, state: _ScanState
) -> np.ndarray | Violation:
    """Separators and lines so far at each record end of one block."""
    block = view[start : start + _BLOCK_BYTES]
    special = np.flatnonzero((block == _QUOTE) | (block == sep) | (block == _NEWLINE))
    kinds = block[special]
    quotes = kinds == _QUOTE
    inside = np.logical_xor.accumulate(quotes) ^ state.inside
    if wrong := _misplaced_quote(view, start + special, quotes, inside, sep):
        return wrong
    separators = state.separators + np.cumsum((kinds == sep) & ~inside)
    newlines = state.newlines + np.cumsum(kinds == _NEWLINE)
    if len(special):
        state.inside = bool(inside[-1])
        state.separators, state.newlines = int(separators[-1]), int(newlines[-1])
    ends = np.flatnonzero((kinds == _NEWLINE) & ~inside)
    return np.stack([separators[ends], newlines[ends]])


def _misplaced_quote(
    view: np.ndarray, special: np.ndarray, quotes: np.ndarray, inside: np.ndarray, sep: int
) -> Violation | None:
    """The first quotation mark that neither opens nor closes a field nor doubles another.

    What opens must follow a separator, line end or mark directly, what closes precede one.
    """
    if not quotes.any():
        return None
    touches_neighbour = np.empty(len(special) + 1, dtype=bool)
    touches_neighbour[1:-1] = np.diff(special) == 1
    touches_neighbour[0] = _is_field_edge(view, int(special[0]) - 1, sep)
    touches_neighbour[-1] = _is_field_edge(view, int(special[-1]) + 1, sep)
    suspects = np.flatnonzero(
        quotes & ~np.where(inside, touches_neighbour[:-1], touches_neighbour[1:])
    )
    for i in suspects[inside[suspects] | ~_is_before_crlf(view, special[suspects])][:1]:
        line = int(np.count_nonzero(view[: special[i]] == _NEWLINE)) + 1
        return _quote_violation(line, opens=bool(inside[i]))
    return None


def _is_field_edge(view: np.ndarray, offset: int, sep: int) -> bool:
    """Whether a field may begin behind or end before this byte."""
    return not 0 <= offset < len(view) or int(view[offset]) in (sep, _NEWLINE, _QUOTE)


def _is_before_crlf(view: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Whether a carriage return and a line end (or the end of all) follow each place."""
    last = len(view) - 1
    returns = view[np.minimum(places + 1, last)] == _RETURN
    ends = (view[np.minimum(places + 2, last)] == _NEWLINE) | (places + 2 > last)
    return np.asarray(returns & ends)


def _quote_violation(line: int, *, opens: bool) -> Violation:
    if opens:
        message = Message(
            'line {line}: a quotation mark (") inside a field that does not begin with one; quote '
            "the field and double the mark",
            line=line,
        )
    else:
        message = Message(
            'line {line}: text follows the quotation mark (") that closes a field; a mark inside a '
            "field must be doubled, or an earlier one is not closed",
            line=line,
        )
    return Violation(rule="quote", line=line, message=message)


def _unclosed_quote_violation(data: bytes) -> Violation:
    line = data.count(b"\n", 0, data.rindex(b'"')) + 1
    message = Message('line {line}: a quotation mark (") is opened and never closed', line=line)
    return Violation(rule="quote", line=line, message=message)
