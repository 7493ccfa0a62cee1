"""The next command, with the roles spelled out, ready to paste."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from tokumei.tables.look.people import Person
from tokumei.tables.look.result import LookColumn

_OPTIONS = {"--id": ("identifier",), "--qi": ("quasi",), "--sa": ("sensitive",)}


def quote(text: str) -> str:
    """A word as a shell takes it; letters of any language need no quotation marks."""
    return text if re.fullmatch(r"[\w@%+=:,./-]+", text) else shlex.quote(text)


def _listed(names: Sequence[str]) -> str:
    """Names between commas; one that has a comma itself in quotation marks."""
    return ",".join(f'"{name}"' if "," in name else name for name in names)


def next_command(file: str, columns: Sequence[LookColumn], person: Person | None) -> str:
    """`tokumei anonymize table` with every column's role; what passes is left to consent."""
    path = Path(file or "data.csv")
    parts = ["tokumei anonymize table", f"--data {quote(str(path))}", "--k 5"]
    if person is not None:
        parts.append(f"--person {quote(person.column)}")
    for option, roles in _OPTIONS.items():
        names = [c.name for c in columns if c.role in roles and c.fate != "ask"]
        asked = [c.name for c in columns if c.fate == "ask" and option == "--id"]
        if names or asked:
            parts.append(f"{option} {quote(_listed([*names, *asked]))}")
    parts.append(f"--out {quote(path.stem + '-release.csv')}")
    return " ".join(parts)
