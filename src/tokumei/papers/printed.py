"""What the papers print: their tables, figures and facts, read from `figures/00N.yaml`.

    book = read_book("000")
    book.blocks["table9"].rows          # [[2, 0.348, 0.5, 0.848], …]

The files hold facts and numbers only. `corrected` names the cells that are slips of the paper, with
what they should be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import yaml

from tokumei.core.text import Text

NUMBERS = ("000", "001", "002", "003", "004")
_HOME = "tokumei.papers"
TOLD = ("points", "readable", "values", "facts")
"""Under which of these an entry without rows says what can be read off it."""
_TITLES = {
    "000": Text("k-anonymous purchase histories", "購買履歴の k-匿名化"),
    "001": Text("The contest PWSCUP 2017", "匿名加工・再識別コンテスト PWSCUP 2017"),
    "002": Text("k-anonymity by advertising prices", "広告単価に基づく k-匿名化"),
    "003": Text("Re-identification by distance", "ユークリッド距離による再識別"),
    "004": Text("Anonymization for recommendations", "情報推薦のための匿名化"),
}


@dataclass(frozen=True)
class Printed:
    """A table or figure: its columns and rows, and all else that its entry says."""

    id: str
    title: Text
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    slips: Sequence[Text] = ()
    corrected: Mapping[tuple[int, str], Any] = field(default_factory=dict)
    entry: Mapping[str, Any] = field(default_factory=dict)

    def column(self, name: str) -> list[Any]:
        """The cells of a column."""
        place = list(self.columns).index(name)
        return [row[place] for row in self.rows]


@dataclass(frozen=True)
class Book:
    """A paper: its number, our title for it, and its blocks by name, in the paper's order."""

    number: str
    title: Text
    blocks: Mapping[str, Printed]


def read_book(number: str) -> Book:
    """What a paper prints."""
    home = resources.files(_HOME) / "figures" / f"{number}.yaml"
    data = yaml.safe_load(home.read_text(encoding="utf-8"))
    found: list[Printed] = []
    if "data" in data:
        title = {"en": "The data", "ja": "データ"}
        found.append(_printed({**data["data"], "id": "data", "title": title}))
    for part in ("tables", "figures", "facts"):
        found += [_printed(entry) for entry in data.get(part, [])]
    return Book(number, _TITLES[number], {one.id: one for one in found})


def recipe_of(number: str) -> dict[str, Any]:
    """The settings that the blocks of a paper are computed with."""
    home = resources.files(_HOME) / "recipes" / f"{number}.yaml"
    found: dict[str, Any] = yaml.safe_load(home.read_text(encoding="utf-8"))
    return found


def _printed(entry: Mapping[str, Any]) -> Printed:
    columns, rows = _cells(entry)
    return Printed(
        entry["id"],
        Text(entry["title"]["en"], entry["title"]["ja"]),
        columns,
        rows,
        [Text(slip["en"], slip["ja"]) for slip in entry.get("slips", [])],
        {(row, column): value for column, row, value in entry.get("corrected", [])},
        entry,
    )


def _cells(entry: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows; of a figure, a row for every thing that can be read off it."""
    rows = entry.get("rows", [])
    if rows and isinstance(rows[0], Mapping):
        return list(rows[0]), [list(row.values()) for row in rows]
    if "columns" in entry:
        return list(entry["columns"]), [list(row) for row in rows]
    told: Any = next((entry[key] for key in TOLD if key in entry), {})
    if isinstance(told, Mapping):
        return ["name", "value"], [[name, value] for name, value in told.items()]
    if isinstance(told, str) or "figure" in entry["id"]:
        return ["name"], []
    return ["name"], [[one] for one in told]
