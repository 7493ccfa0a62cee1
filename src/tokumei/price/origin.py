"""Where prices come from: file, hash, date and the one currency."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text

_DATE = re.compile(r"(?<!\d)(20\d{2}|19\d{2})[-_./年]?(\d{1,2})[-_./月]?(\d{1,2})(?!\d)")
_CODE = re.compile(r"[A-Z]{3}")
_CODE_IN_NAME = re.compile(r"(?:^|[-_. ])(JPY|USD|EUR|GBP|CNY|KRW)(?=[-_. ]|$)")


@dataclass(frozen=True)
class Origin:
    """A source of prices."""

    source: str
    sha256: str | None
    date: str | None
    currency: str

    def as_json(self) -> dict[str, Any]:
        """Plain data; of the path only the name."""
        return {
            "source": Path(self.source).name,
            "sha256": self.sha256,
            "date": self.date,
            "currency": self.currency,
        }


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
