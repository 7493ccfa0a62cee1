"""Whether a file fits this machine's memory."""

from __future__ import annotations

from pathlib import Path

STREAM_ABOVE = 0.5
"""A table needs about 1.5 times the size of its file, so a file above this share is streamed."""


def too_large(data: str) -> bool:
    """Whether a table would not fit this machine's free memory."""
    path = Path(data)
    return path.is_file() and path.stat().st_size > STREAM_ABOVE * free_memory()


def free_memory() -> float:
    """The bytes that can be used without swapping; infinite where the system does not tell."""
    found = Path("/proc/meminfo")
    if not found.exists():
        return float("inf")
    lines = dict(line.split(":", 1) for line in found.read_text(encoding="ascii").splitlines())
    return int(lines["MemAvailable"].split()[0]) * 1024
