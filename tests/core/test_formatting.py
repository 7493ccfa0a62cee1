"""Tests of tokumei.core.formatting."""

from __future__ import annotations

import pytest

from tokumei.core.formatting import format_short_number


@pytest.mark.parametrize(
    ("value", "en", "ja"),
    [
        (0.0, "0", "0"),
        (950.0, "950", "950"),
        (49000.0, "49k", "4.9万"),
        (1.5e6, "1.5M", "150万"),
        (2.0e9, "2B", "20億"),
    ],
)
def test_short(value: float, en: str, ja: str) -> None:
    assert format_short_number(value, "en") == en
    assert format_short_number(value, "ja") == ja
