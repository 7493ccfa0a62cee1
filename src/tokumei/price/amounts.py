"""Prices as people and ad platforms write them: and where they come from.

read_amount("¥1,234")          # Amount(Decimal("1234"), "JPY")
read_amount("$1.20 – $1.60")   # the middle: Amount(Decimal("1.40"), "USD")
read_amount("--")              # Amount(None, None): no price
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from numbers import Integral
from pathlib import Path
from typing import Any

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text

MOST_DECIMALS = 9
MOST_DIGITS = 15
FLOAT_DECIMALS = 6
_CODES = "JPY|USD|EUR|GBP|CNY|KRW|TWD|HKD|SGD|THB|INR|AUD|CAD|NZD|CHF|SEK|NOK|DKK|BRL|MXN"
_MARKS = {"¥": "JPY", "円": "JPY", "US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "₩": "KRW"}
_MARK = re.compile(rf"US\$|[¥$€£₩円]|(?<![A-Z])(?:{_CODES})(?![A-Z])")
_NUMBER = r"\d[\d,.' ]*(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})(?:\s*(?:-|–|—|~|〜|to|から)\s*({_NUMBER}))?")
_NOTHING = ("", "-", "--", "–", "—", "n/a", "なし")
_GROUPED = {mark: re.compile(rf"[1-9]\d{{0,2}}(\{mark}\d{{3}})+") for mark in ",."}

NEGATIVE = Text("a price cannot be negative", "価格は負にできません")
NOT_A_NUMBER = Text("a price must be a finite number", "価格は有限の数でなければなりません")
NO_PRICE = Text("this is not a price", "価格として読めません")
TWO_CURRENCIES = Text("two currencies in one price", "一つの価格に二つの通貨があります")
TOO_LARGE = Text("the price is too large", "価格が大きすぎます")
TOO_FINE = Text(
    f"a price has at most {MOST_DECIMALS} decimals", f"価格の小数は {MOST_DECIMALS} 桁までです"
)
_DATE = re.compile(r"(?<!\d)(20\d{2}|19\d{2})[-_./年]?(\d{1,2})[-_./月]?(\d{1,2})(?!\d)")
_CODE = re.compile(r"[A-Z]{3}")
_CODE_IN_NAME = re.compile(r"(?:^|[-_. ])(JPY|USD|EUR|GBP|CNY|KRW)(?=[-_. ]|$)")


class AmountError(ValueError):
    """Text that is not a price; says why."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


@dataclass(frozen=True)
class Amount:
    """A price, None if there is none, and the currency if it is written with it."""

    price: Decimal | None
    currency: str | None = None


def read_amount(text: str | None) -> Amount:
    """The price in a text."""
    plain = unicodedata.normalize("NFKC", text or "").strip()
    if plain.lower() in _NOTHING:
        return Amount(None)
    currency = currency_marked(plain)
    bare = _MARK.sub("", plain).strip()
    return Amount(_price(bare), currency)


def currency_marked(text: str) -> str | None:
    """The currency whose symbol or code stands in a text."""
    found = {_MARKS.get(mark, mark) for mark in _MARK.findall(unicodedata.normalize("NFKC", text))}
    if len(found) > 1:
        raise AmountError(TWO_CURRENCIES)
    return next(iter(found), None)


def exact(price: object) -> Decimal | None:
    """The price that a function gave; floats count to a millionth."""
    if price is None:
        return None
    if isinstance(price, bool) or not isinstance(price, Integral | float | Decimal):
        raise AmountError(NO_PRICE)
    number = Decimal(int(price)) if isinstance(price, Integral) else Decimal(str(price))
    if not number.is_finite():
        raise AmountError(NOT_A_NUMBER)
    if isinstance(price, float) and decimals_of(number) > FLOAT_DECIMALS:
        number = round(number, FLOAT_DECIMALS)
    if number < 0:
        raise AmountError(NEGATIVE)
    return _in_range(number)


def decimals_of(price: Decimal) -> int:
    """How many decimals a price needs."""
    exponent = price.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _price(text: str) -> Decimal:
    if text.lower().lstrip("+-−") in ("nan", "inf", "infinity"):
        raise AmountError(NOT_A_NUMBER)
    if re.fullmatch(r"[-−]\s*[\d.,]+.*|\([\d.,]+\)", text):
        raise AmountError(NEGATIVE)
    match = _RANGE.fullmatch(text)
    if match is None:
        raise AmountError(NO_PRICE)
    low = _number(match[1])
    return _in_range(low if match[2] is None else (low + _number(match[2])) / 2)


def _number(text: str) -> Decimal:
    plain = re.sub(r"[\s']", "", text)
    mark = _decimal_mark(plain)
    other = "." if mark == "," else ","
    whole, _, part = plain.partition(mark) if mark else (plain, "", "")
    for thousands in {other} if mark else {",", "."}:
        if thousands in whole and not _GROUPED[thousands].fullmatch(whole):
            raise AmountError(NO_PRICE)
        whole = whole.replace(thousands, "")
    if not re.fullmatch(r"\d*(?:[eE][+-]?\d+)?", part):
        raise AmountError(NO_PRICE)
    return Decimal(f"{whole}.{part}" if part else whole)


def _decimal_mark(text: str) -> str | None:
    """The mark before the decimals: the later of two, or a single one that groups nothing."""
    if "." in text and "," in text:
        return "." if text.rfind(".") > text.rfind(",") else ","
    if text.count(".") == 1:
        return "."
    return "," if text.count(",") == 1 and not _GROUPED[","].fullmatch(text) else None


def _in_range(price: Decimal) -> Decimal:
    if price.adjusted() > MOST_DIGITS:
        raise AmountError(TOO_LARGE)
    if decimals_of(price) > MOST_DECIMALS:
        raise AmountError(TOO_FINE)
    return price


@dataclass(frozen=True)
class Origin:
    """A source of prices."""

    source: str
    sha256: str | None
    date: str | None
    currency: str

    def as_json(self) -> dict[str, Any]:
        """Plain data; of the path only the name."""
        return {**vars(self), "source": Path(self.source).name}


class Currencies:
    """The currencies met in a file, of which there may be one."""

    def __init__(self, expected: str | None = None) -> None:
        self.found = None if expected is None else currency_code(expected)

    def meet(self, line: int, currency: str | None) -> list[Fault]:
        """A fault if another currency was met before."""
        if not currency or not currency.strip():
            return []
        code = currency.strip().upper()
        if self.found in (None, code):
            self.found = code
            return []
        message = Text(
            f"line {line}: {code} after {self.found}; one currency per price list",
            f"{line} 行目: {self.found} の後に {code} があります。通貨は一つにしてください",
        )
        return [Fault(rule="currency", line=line, column="currency", message=message)]


def currency_code(text: str) -> str:
    """A currency's three letters."""
    code = text.strip().upper()
    if not _CODE.fullmatch(code):
        raise UsageError(
            f"a currency has three letters (JPY), not '{text}'",
            f"通貨は JPY のような 3 文字です ('{text}')",
        )
    return code


def currency_in(name: str) -> str | None:
    """The currency in a file's name."""
    match = _CODE_IN_NAME.search(Path(name).name)
    return None if match is None else match[1]


def date_in(text: str) -> str | None:
    """The last date in a text, as ISO; None if there is none."""
    found = None
    for year, month, day in _DATE.findall(text):
        try:
            found = date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            continue
    return found


def checked_date(text: str) -> str:
    """A date as ISO."""
    found = date_in(text)
    if found is None:
        raise UsageError(
            f"'{text}' is not a date (2026-11-16)", f"'{text}' は日付ではありません (2026-11-16)"
        )
    return found
