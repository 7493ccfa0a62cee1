"""The piece of HTML of a notebook."""

from __future__ import annotations

import polars as pl
from tests.assessment.small_releases import open_frames

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.html_view import render_assessment
from tokumei.core.scenario import Scenario


def test_names_of_columns_are_no_markup() -> None:
    frame = pl.DataFrame({"<b>age</b>": [1, 2, 3]})
    found = assess_opened(open_frames(frame, qi=["<b>age</b>"]), Scenario(), remedies=False)
    page = render_assessment(found)
    assert "<b>" not in page
    assert "&lt;b&gt;age&lt;/b&gt;" in page
    assert page.startswith('<div class="tokumei-assessment"><p><strong>')
    assert page.count("<table>") == page.count("</table>") == 2
    assert found._repr_html_() == page
