"""Compares a run with its recording."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

from golden.groups import RECORDED, Group

ADVICE = "If every line of this is intended, run in tests/:  python -m golden --record --only {}"


def compare_recording(group: Group, text: str, folder: Path = RECORDED) -> str:
    """What differs, line by line, and what to do if it is intended; empty if nothing does."""
    path = folder / group.path
    recorded = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = unified_diff(
        recorded.splitlines(), text.splitlines(), f"recorded {group.path}", "now", lineterm=""
    )
    difference = "\n".join(lines)
    return f"{difference}\n{ADVICE.format(group.name)}" if difference else ""
