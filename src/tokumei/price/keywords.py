"""Keyword prices as ad platforms export them: columns found by name, in English or Japanese.

    keywords = read_keywords("Keyword Stats 2026-11-01.csv")
    keywords.price("教員")             # Decimal("214.5"), None if it has none

UTF-16 with tabs or UTF-8 with commas; lines before the header are skipped, bids given as low and
high range count as their middle. Case, width and spaces do not tell keywords apart.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, format_of, input_error, load_bytes, sha256
from tokumei.files.encodings import to_utf8
from tokumei.price.amounts import (
    AmountError,
    Currencies,
    Origin,
    checked_date,
    currency_marked,
    date_in,
    read_amount,
)
from tokumei.price.price_faults import bad_price, two_prices

TEXT_FILES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")
_KEYWORD = re.compile(r"keywords?|キーワード|検索語句|search terms?")
_LOW = re.compile(r".*(bid|入札).*(low|低).*")
_HIGH = re.compile(r".*(bid|入札).*(high|高).*")
_ONE = re.compile(
    r"(suggested bid|推奨入札単価|avg\.? cpc|average cpc|平均クリック単価"
    r"|cpc|bid|入札単価|price|価格|単価)( ?\(.*\))?"
)
_CURRENCY = re.compile(r"currency( code)?|通貨(コード)?")
_HEADER_WITHIN = 30


@dataclass(frozen=True)
class Keywords:
    """Prices of keywords, and where they come from."""

    prices: Mapping[str, Decimal | None]
    origin: Origin

    def price(self, word: str) -> Decimal | None:
        """The price of a word; None if it has none."""
        return self.prices.get(folded(word))


@dataclass(frozen=True)
class _Columns:
    """Which columns of an export hold what."""

    keyword: int
    bids: tuple[int, ...]
    currency: int | None
    header_line: int
    named: str | None
    """The currency in the name of a bid column."""


def read_keywords(
    path: AnyPath, *, currency: str | None = None, date: str | None = None, encoding: str = "auto"
) -> Keywords:
    """The keywords and prices of an export; `currency` and `date` win over what the file says."""
    form = format_of(path, TEXT_FILES)
    text = to_utf8(load_bytes(path, form), encoding, where=path).decode()
    rows, columns = _table(path, text)
    preamble = " ".join(text.splitlines()[: columns.header_line - 1])
    read = _Reading(Currencies(currency))
    read.faults += read.currencies.meet(columns.header_line, columns.named)
    for line, row in rows:
        read.add(line, row, columns)
    if read.faults:
        raise input_error(path, _UNUSABLE, faults=read.faults)
    when = checked_date(date) if date else date_in(preamble) or date_in(Path(path).name)
    return Keywords(
        read.prices, Origin(str(path), sha256(path), when, read.currencies.found or "JPY")
    )


_UNUSABLE = Text("the prices cannot be used", "価格が使えません")


def folded(word: str) -> str:
    """A keyword without what ad platforms ignore: case, width, spaces, match-type brackets."""
    plain = unicodedata.normalize("NFKC", word).casefold().strip().strip("[]\"'")
    return re.sub(r"\s+", " ", plain)


class _Reading:
    """The lines of an export, one after the other."""

    def __init__(self, currencies: Currencies) -> None:
        self.currencies = currencies
        self.prices: dict[str, Decimal | None] = {}
        self.faults: list[Fault] = []

    def add(self, line: int, row: Sequence[str], columns: _Columns) -> None:
        """Take a line's price, or its faults."""
        keyword = folded(_cell(row, columns.keyword))
        if not keyword:
            return
        try:
            price = self._price(line, row, columns)
        except AmountError as wrong:
            cells = " / ".join(_cell(row, place) for place in columns.bids)
            self.faults.append(bad_price(line, keyword, cells, wrong.reason))
            return
        known = self.prices.get(keyword)
        if known is not None and price is not None and known != price:
            self.faults.append(two_prices(line, keyword, known, price))
        self.prices[keyword] = known if price is None else price

    def _price(self, line: int, row: Sequence[str], columns: _Columns) -> Decimal | None:
        amounts = [read_amount(_cell(row, place)) for place in columns.bids]
        named = None if columns.currency is None else _cell(row, columns.currency)
        for currency in (named, *(amount.currency for amount in amounts)):
            self.faults += self.currencies.meet(line, currency)
        known = [amount.price for amount in amounts if amount.price is not None]
        return sum(known, Decimal()) / len(known) if known else None


def _table(path: AnyPath, text: str) -> tuple[Iterator[tuple[int, list[str]]], _Columns]:
    for separator in ("\t", ",", ";"):
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        for number, row in enumerate(rows):
            if number >= _HEADER_WITHIN:
                break
            columns = _columns(row, rows.line_num)
            if columns is not None:
                return ((rows.line_num, found) for found in rows), columns
    raise input_error(
        path,
        "no header with a keyword column (Keyword, キーワード) and a bid column "
        "(Top of page bid, Suggested bid, 推奨入札単価, …)",
        "キーワードの列 (Keyword, キーワード) と入札単価の列 "
        "(Top of page bid, Suggested bid, 推奨入札単価 など) をもつ見出しがありません",
    )


def _columns(row: Sequence[str], line: int) -> _Columns | None:
    names = [folded(name.removeprefix("\ufeff")) for name in row]
    keyword = _find(_KEYWORD, names)
    ranges = [place for kind in (_LOW, _HIGH) if (place := _find(kind, names)) is not None]
    single = _find(_ONE, names)
    bids = ranges or ([] if single is None else [single])
    if keyword is None or not bids:
        return None
    named = currency_marked(" ".join(row[place] for place in bids))
    return _Columns(keyword, tuple(bids), _find(_CURRENCY, names), line, named)


def _find(kind: re.Pattern[str], names: Sequence[str]) -> int | None:
    return next((place for place, name in enumerate(names) if kind.fullmatch(name)), None)


def _cell(row: Sequence[str], place: int) -> str:
    return row[place].strip() if place < len(row) else ""
