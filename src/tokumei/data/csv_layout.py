"""Where the records of a CSV text lie, found with arrays instead of a loop over rows.

A quotation mark toggles between outside and inside a field; a doubled mark toggles twice, which
changes nothing. So separators and line ends after an even number of marks are structure, the
others are text. Marks in any other place than a field's ends make the text malformed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.errors import FAULTS_SHOWN, Fault
from tokumei.text import Text

_QUOTE, _NEWLINE, _RETURN = ord('"'), ord("\n"), ord("\r")
_BLOCK = 2**18


@dataclass(frozen=True, eq=False)
class Layout:
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
class _State:
    """What one block must know of those before it."""

    quotes: int = 0
    separators: int = 0
    newlines: int = 0


def count_bytes(data: bytes, char: str) -> int:
    """How often an ASCII character occurs, at memory speed."""
    view = np.frombuffer(data, np.uint8)
    blocks = range(0, len(view), _BLOCK)
    return sum(int(np.count_nonzero(view[i : i + _BLOCK] == ord(char))) for i in blocks)


def lay_out(data: bytes, sep: str) -> Layout | Fault:
    """The layout of a CSV text, or the first quotation mark that makes it malformed."""
    view = np.frombuffer(data, np.uint8)
    state = _State()
    parts: list[np.ndarray] = []
    for start in range(0, len(view), _BLOCK):
        found = _scan_block(view, start, ord(sep), state)
        if isinstance(found, Fault):
            return found
        parts.append(found)
    if state.quotes % 2:
        return _unclosed(data)
    if not data.endswith(b"\n"):
        parts.append(np.array([[state.separators], [state.newlines + 1]]))
    separators, lines = np.concatenate(parts, axis=1)
    return Layout(np.diff(separators, prepend=0) + 1, np.concatenate([[0], lines[:-1]]) + 1)


def ragged_faults(layout: Layout, width: int) -> list[Fault]:
    """One fault for each of the first records with too few or too many fields."""
    shown = layout.ragged(width)[:FAULTS_SHOWN]
    return [_ragged_fault(int(layout.lines[i]), int(layout.fields[i]), width) for i in shown]


def _scan_block(view: np.ndarray, start: int, sep: int, state: _State) -> np.ndarray | Fault:
    """Separators and lines so far at each record end of one block."""
    block = view[start : start + _BLOCK]
    special = np.flatnonzero((block == _QUOTE) | (block == sep) | (block == _NEWLINE))
    kinds = block[special]
    quotes = state.quotes + np.cumsum(kinds == _QUOTE)
    wrong = _misplaced(view, start + special[kinds == _QUOTE], sep, quotes[kinds == _QUOTE])
    if wrong is not None:
        return wrong
    outside = quotes % 2 == 0
    separators = state.separators + np.cumsum((kinds == sep) & outside)
    newlines = state.newlines + np.cumsum(kinds == _NEWLINE)
    if len(special):
        state.quotes = int(quotes[-1])
        state.separators, state.newlines = int(separators[-1]), int(newlines[-1])
    ends = (kinds == _NEWLINE) & outside
    return np.stack([separators[ends], newlines[ends]])


def _misplaced(view: np.ndarray, at: np.ndarray, sep: int, number: np.ndarray) -> Fault | None:
    """The first quotation mark that neither opens nor closes a field nor doubles another."""
    opens = number % 2 == 1
    before = np.where(at > 0, view[at - 1], _NEWLINE)
    after = _byte_at(view, at + 1)
    returns = (after == _RETURN) & (_byte_at(view, at + 2) == _NEWLINE)
    edge = np.where(opens, before, np.where(returns, _NEWLINE, after))
    wrong = np.flatnonzero((edge != sep) & (edge != _NEWLINE) & (edge != _QUOTE))
    if not len(wrong):
        return None
    first = int(wrong[0])
    line = int(np.count_nonzero(view[: at[first]] == _NEWLINE)) + 1
    return _quote_fault(line, opens=bool(opens[first]))


def _byte_at(view: np.ndarray, place: np.ndarray) -> np.ndarray:
    """The bytes there; behind the end, a line end."""
    inside = np.minimum(place, len(view) - 1)
    return np.where(place < len(view), view[inside], _NEWLINE)


def _quote_fault(line: int, *, opens: bool) -> Fault:
    if opens:
        message = Text(
            f'line {line}: a quotation mark (") inside a field that does not begin with one; '
            "quote the field and double the mark",
            f'{line} 行目: 引用符 (") で始まらない欄の途中に引用符があります。'
            "欄全体を引用符で囲み、中の引用符は二つ重ねてください",
        )
    else:
        message = Text(
            f'line {line}: text follows the quotation mark (") that closes a field; '
            "a mark inside a field must be doubled, or an earlier one is not closed",
            f'{line} 行目: 欄を閉じる引用符 (") の後に文字があります。'
            "欄の中の引用符は二つ重ねてください (前の引用符が閉じていない可能性もあります)",
        )
    return Fault(rule="quote", line=line, message=message)


def _unclosed(data: bytes) -> Fault:
    line = data.count(b"\n", 0, data.rindex(b'"')) + 1
    message = Text(
        f'line {line}: a quotation mark (") is opened and never closed',
        f'{line} 行目: 引用符 (") が閉じられていません',
    )
    return Fault(rule="quote", line=line, message=message)


def _ragged_fault(line: int, found: int, width: int) -> Fault:
    few = found < width
    message = Text(
        f"line {line}: {found} field(s), too {'few' if few else 'many'}; the header has {width}",
        f"{line} 行目: 欄が {found} 個で{'足りません' if few else '多すぎます'}。"
        f"見出しは {width} 個です",
    )
    return Fault(rule="fields", line=line, message=message)
