"""Renders one HTML page per paper, with published and computed values and charts.

It works offline, in every language. Pages hold figures of papers and of published data only.
"""

from __future__ import annotations

from tokumei.apps.papers.block_text import (
    COMPARISON_HEADER,
    block_remarks,
    count_verdicts,
    describe_block,
    format_cell,
    format_computed,
    format_difference,
    format_line_tolerance,
    named_cells,
)
from tokumei.apps.papers.comparison import ComparedBlock, ComparedLine
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.reproduction import PaperRun
from tokumei.apps.papers.verdicts import VERDICT_LABELS, VERDICT_MEANINGS, VERDICT_ORDER
from tokumei.core.catalogs import available_languages
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.html import chart_payload, render_page


def published_cells(block: ComparedBlock, line: ComparedLine) -> list[Message]:
    """The paper's cells of a line."""
    cells = named_cells(block, line)
    return [
        Message.of_texts({lang: format_cell(cell, lang) for lang in available_languages()})
        for cell in cells
    ]


def computed_cells(line: ComparedLine) -> list[Message]:
    """Ours of a line: computed, difference, tolerance."""
    computed, limit = (
        Message.of_texts({lang: format_part(line, lang) for lang in available_languages()})
        for format_part in (format_computed, format_line_tolerance)
    )
    return [computed, Message.verbatim(format_difference(line)), limit]


def max_cell_count(block: ComparedBlock) -> int:
    """The most cells of any line."""
    return max([len(block.printed.columns), *(len(line.cells) for line in block.lines)])


def command_of(run: PaperRun, block: ComparedBlock) -> str:
    """The command that makes a block."""
    data = " --data DIR" if run.used_folder else ""
    return f"tokumei paper {run.book.number} --table {block.printed.id}{data}"


def render_paper(run: PaperRun, *, lang: Language = "en") -> str:
    """The page of a paper, opening in `lang`."""
    panels = [panel for block in run.blocks for panel in block.panels]
    title = Message("Paper {number}: {title}", number=run.book.number, title=run.book.title)
    return render_page(
        "papers/page.html",
        home="tokumei.apps.papers",
        lang=lang,
        title=title,
        data=chart_payload(
            {panel.name: panel.build for panel in panels},
            {panel.name: list(panel.rows) for panel in panels},
        ),
        styles=["curves/common.css", "papers/papers.css"],
        charts=bool(panels),
        run=run,
        blocks=run.blocks,
        name_of=describe_block,
        remarks=block_remarks,
        verdicts_of=count_verdicts,
        command_of=command_of,
        heading=describe_heading,
        paper_cells=published_cells,
        our_cells=computed_cells,
        widest=max_cell_count,
        counts=[
            (verdict, run.counts[verdict])
            for verdict in reversed(VERDICT_ORDER)
            if run.counts[verdict]
        ],
        words=VERDICT_LABELS,
        meanings=VERDICT_MEANINGS,
        header=COMPARISON_HEADER,
    )
