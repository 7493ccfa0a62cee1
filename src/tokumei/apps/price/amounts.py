"""Parses prices as people and ad platforms write them.

parse_amount("¥1,234")          # Amount(Decimal("1234"), "JPY")
parse_amount("$1.20 – $1.60")   # the middle: Amount(Decimal("1.40"), "USD")
parse_amount("--")              # Amount(None, None): no price
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from numbers import Integral
from pathlib import Path

from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message

MAX_DECIMALS = 9
MAX_DIGITS = 15
FLOAT_DECIMALS = 6
_CURRENCY_CODES = "JPY|USD|EUR|GBP|CNY|KRW|TWD|HKD|SGD|THB|INR|AUD|CAD|NZD|CHF|SEK|NOK|DKK|BRL|MXN"
_CURRENCY_BY_SYMBOL = {
    "¥": "JPY",
    "円": "JPY",
    "US$": "USD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "₩": "KRW",
}
_CURRENCY_MARK = re.compile(rf"US\$|[¥$€£₩円]|(?<![A-Z])(?:{_CURRENCY_CODES})(?![A-Z])")
_NUMBER_PATTERN = r"\d[\d,.' ]*(?:[eE][+-]?\d+)?"
_PRICE_RANGE = re.compile(
    rf"({_NUMBER_PATTERN})(?:\s*(?:-|–|—|~|〜|to|から)\s*({_NUMBER_PATTERN}))?"
)
_NO_PRICE_CELLS = ("", "-", "--", "–", "—", "n/a", "なし")
_GROUPED_THOUSANDS = {mark: re.compile(rf"[1-9]\d{{0,2}}(\{mark}\d{{3}})+") for mark in ",."}

NEGATIVE_PRICE = Message("a price cannot be negative")
NOT_FINITE = Message("a price must be a finite number")
NOT_A_PRICE = Message("this is not a price")
TWO_CURRENCIES = Message("two currencies in one price")
TOO_LARGE = Message("the price is too large")
TOO_MANY_DECIMALS = Message("a price has at most {limit} decimals", limit=MAX_DECIMALS)
_DATE = re.compile(r"(?<!\d)(20\d{2}|19\d{2})[-_./年]?(\d{1,2})[-_./月]?(\d{1,2})(?!\d)")
_CURRENCY_CODE = re.compile(r"[A-Z]{3}")
_CURRENCY_IN_FILE_NAME = re.compile(r"(?:^|[-_. ])(JPY|USD|EUR|GBP|CNY|KRW)(?=[-_. ]|$)")


class AmountError(ValueError):
    """Text that is not a price; says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Amount:
    """A price, None if there is none, and the currency if it is written with it."""

    price: Decimal | None
    currency: str | None = None


def parse_amount(text: str | None) -> Amount:
    """The price in a text."""
    normalized = unicodedata.normalize("NFKC", text or "").strip()
    if normalized.lower() in _NO_PRICE_CELLS:
        return Amount(None)
    currency = find_currency(normalized)
    number_text = _CURRENCY_MARK.sub("", normalized).strip()
    return Amount(_parse_price(number_text), currency)


def find_currency(text: str) -> str | None:
    """The currency whose symbol or code stands in a text."""
    currencies = {
        _CURRENCY_BY_SYMBOL.get(mark, mark)
        for mark in _CURRENCY_MARK.findall(unicodedata.normalize("NFKC", text))
    }
    if len(currencies) > 1:
        raise AmountError(TWO_CURRENCIES)
    return next(iter(currencies), None)


def to_exact_price(price: object) -> Decimal | None:
    """The price that a function gave; floats count to a millionth."""
    if price is None:
        return None
    if isinstance(price, bool) or not isinstance(price, Integral | float | Decimal):
        raise AmountError(NOT_A_PRICE)
    number = Decimal(int(price)) if isinstance(price, Integral) else Decimal(str(price))
    if not number.is_finite():
        raise AmountError(NOT_FINITE)
    if isinstance(price, float) and count_decimals(number) > FLOAT_DECIMALS:
        number = round(number, FLOAT_DECIMALS)
    if number < 0:
        raise AmountError(NEGATIVE_PRICE)
    return _require_in_range(number)


def count_decimals(price: Decimal) -> int:
    """How many decimals a price needs."""
    exponent = price.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _parse_price(text: str) -> Decimal:
    if text.lower().lstrip("+-−") in ("nan", "inf", "infinity"):
        raise AmountError(NOT_FINITE)
    if re.fullmatch(r"[-−]\s*[\d.,]+.*|\([\d.,]+\)", text):
        raise AmountError(NEGATIVE_PRICE)
    match = _PRICE_RANGE.fullmatch(text)
    if match is None:
        raise AmountError(NOT_A_PRICE)
    low = _parse_number(match[1])
    return _require_in_range(low if match[2] is None else (low + _parse_number(match[2])) / 2)


def _parse_number(text: str) -> Decimal:
    digits = re.sub(r"[\s']", "", text)
    mark = _decimal_mark(digits)
    other = "." if mark == "," else ","
    integer_part, _, decimals = digits.partition(mark) if mark else (digits, "", "")
    for thousands in {other} if mark else {",", "."}:
        if thousands in integer_part and not _GROUPED_THOUSANDS[thousands].fullmatch(integer_part):
            raise AmountError(NOT_A_PRICE)
        integer_part = integer_part.replace(thousands, "")
    if not re.fullmatch(r"\d*(?:[eE][+-]?\d+)?", decimals):
        raise AmountError(NOT_A_PRICE)
    return Decimal(f"{integer_part}.{decimals}" if decimals else integer_part)


def _decimal_mark(text: str) -> str | None:
    """The mark before the decimals: the later of two, or a single one that groups nothing."""
    if "." in text and "," in text:
        return "." if text.rfind(".") > text.rfind(",") else ","
    if text.count(".") == 1:
        return "."
    return "," if text.count(",") == 1 and not _GROUPED_THOUSANDS[","].fullmatch(text) else None


def _require_in_range(price: Decimal) -> Decimal:
    if price.adjusted() > MAX_DIGITS:
        raise AmountError(TOO_LARGE)
    if count_decimals(price) > MAX_DECIMALS:
        raise AmountError(TOO_MANY_DECIMALS)
    return price


@dataclass(frozen=True)
class PriceOrigin:
    """A source of prices."""

    source: str
    sha256: str | None
    date: str | None
    currency: str

    def as_json(self) -> dict[str, object]:
        """Plain data; of the path only the name."""
        return {**vars(self), "source": Path(self.source).name}


class SingleCurrency:
    """The currencies met in a file, of which there may be one."""

    def __init__(self, expected: str | None = None) -> None:
        self.code = None if expected is None else parse_currency_code(expected)

    def meet(self, line: int, currency: str | None) -> list[Violation]:
        """A fault if another currency was met before."""
        if not currency or not currency.strip():
            return []
        code = currency.strip().upper()
        if self.code in (None, code):
            self.code = code
            return []
        message = Message(
            "line {line}: {currency} after {first}; one currency per price list",
            line=line,
            currency=code,
            first=self.code,
        )
        return [Violation(rule="currency", line=line, column="currency", message=message)]


def parse_currency_code(text: str) -> str:
    """A currency's three letters."""
    code = text.strip().upper()
    if not _CURRENCY_CODE.fullmatch(code):
        raise UsageError("a currency has three letters (JPY), not '{text}'", text=text)
    return code


def currency_in_file_name(name: str) -> str | None:
    """The currency in a file's name."""
    match = _CURRENCY_IN_FILE_NAME.search(Path(name).name)
    return None if match is None else match[1]


def find_date(text: str) -> str | None:
    """The last date in a text, as ISO; None if there is none."""
    last_date = None
    for year, month, day in _DATE.findall(text):
        try:
            last_date = date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            continue
    return last_date


def parse_date(text: str) -> str:
    """A date as ISO."""
    iso_date = find_date(text)
    if iso_date is None:
        raise UsageError("'{text}' is not a date (2026-11-16)", text=text)
    return iso_date
