"""Formats compared blocks as text and as table cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import zip_longest

from tokumei.apps.papers.comparison import ComparedBlock, ComparedLine
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.published_values import PublishedBlock
from tokumei.apps.papers.reproduction import PaperRun
from tokumei.apps.papers.verdicts import VERDICT_LABELS, VERDICT_ORDER, BlockVerdict
from tokumei.core.command import TextTable
from tokumei.core.language import Language
from tokumei.core.messages import Message, join_messages, join_sentences

COMPARISON_HEADER = (
    Message("paper"),
    Message("computed"),
    Message("difference"),
    Message("tolerance"),
    Message("verdict"),
)
EXACT_LABEL = Message("exact", context="a verdict")
KEY_COLUMNS = ("name", "item", "statistic", "row", "choice", "word", "shape", "attack")
"""First columns whose cells are keys of the files of figures, not words of the paper."""
ZERO_THRESHOLD = 1e-12
"""A figure smaller than this is what rounding leaves of 0."""
LARGE_NUMBER = 1000
"""From here on a figure has no places behind the point."""
_BLOCK_ID = re.compile(r"(table|figure)(\d+)_?(.*)")
_NUMBERED_BLOCKS = {
    "table": Message("Table {number}: {title}"),
    "figure": Message("Figure {number}: {title}"),
}


def describe_block(block: ComparedBlock) -> Message:
    """Table 9, 表 9; a fact by its title alone."""
    return describe_printed_block(block.printed)


def describe_printed_block(printed: PublishedBlock) -> Message:
    """The same of what the paper prints."""
    parts = _BLOCK_ID.fullmatch(printed.id)
    if parts is None:
        return printed.title
    kind, number, part = parts.groups()
    if not part:
        return _NUMBERED_BLOCKS[kind].fill(number=number, title=printed.title)
    of_part = Message("{number} ({part})", number=number, part=describe_heading(part))
    return _NUMBERED_BLOCKS[kind].fill(number=of_part, title=printed.title)


def format_cell(cell: object, lang: Language | None = None) -> str:
    """A cell as it is shown."""
    if cell is None:
        return "–"
    if isinstance(cell, Message):
        return cell.show(lang)
    if isinstance(cell, bool | str | date):
        return str(cell)
    if isinstance(cell, float):
        if abs(cell) < ZERO_THRESHOLD:
            return "0"
        if abs(cell) < LARGE_NUMBER:
            return f"{cell:.4g}"
        cell = round(cell)
    if isinstance(cell, int):
        return f"{cell:,}" if abs(cell) >= 100_000 else str(cell)
    if isinstance(cell, list | tuple):
        return "[" + ", ".join(format_cell(element, lang) for element in cell) + "]"
    return str(cell)


def join_cells(cells: Sequence[object] | None, lang: Language | None = None) -> str:
    """All cells of a line; a line that was not computed is a dash."""
    if cells is None:
        return "–"
    return " · ".join(format_cell(cell, lang) for cell in cells)


def named_cells(block: ComparedBlock, line: ComparedLine) -> list[object]:
    """The paper's cells of a line; its first one in words where that is a key of ours."""
    cells: list[object] = [
        _with_printed_digits(block, column, cell)
        for column, cell in zip_longest(block.printed.columns, line.cells)
    ][: len(line.cells)]
    is_keyed = block.printed.columns and block.printed.columns[0] in KEY_COLUMNS
    if is_keyed and cells and isinstance(cells[0], str):
        cells[0] = describe_heading(cells[0])
    return cells


def _with_printed_digits(block: ComparedBlock, column: str | None, cell: object) -> object:
    """A figure with as many places as the paper prints in its column."""
    decimals = block.printed.entry.get("decimals")
    if isinstance(decimals, Mapping):
        decimals = decimals.get(column)
    return f"{cell:.{decimals}f}" if isinstance(cell, float) and decimals else cell


def format_computed(line: ComparedLine, lang: Language | None = None) -> str:
    """What was computed of a line, without the cells that were not, nor the line's own name."""
    if line.computed is None:
        return "–"
    repeats_name = len(line.computed) > 1 and line.computed[0] == line.cells[0]
    computed_cells = [
        cell for cell in line.computed[1 if repeats_name else 0 :] if cell is not None
    ]
    return join_cells(computed_cells or line.computed[:1], lang)


def format_difference(line: ComparedLine) -> str:
    """By how much a line differs."""
    if line.difference is None or line.difference == 0:
        return "" if line.difference is None else "0"
    if isinstance(line.difference, str):
        return line.difference
    return (
        f"{line.difference:+,.0f}"
        if abs(line.difference) >= LARGE_NUMBER
        else f"{line.difference:+.3g}"
    )


def format_line_tolerance(line: ComparedLine, lang: Language | None = None) -> str:
    """What a line may differ by."""
    return EXACT_LABEL.show(lang) if line.tolerance == "exact" else line.tolerance


def count_verdicts(block: ComparedBlock) -> list[tuple[BlockVerdict, int]]:
    """How many lines of a block have which verdict, the gravest first."""
    counts = Counter(line.verdict for line in block.lines)
    return [(verdict, counts[verdict]) for verdict in reversed(VERDICT_ORDER) if counts[verdict]]


def describe_verdicts(counts: Sequence[tuple[BlockVerdict, int]]) -> Message:
    """equal: 3, differs: 1."""
    return join_messages(
        Message("{verdict}: {lines:,}", lines=number, verdict=VERDICT_LABELS[verdict])
        for verdict, number in counts
    )


def block_tables(run: PaperRun) -> list[TextTable | Message]:
    """Every block as a table, then its slips, note and what it waits for; at the end the counts."""
    output: list[TextTable | Message] = []
    for block in run.blocks:
        name, verdicts = describe_block(block), describe_verdicts(count_verdicts(block))
        title = Message("{block} – {verdict}", block=name, verdict=verdicts)
        rows = [
            [
                join_cells(named_cells(block, line)),
                format_computed(line),
                format_difference(line),
                format_line_tolerance(line),
                VERDICT_LABELS[line.verdict].show(),
            ]
            for line in block.lines
        ]
        printed = any(line.cells for line in block.lines)
        output += [
            TextTable(title, COMPARISON_HEADER, rows) if printed else title,
            *block_remarks(block),
        ]
    return [*output, summarize_run(run)]


def block_remarks(block: ComparedBlock) -> list[Message]:
    """What is said below a block: slips, reasons of what differs or is not computed, notes."""
    messages = [Message("On the paper: {slip}.", slip=slip) for slip in block.printed.slips]
    messages += dict.fromkeys(
        explanation for line in block.lines for explanation in line.explanations
    )
    messages += [message for message in (block.why, block.note) if message is not None]
    if block.needs is not None:
        messages.append(Message("Needs {file} in the folder --data.", file=block.needs))
    return messages


def summarize_run(run: PaperRun) -> Message:
    """How many lines have which verdict, and which files were missing."""
    counts = [
        (verdict, run.counts[verdict]) for verdict in reversed(VERDICT_ORDER) if run.counts[verdict]
    ]
    summary = Message(
        "Paper {number}, {title}: {counts}.",
        number=run.book.number,
        title=run.book.title,
        counts=describe_verdicts(counts),
    )
    if not run.missing_files:
        return summary
    files = ", ".join(run.missing_files)
    return join_sentences(
        [summary, Message("Give --data DIR with {files} for the rest.", files=files)]
    )
