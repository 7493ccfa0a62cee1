"""How good a look is, in the figures of the labelled corpus."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

FLAGGED = ("identifier", "person")


@dataclass
class Figures:
    """Hits of totals by the name of the figure, and what was missed."""

    hits: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, ...]] = field(default_factory=list)

    def note(self, figure: str, hit: bool, *where: object) -> None:
        """One case of a figure."""
        self.totals[figure] += 1
        self.hits[figure] += hit
        if not hit:
            self.missed.append((figure, *map(str, where)))

    def share(self, figure: str) -> float:
        """Hits of total; 1 where there was no case."""
        return self.hits[figure] / self.totals[figure] if self.totals[figure] else 1.0

    def lines(self) -> list[str]:
        """A line per figure, for a person."""
        return [
            f"{name}: {self.hits[name]} of {total} ({self.hits[name] / total:.1%})"
            for name, total in self.totals.items()
        ]


def score(pairs: Iterable[tuple[dict[str, Any], dict[str, Any] | None]]) -> Figures:
    """Labels beside what `look` says as JSON (None: it refused the file)."""
    figures = Figures()
    for label, found in pairs:
        figures.note("read", found is not None, label["file"])
        if found is not None:
            _table(figures, label, found)
    return figures


def _table(figures: Figures, label: dict[str, Any], found: dict[str, Any]) -> None:
    file = label["file"]
    row = label["header_row"]
    figures.note("header line", found["header_row"] == row, file, row, found["header_row"])
    figures.note("rows", found["rows"] == label["rows"], file, label["rows"], found["rows"])
    if label["encoding"]:
        same = found["encoding"] == label["encoding"] and found["separator"] == label["separator"]
        figures.note("encoding", same, file, found["encoding"], found["separator"])
    person = (found["person"] or {}).get("column")
    if label["person"]:
        figures.note("person column", plain(person or "") == plain(label["person"]), file, person)
    if label["several_rows_per_person"]:
        figures.note("several rows", (found["person"] or {}).get("several") is True, file, person)
    known = {plain(column["name"]): column for column in found["columns"]}
    for position, column in enumerate(label["columns"]):
        got = known.get(plain(column["name"])) or found["columns"][position]
        _column(figures, label, column, got)


def _column(
    figures: Figures, label: dict[str, Any], column: dict[str, Any], got: dict[str, Any]
) -> None:
    at = (label["file"], column["name"])
    right = {column["role"], *column["accept"]}
    figures.note(
        "role acceptable", got["role"] in right, *at, column["role"], got["role"], got["type"]
    )
    figures.note("role exact", got["role"] == column["role"], *at, column["role"], got["role"])
    if got["confidence"] >= 0.9:
        figures.note("sure and right", got["role"] in right, *at, column["role"], got["role"])
    asked = got["question"] is not None or got["fate"] == "ask"
    flagged = got["role"] in FLAGGED
    if column["role"] in FLAGGED and "other" not in column["accept"] and label["people"]:
        figures.note("direct flagged", flagged, *at, got["role"], got["type"])
        figures.note("direct flagged or asked", flagged or asked, *at, got["role"], got["type"])
    elif not right & {*FLAGGED}:
        figures.note("harmless not flagged", not flagged, *at, got["role"], got["type"])
        figures.note("harmless not asked", not asked, *at, got["role"], got["type"])
    types = {column["type"], *column["accept_types"]}
    figures.note("type", got["type"] in types, *at, column["type"], got["type"])
    same = {"text": "category"}
    kinds = [same.get(kind, kind) for kind in (column["kind"], got["kind"])]
    figures.note("kind", kinds[0] == kinds[1], *at, column["kind"], got["kind"])
    for one in column["pii"]:
        inside = any(part["type"] == one for part in got["pii"])
        figures.note("personal data in text", inside, *at, one)


def plain(name: str) -> str:
    """A column's name as it is compared."""
    return unicodedata.normalize("NFKC", name)
