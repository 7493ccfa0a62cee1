"""Amounts and shares as the terminal shows them."""

import pytest

from tokumei.apps.cli.price.text_tables import format_money, format_share


@pytest.mark.parametrize(
    ("amount", "text"),
    [(1234567, "1,234,567 XTS"), (0.5, "0.5 XTS"), (12.25, "12.25 XTS"), (1000.0, "1,000 XTS")],
)
def test_an_amount_has_no_needless_decimals(amount: float, text: str) -> None:
    assert format_money(amount, "XTS") == text


def test_a_known_currency_has_its_symbol_before_the_amount() -> None:
    assert format_money(1500, "JPY").endswith("1,500")
    assert not format_money(1500, "JPY").endswith("JPY")


def test_a_share_of_nothing_is_a_dash() -> None:
    assert format_share(None) == "–"
    assert format_share(0.12345) == "12.35%"
