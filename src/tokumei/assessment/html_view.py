"""An assessment as a piece of HTML for notebooks: the same parts as the text."""

from __future__ import annotations

from html import escape

from tokumei.assessment.assessment import Assessment
from tokumei.assessment.text_view import assessment_parts
from tokumei.core.command import TextTable


def render_assessment(assessment: Assessment) -> str:
    """The verdict in bold, then sentences and tables."""
    first, *parts = assessment_parts(assessment)
    body = [f"<p><strong>{escape(str(first))}</strong></p>"]
    for part in parts:
        if isinstance(part, TextTable):
            body.append(_render_table(part))
        else:
            body.append(f"<p>{escape(part.show())}</p>")
    return f'<div class="tokumei-assessment">{"".join(body)}</div>'


def _render_table(table: TextTable) -> str:
    head = "".join(f"<th>{escape(str(cell))}</th>" for cell in table.header)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    title = escape(table.title.show())
    return f"<table><caption>{title}</caption><tr>{head}</tr>{rows}</table>"
