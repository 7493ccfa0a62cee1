"""What a command answers: one JSON document, what a person reads, and the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.core.errors import FAULTS_SHOWN, Fault
from tokumei.core.text import Text

MOST_FAULTS = 1000
"""How many faults a JSON document holds; their total is always told."""


@dataclass(frozen=True)
class Listing:
    """A table for a person to read: a title, the names of the columns, rows of cells."""

    title: Text
    header: Sequence[Text | str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Answer:
    """The result of a command.

    `data` is its JSON document; `shown` is printed without `--json`; `notes` go to stderr either
    way; `code` is the exit code.
    """

    data: Any
    shown: Sequence[Listing | Text] = ()
    notes: Sequence[Text] = ()
    code: int = 0


def fault_answer(faults: Sequence[Fault], total: int | None = None) -> Answer:
    """What a check found: the faults up to a cap, their total, and exit code 1 if there is one."""
    count = len(faults) if total is None else total
    shown = [fault.as_json() for fault in faults[:MOST_FAULTS]]
    end = Text("No violation was found.", "違反は見つかりませんでした。")
    if faults:
        end = Text(f"{count} fault(s)", f"違反 {count} 件")
    return Answer(
        {"ok": not faults, "total": count, "faults": shown},
        [*(fault.message for fault in faults[:FAULTS_SHOWN]), end],
        code=1 if faults else 0,
    )
