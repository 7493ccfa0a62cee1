"""One HTML page per paper: every block with the paper's figures and ours side by side, and charts.

It works offline, in English and Japanese. Pages hold figures of papers and of published data only.
"""

from __future__ import annotations

from tokumei.core.text import Language, Text
from tokumei.papers.case import PaperRun
from tokumei.papers.headings import heading
from tokumei.papers.verdict import ORDER, WORDS, Block, Line, Verdict
from tokumei.papers.words import (
    HEADER,
    cell_text,
    computed_text,
    difference_text,
    limit_text,
    name_of,
    named_cells,
    remarks,
)
from tokumei.report.html import LANGUAGES, chart_payload, render_page

MEANINGS: dict[Verdict, Text] = {
    "equal": Text("ours is what the paper prints", "論文の値と一致"),
    "within": Text("within the tolerance", "許容差の範囲内"),
    "slip": Text("the paper's slip; ours is the right value", "論文の誤記 (計算値が正しい値)"),
    "twin": Text(
        "on a reconstruction, look-alike data or fresh draws: no reproduction",
        "再構成・生成データ・新たな試行による値 (再現ではない)",
    ),
    "differs": Text("none of these", "上のいずれでもない"),
    "printed": Text("shown as printed; nothing to compute", "掲載内容のみ (計算対象なし)"),
    "waiting": Text("real data is needed", "実データが必要"),
}


def paper_cells(block: Block, line: Line) -> list[Text]:
    """The paper's cells of a line."""
    cells = named_cells(block, line)
    return [Text(*(cell_text(cell, lang) for lang in LANGUAGES)) for cell in cells]


def our_cells(line: Line) -> list[Text]:
    """Ours of a line: computed, difference, tolerance."""
    computed, limit = (
        Text(*(shown(line, lang) for lang in LANGUAGES)) for shown in (computed_text, limit_text)
    )
    return [computed, Text(difference_text(line), difference_text(line)), limit]


def widest(block: Block) -> int:
    """The most cells of any line."""
    return max([len(block.printed.columns), *(len(line.cells) for line in block.lines)])


def render_paper(run: PaperRun, *, lang: Language = "en") -> str:
    """The page of a paper, opening in `lang`."""
    panels = [panel for block in run.blocks for panel in block.panels]
    title = Text(
        f"Paper {run.book.number}: {run.book.title.en}",
        f"論文 {run.book.number}: {run.book.title.ja}",
    )
    return render_page(
        "papers/page.html",
        home="tokumei.papers",
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
        name_of=name_of,
        remarks=remarks,
        heading=heading,
        paper_cells=paper_cells,
        our_cells=our_cells,
        widest=widest,
        counts=[(one, run.counts[one]) for one in reversed(ORDER) if run.counts[one]],
        words=WORDS,
        meanings=MEANINGS,
        header=HEADER,
    )
