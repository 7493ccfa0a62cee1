"""The next command, with the roles spelled out, ready to paste."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from tokumei.tables.look.people import Person
from tokumei.tables.look.result import LookColumn

_OPTIONS = {"--id": ("identifier",), "--qi": ("quasi",), "--sa": ("sensitive",)}


_PURCHASE: dict[str, tuple[str, ...]] = {
    "day": ("date", "datetime"),
    "item": ("item", "jan"),
    "price": ("price", "amount"),
    "quantity": ("quantity",),
}


def _purchases(columns: Sequence[LookColumn], person: Person | None) -> dict[str, str] | None:
    """The columns of a purchase history; None: this is none."""
    if person is None or not person.several:
        return None
    found = {"customer": person.column}
    for own, types in _PURCHASE.items():
        named = [column.name for column in columns if column.type in types]
        if named and "," not in named[0]:
            found[own] = named[0]
    return found if {"day", "item"} <= {*found} else None


def quote(text: str) -> str:
    """A word as a shell takes it; letters of any language need no quotation marks."""
    return text if re.fullmatch(r"[\w@%+=:,./-]+", text) else shlex.quote(text)


def _listed(names: Sequence[str]) -> str:
    """Names between commas; one that has a comma itself in quotation marks."""
    return ",".join(f'"{name}"' if "," in name else name for name in names)


def next_command(file: str, columns: Sequence[LookColumn], person: Person | None) -> str:
    """`tokumei anonymize table` with every column's role; what passes is left to consent.

    Purchases of people with several rows are a history: k people become alike as a whole.
    """
    path = Path(file or "data.csv")
    if (purchases := _purchases(columns, person)) is not None:
        named = ",".join(f"{own}={name}" for own, name in purchases.items())
        files = (f"--{side} {quote(f'{path.stem}-{side}.csv')}" for side in ("public", "secret"))
        told = f"--data {quote(str(path))} --columns {quote(named)} --k 5"
        return " ".join(["tokumei anonymize history --format table", told, *files])
    parts = ["tokumei anonymize table", f"--data {quote(str(path))}", "--k 5"]
    if person is not None:
        parts.append(f"--person {quote(person.column)}")
    empty = [c.name for c in columns if c.fate == "drop" and c.role in ("quasi", "sensitive")]
    for option, roles in _OPTIONS.items():
        dropped = option == "--id"
        names = [c.name for c in columns if c.role in roles and c.fate != "ask"]
        names = [c for c in names if dropped or c not in empty]
        asked = [c.name for c in columns if c.fate == "ask" and dropped]
        if dropped:
            asked += [name for name in empty if name not in (*names, *asked)]
        if names or asked:
            parts.append(f"{option} {quote(_listed([*names, *asked]))}")
    parts.append(f"--out {quote(path.stem + '-release.csv')}")
    return " ".join(parts)
