"""Numbers, times, faults and drawings."""

from __future__ import annotations

import pytest

from tokumei.apps.http.headers import preferred_language


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("fr, ja;q=0.8, en", "en"),
        ("en, ja", "en"),
        ("ja;q=x", "en"),
    ],
)
def test_the_browsers_language_is_heard(header, lang):
    assert preferred_language(header) == lang
