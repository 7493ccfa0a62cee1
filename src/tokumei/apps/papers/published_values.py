"""Reads the published tables, figures and facts from `figures/00N.yaml`.

    book = read_published_paper("000")
    book.blocks["table9"].rows          # [[2, 0.348, 0.5, 0.848], …]

The files hold facts and numbers, and in English our titles and the slips of the paper; `corrected`
names the cells that are slips, with what they should be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, TypeAlias

import yaml

from tokumei.core.messages import Message, as_message

PaperCell: TypeAlias = Any
"""A cell as a paper prints it: a number, a text, a list of these, or nothing."""
Settings: TypeAlias = Mapping[str, Any]
"""What stands in YAML under a key: settings of a recipe, or all that is said of a block."""
PAPER_NUMBERS = ("000", "001", "002", "003", "004")
_PACKAGE = "tokumei.apps.papers"
FIGURE_VALUE_KEYS = ("points", "readable", "values", "facts")
"""Under which of these an entry without rows says what can be read off it."""
_PAPER_TITLES = {
    "000": Message("k-anonymous purchase histories"),
    "001": Message("The contest PWSCUP 2017"),
    "002": Message("k-anonymity by advertising prices"),
    "003": Message("Re-identification by distance"),
    "004": Message("Anonymization for recommendations"),
}


@dataclass(frozen=True)
class PublishedBlock:
    """A table or figure: its columns and rows, and all else that its entry says."""

    id: str
    title: Message
    columns: Sequence[str]
    rows: Sequence[Sequence[PaperCell]]
    slips: Sequence[Message] = ()
    corrected: Mapping[tuple[int, str], PaperCell] = field(default_factory=dict)
    entry: Settings = field(default_factory=dict)

    def column(self, name: str) -> list[PaperCell]:
        """The cells of a column."""
        column_index = list(self.columns).index(name)
        return [row[column_index] for row in self.rows]


@dataclass(frozen=True)
class PublishedPaper:
    """A paper: its number, our title for it, and its blocks by name, in the paper's order."""

    number: str
    title: Message
    blocks: Mapping[str, PublishedBlock]


def read_published_paper(number: str) -> PublishedPaper:
    """What a paper prints."""
    file = resources.files(_PACKAGE) / "figures" / f"{number}.yaml"
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    blocks: list[PublishedBlock] = []
    if "data" in data:
        blocks.append(parse_block({**data["data"], "id": "data"}, Message("The data")))
    for part in ("tables", "figures", "facts"):
        blocks += [parse_block(entry, as_message(entry["title"])) for entry in data.get(part, [])]
    return PublishedPaper(number, _PAPER_TITLES[number], {block.id: block for block in blocks})


def read_paper_recipe(number: str) -> Settings:
    """The settings that the blocks of a paper are computed with."""
    file = resources.files(_PACKAGE) / "recipes" / f"{number}.yaml"
    recipe: Settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    return recipe


def parse_block(entry: Settings, title: Message) -> PublishedBlock:
    """A block from its entry in the file of figures."""
    columns, rows = _parse_cells(entry)
    return PublishedBlock(
        entry["id"],
        title,
        columns,
        rows,
        [as_message(slip) for slip in entry.get("slips", [])],
        {(row, column): value for column, row, value in entry.get("corrected", [])},
        entry,
    )


def _parse_cells(entry: Settings) -> tuple[list[str], list[list[PaperCell]]]:
    """Columns and rows; of a figure, a row for every thing that can be read off it."""
    rows = entry.get("rows", [])
    if rows and isinstance(rows[0], Mapping):
        return list(rows[0]), [list(row.values()) for row in rows]
    if "columns" in entry:
        return list(entry["columns"]), [list(row) for row in rows]
    figure_values: PaperCell = next((entry[key] for key in FIGURE_VALUE_KEYS if key in entry), {})
    if isinstance(figure_values, Mapping):
        return ["name", "value"], [[name, value] for name, value in figure_values.items()]
    if isinstance(figure_values, str) or "figure" in entry["id"]:
        return ["name"], []
    return ["name"], [[figure_value] for figure_value in figure_values]
