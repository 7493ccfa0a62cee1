"""The next command, with the roles spelled out, ready to paste."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from tokumei.core.option_values import joined
from tokumei.core.written.dates import UNSAID, Days
from tokumei.tables.look.people import Person
from tokumei.tables.look.result import LookColumn

_OPTIONS = {"--id": "identifier", "--qi": "quasi", "--sa": "sensitive"}
_PURCHASE: dict[str, tuple[str, ...]] = {
    "day": ("date", "datetime"),
    "item": ("item", "jan"),
    "price": ("price", "amount"),
    "quantity": ("quantity",),
}


_OF_PEOPLE = {
    *("postal", "prefecture", "city", "country", "lat", "lon", "birth_date", "birth_year", "age"),
    *("sex", "marital", "education", "occupation", "organization", "race"),
}
"""What people are, not what they do: rows with it are a table, unless they tell of articles."""
_FEW = 20


def _purchases(columns: Sequence[LookColumn], person: Person | None) -> dict[str, str] | None:
    """The columns of a purchase history, the rest as further values; None: this is none."""
    if person is None or not person.several:
        return None
    found = {"customer": person.column}
    usable = [c for c in columns if not re.search("[,=]", c.name) and not c.missing]
    for own, types in _PURCHASE.items():
        named = [column.name for column in usable if column.type in types]
        if named:
            found[own] = named[0]
    enough = "item" in found or (len(found) > 2 and not _OF_PEOPLE & {c.type for c in columns})
    if "day" not in found or not enough:
        return None
    values = [c.name for c in usable if c.name not in found.values() and _is_value(c)]
    return found | {f"value{number}": name for number, name in enumerate(values, 1)}


def _is_value(column: LookColumn) -> bool:
    """Whether cells may be merged into intervals, or into sets that list a few of many."""
    if column.role not in ("quasi", "sensitive", "other") or column.fate in ("ask", "drop"):
        return False
    return column.kind in ("numeric", "date") or 1 < column.distinct <= _FEW


def quote(text: str) -> str:
    """A word as a shell takes it; letters of any language need no quotation marks."""
    return text if re.fullmatch(r"[\w@%+=:,./-]+", text) else shlex.quote(text)


def naming(option: str, *names: str) -> str:
    """An option that names columns, ready to paste; only `--person` takes its name as it is."""
    return f"{option} {quote(names[0] if option == '--person' else joined(names))}"


def next_command(
    file: str, columns: Sequence[LookColumn], person: Person | None, said: Days = UNSAID
) -> str:
    """`tokumei anonymize table` with every column's role; what passes is left to consent.

    Purchases of people with several rows are a history: k people become alike as a whole.
    """
    path = Path(file or "data.csv")
    days = [f"--date-order {said.order}"] if said.order else []
    if (purchases := _purchases(columns, person)) is not None:
        named = ",".join(f"{own}={name}" for own, name in purchases.items())
        files = (f"--{side} {quote(f'{path.stem}-{side}.csv')}" for side in ("public", "secret"))
        told = f"--data {quote(str(path))} --columns {quote(named)} --k 5"
        return " ".join(["tokumei anonymize history --format table", told, *days, *files])
    parts = ["tokumei anonymize table", f"--data {quote(str(path))}", "--k 5"]
    if person is not None:
        parts.append(naming("--person", person.column))
    asked = [c.name for c in columns if c.fate == "ask"]
    empty = [c.name for c in columns if c.fate == "drop" and c.role in ("quasi", "sensitive")]
    for option, role in _OPTIONS.items():
        names = [c.name for c in columns if c.role == role and c.name not in (*asked, *empty)]
        names += [*asked, *empty] if option == "--id" else []
        if names:
            parts.append(naming(option, *names))
    parts += days
    if said.latest is not None:
        parts.append(f"--two-digit-years {said.latest}")
    parts.append(f"--out {quote(path.stem + '-release.csv')}")
    return " ".join(parts)
