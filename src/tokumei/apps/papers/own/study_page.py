"""Renders the page of a study: the tables and figures of a paper, made of other data."""

from __future__ import annotations

from tokumei.apps.papers.block_text import format_cell
from tokumei.apps.papers.own.study import StudyBlock, StudyRun
from tokumei.core.catalogs import available_languages
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.html import chart_payload, render_page


def shown_rows(block: StudyBlock) -> list[list[Message]]:
    """Its rows in every language."""
    return [
        [
            Message.of_texts({lang: format_cell(cell, lang) for lang in available_languages()})
            for cell in row
        ]
        for row in block.made.rows
    ]


def render_study(run: StudyRun, *, lang: Language = "en") -> str:
    """The page, opening in `lang`."""
    panels = [panel for block in run.blocks for panel in block.panels]
    title = Message("Paper {number}: {title}", number=run.book.number, title=run.book.title)
    return render_page(
        "papers/study.html",
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
        rows_of=shown_rows,
    )
