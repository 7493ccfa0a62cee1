from __future__ import annotations

import pytest

from tokumei.core.formatting import format_number, format_percent, format_percent_range


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (0.00012, "0.012 %"),
        (0.000001, "<0.001 %"),
        (0.0049, "0.49 %"),
        (0.0487, "4.9 %"),
        (0.05, "5 %"),
        (0.1223, "12.2 %"),
        (0.9999, "99.9 %"),  # not everybody
        (1.0, "100 %"),
        (1.045, "104.5 %"),
        (float("nan"), "– %"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert format_percent(share) == text


def test_percent_range() -> None:
    assert format_percent_range(0.044, 0.054) == "4.4–5.4 %"
    assert format_percent_range(-0.044, 0.054) == "−4.4 … 5.4 %"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (5.0, "5"),
        (319697.65, "319,698"),
        (10.2209, "10.2"),
        (0.00265, "0.00265"),
        (1.2987, "1.3"),
        (float("inf"), "–"),
    ],
)
def test_plain(value: float, text: str) -> None:
    assert format_number(value) == text
