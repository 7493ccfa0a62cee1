"""Tests of tokumei.pages.curve_page."""

from __future__ import annotations

from tokumei.kernels.unicity.unicity import Unicity
from tokumei.pages.curve_page import render_curve_page
from tokumei.pages.unicity_report import unicity_page


def test_hostile_names_stay_text():
    hostile = "</script><img src=x onerror=alert(1)>"
    page = render_curve_page(unicity_page([Unicity(hostile, 1, 0.5, 0.4, 0.6, 9, 9, 0)]))
    assert "<img src=x" not in page
    assert page.count("</script>") == 3  # payload, chart library, page script
