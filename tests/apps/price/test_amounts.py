"""Prices as they are written, and what is not a price."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.price.amounts import (
    NEGATIVE_PRICE,
    NOT_A_PRICE,
    NOT_FINITE,
    TOO_LARGE,
    TOO_MANY_DECIMALS,
    TWO_CURRENCIES,
    Amount,
    AmountError,
    count_decimals,
    parse_amount,
    to_exact_price,
)
from tokumei.core.messages import Message

READ = [
    ("12", "12", None),
    ("12.50", "12.50", None),
    ("¥1,234", "1234", "JPY"),
    ("￥１，２３４", "1234", "JPY"),  # full width
    ("1,234円", "1234", "JPY"),
    ("$0.45", "0.45", "USD"),
    ("US$ 1.20", "1.20", "USD"),
    ("1.20 USD", "1.20", "USD"),
    ("€1.234,56", "1234.56", "EUR"),  # decimal comma
    ("1,234.56", "1234.56", None),
    ("1,5", "1.5", None),  # one comma that groups nothing
    ("0,125", "0.125", None),  # nobody groups after a zero
    ("1.234.567", "1234567", None),
    ("1 234", "1234", None),
    ("1e3", "1E+3", None),
    ("10-20", "15", None),
    ("¥10 – ¥21", "15.5", "JPY"),
    ("¥100〜¥300", "200", "JPY"),
    ("$1.20 to $1.60", "1.40", "USD"),
    ("0", "0", None),
    ("", None, None),
    ("  ", None, None),
    ("--", None, None),
    ("N/A", None, None),
    (None, None, None),
]


REFUSED = [
    ("-5", NEGATIVE_PRICE),
    ("¥-5", NEGATIVE_PRICE),
    ("-¥5", NEGATIVE_PRICE),
    ("−5", NEGATIVE_PRICE),  # a real minus
    ("(5)", NEGATIVE_PRICE),  # accountants
    ("NaN", NOT_FINITE),
    ("inf", NOT_FINITE),
    ("-inf", NOT_FINITE),
    ("free", NOT_A_PRICE),
    ("1,23,456", NOT_A_PRICE),
    ("1.2.3", NOT_A_PRICE),
    ("¥5 / $5", TWO_CURRENCIES),
    ("0.0000000001", TOO_MANY_DECIMALS),
    ("1e999999999", TOO_LARGE),
    ("9" * 40, TOO_LARGE),
]


@pytest.mark.parametrize(("text", "price", "currency"), READ)
def test_what_is_written(text: str | None, price: str | None, currency: str | None) -> None:
    assert parse_amount(text) == Amount(None if price is None else Decimal(price), currency)


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_no_price(text: str, reason: Message) -> None:
    with pytest.raises(AmountError) as caught:
        parse_amount(text)
    assert caught.value.reason == reason


@given(st.decimals(0, 10**9, places=2), st.sampled_from(["{:,}", "¥{:,}", "{} USD", "€{}"]))
def test_reading_undoes_writing(price: Decimal, form: str) -> None:
    assert parse_amount(form.format(price)).price == price


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_range_is_its_middle(low: int, high: int) -> None:
    assert parse_amount(f"{low} - {high}").price == Decimal(low + high) / 2


@pytest.mark.parametrize(
    ("given_", "price"),
    [(3, "3"), (0.1 + 0.2, "0.3"), (Decimal("1.25"), "1.25"), (None, None)],
)
def test_prices_of_a_function(given_: object, price: str | None) -> None:
    assert to_exact_price(given_) == (None if price is None else Decimal(price))


@pytest.mark.parametrize("wrong", [-1, math.nan, math.inf, 1e300, "5", True, Decimal("NaN")])
def test_no_prices_of_a_function(wrong: object) -> None:
    with pytest.raises(AmountError):
        to_exact_price(wrong)


def test_decimals() -> None:
    assert [count_decimals(Decimal(text)) for text in ("5", "1.50", "0.125", "1E+3")] == [
        0,
        1,
        3,
        0,
    ]
