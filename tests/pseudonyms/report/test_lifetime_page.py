"""Tests of tokumei.pseudonyms.report.lifetime_page."""

from __future__ import annotations

from pages.curve_pages_helpers import curve, render, words
from tokumei.pseudonyms.report.lifetime_page import lifetime_page


def test_none_is_recommended():
    page = words(lifetime_page(curve({(1, 0.25): 0.6, (2, 0.25): 0.9})))
    assert "No lifetime keeps the link rate under 10 %" in page
    assert "At best, with pseudonyms of 1 month, the attack" in page
    assert "names the customer of 60 % of them" in page
    assert 'class="chosen"' not in render(curve({(1, 0.25): 0.6}))
