"""Blocks in words and cells: for a screen, and for a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from tokumei.core.ask import Listing
from tokumei.core.text import Language, Text
from tokumei.papers.case import PaperRun
from tokumei.papers.headings import heading
from tokumei.papers.verdict import ORDER, WORDS, Block, Line

HEADER = (
    Text("paper", "論文"),
    Text("computed", "計算値"),
    Text("difference", "差"),
    Text("tolerance", "許容差"),
    Text("verdict", "判定"),
)
LIMITS = {"exact": Text("exact", "完全一致"), "form": Text("form", "傾向のみ")}
KEYED = ("name", "item", "statistic", "row", "choice", "word")
"""First columns whose cells are keys of the files of figures, not words of the paper."""
PICTURE = Text(
    "A picture without figures: there is nothing to compare.",
    "数値のない図なので、比べるものはありません。",
)
NOTHING = 1e-12
"""A figure smaller than this is what rounding leaves of 0."""
LARGE = 1000
"""From here on a figure has no places behind the point."""
_PARTS = re.compile(r"(table|figure)(\d+)_?(.*)")
_KINDS = {"table": Text("Table", "表"), "figure": Text("Figure", "図")}


def name_of(block: Block) -> Text:
    """Table 9, 表 9; a fact by its title alone."""
    parts = _PARTS.fullmatch(block.printed.id)
    if parts is None:
        return block.printed.title
    kind, more = _KINDS[parts[1]], f" ({parts[3]})" if parts[3] else ""
    title = block.printed.title
    return Text(f"{kind.en} {parts[2]}{more}: {title.en}", f"{kind.ja} {parts[2]}{more} {title.ja}")


def cell_text(cell: Any, lang: Language | None = None) -> str:
    """A cell as it is shown."""
    if cell is None:
        return "–"
    if isinstance(cell, Text):
        return cell.show(lang)
    if isinstance(cell, bool | str | date):
        return str(cell)
    if isinstance(cell, float):
        if abs(cell) < NOTHING:
            return "0"
        if abs(cell) < LARGE:
            return f"{cell:.4g}"
        cell = round(cell)
    if isinstance(cell, int):
        return f"{cell:,}" if abs(cell) >= 100_000 else str(cell)
    if isinstance(cell, list | tuple):
        return "[" + ", ".join(cell_text(one, lang) for one in cell) + "]"
    return str(cell)


def joined(cells: Sequence[Any] | None, lang: Language | None = None) -> str:
    """All cells of a line; a line that was not computed is a dash."""
    if cells is None:
        return "–"
    return " · ".join(cell_text(cell, lang) for cell in cells)


def named_cells(block: Block, line: Line) -> list[Any]:
    """The paper's cells of a line; its first one in words where that is a key of ours."""
    cells = list(line.cells)
    ours = block.printed.columns and block.printed.columns[0] in KEYED
    if ours and cells and isinstance(cells[0], str):
        cells[0] = heading(cells[0])
    return cells


def computed_text(line: Line, lang: Language | None = None) -> str:
    """What was computed of a line, without the cells that were not, nor the line's own name."""
    if line.computed is None:
        return "–"
    named = len(line.computed) > 1 and line.computed[0] == line.cells[0]
    rest = [cell for cell in line.computed[1 if named else 0 :] if cell is not None]
    return joined(rest or line.computed[:1], lang)


def difference_text(line: Line) -> str:
    """By how much a line differs."""
    if line.difference is None or line.difference == 0:
        return "" if line.difference is None else "0"
    if isinstance(line.difference, str):
        return "" if line.verdict == "twin" else line.difference  # words of a form do not differ
    return (
        f"{line.difference:+,.0f}" if abs(line.difference) >= LARGE else f"{line.difference:+.3g}"
    )


def limit_text(line: Line, lang: Language | None = None) -> str:
    """The tolerance of a line."""
    parts = line.tolerance.split(" / ")
    shown = [LIMITS[one].show(lang) for one in parts if one in LIMITS]
    return " / ".join([*shown, *(one for one in parts if one not in LIMITS)])


def listings(run: PaperRun) -> list[Listing | Text]:
    """Every block as a table, then its slips, note and what it waits for; at the end the counts."""
    shown: list[Listing | Text] = []
    for block in run.blocks:
        verdict, name = WORDS[block.verdict], name_of(block)
        title = Text(f"{name.en} – {verdict.en}", f"{name.ja} — {verdict.ja}")
        rows = [
            [
                joined(named_cells(block, line)),
                computed_text(line),
                difference_text(line),
                limit_text(line),
                WORDS[line.verdict].show(),
            ]
            for line in block.lines
        ]
        printed = any(line.cells for line in block.lines)
        shown += [Listing(title, HEADER, rows) if printed else title, *remarks(block)]
    return [*shown, told(run)]


def remarks(block: Block) -> list[Text]:
    """What is said below a block."""
    found = [
        Text(f"On the paper: {one.en}.", f"論文について: {one.ja}。") for one in block.printed.slips
    ]
    if block.note is not None:
        found.append(block.note)
    if not found and not block.panels and not any(line.cells for line in block.lines):
        found.append(PICTURE)
    if block.needs is not None:
        found.append(
            Text(
                f"Needs {block.needs} in the folder --data.",
                f"--data のフォルダに {block.needs} が必要です。",
            )
        )
    return found


def told(run: PaperRun) -> Text:
    """How many blocks have which verdict, and which files were missing."""
    kinds = [one for one in reversed(ORDER) if run.counts[one]]
    en = ", ".join(f"{run.counts[one]} {WORDS[one].en}" for one in kinds)
    ja = "、".join(f"{WORDS[one].ja} {run.counts[one]}" for one in kinds)
    title = run.book.title
    text = Text(
        f"Paper {run.book.number}, {title.en}: {en}.", f"論文 {run.book.number} {title.ja}: {ja}。"
    )
    if not run.needs:
        return text
    files = ", ".join(run.needs)
    return Text(
        f"{text.en} Give --data DIR with {files} for the rest.",
        f"{text.ja}残りには {files} のあるフォルダを --data で指定してください。",
    )
