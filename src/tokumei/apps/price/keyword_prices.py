"""Reads keyword prices exported by ad platforms; finds columns by English or Japanese names.

    keywords = read_keyword_prices("Keyword Stats 2026-11-01.csv")
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

from tokumei.apps.price.amounts import (
    AmountError,
    PriceOrigin,
    SingleCurrency,
    find_currency,
    find_date,
    parse_amount,
    parse_date,
)
from tokumei.apps.price.price_list_violations import conflicting_prices, invalid_price
from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import (
    AnyPath,
    detect_format,
    input_error,
    load_bytes,
    sha256_of_file,
)

TEXT_FILE_SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")
KEYWORD_HEADERS = ("Keyword", "キーワード")
BID_HEADERS = ("Top of page bid", "Suggested bid", "推奨入札単価")
"""Examples of headers."""
_KEYWORD_HEADER = re.compile(r"keywords?|キーワード|検索語句|search terms?")
_LOW_BID_HEADER = re.compile(r".*(bid|入札).*(low|低).*")
_HIGH_BID_HEADER = re.compile(r".*(bid|入札).*(high|高).*")
_SINGLE_BID_HEADER = re.compile(
    r"(suggested bid|推奨入札単価|avg\.? cpc|average cpc|平均クリック単価"
    r"|cpc|bid|入札単価|price|価格|単価)( ?\(.*\))?"
)
_CURRENCY_HEADER = re.compile(r"currency( code)?|通貨(コード)?")
_MAX_HEADER_LINE = 30


@dataclass(frozen=True)
class KeywordPrices:
    """Prices of keywords, and where they come from."""

    prices: Mapping[str, Decimal | None]
    origin: PriceOrigin

    def price(self, word: str) -> Decimal | None:
        """The price of a word; None if it has none."""
        return self.prices.get(normalize_keyword(word))


@dataclass(frozen=True)
class _ExportColumns:
    """Which columns of an export hold what."""

    keyword: int
    bids: tuple[int, ...]
    currency: int | None
    header_line: int
    named: str | None
    """The currency in the name of a bid column."""


def read_keyword_prices(
    path: AnyPath, *, currency: str | None = None, date: str | None = None, encoding: str = "auto"
) -> KeywordPrices:
    """The keywords and prices of an export; `currency` and `date` win over what the file says."""
    file_format = detect_format(path, TEXT_FILE_SUFFIXES)
    text = to_utf8(load_bytes(path, file_format), encoding, where=path).decode()
    rows, columns = _split_table(path, text)
    preamble = " ".join(text.splitlines()[: columns.header_line - 1])
    parser = _KeywordParser(SingleCurrency(currency))
    parser.faults += parser.currencies.meet(columns.header_line, columns.named)
    for line, row in rows:
        parser.add(line, row, columns)
    if parser.faults:
        raise input_error(path, _UNUSABLE_PRICES, faults=parser.faults)
    price_date = parse_date(date) if date else find_date(preamble) or find_date(Path(path).name)
    return KeywordPrices(
        parser.prices,
        PriceOrigin(str(path), sha256_of_file(path), price_date, parser.currencies.code or "JPY"),
    )


_UNUSABLE_PRICES = Message("the prices cannot be used")


def normalize_keyword(word: str) -> str:
    """A keyword without what ad platforms ignore: case, width, spaces, match-type brackets."""
    normalized = unicodedata.normalize("NFKC", word).casefold().strip().strip("[]\"'")
    return re.sub(r"\s+", " ", normalized)


class _KeywordParser:
    """The lines of an export, one after the other."""

    def __init__(self, currencies: SingleCurrency) -> None:
        self.currencies = currencies
        self.prices: dict[str, Decimal | None] = {}
        self.faults: list[Violation] = []

    def add(self, line: int, row: Sequence[str], columns: _ExportColumns) -> None:
        """Take a line's price, or its faults."""
        keyword = normalize_keyword(_cell_text(row, columns.keyword))
        if not keyword:
            return
        try:
            price = self._parse_price(line, row, columns)
        except AmountError as amount_error:
            cells = " / ".join(_cell_text(row, column_index) for column_index in columns.bids)
            self.faults.append(invalid_price(line, keyword, cells, amount_error.reason))
            return
        earlier_price = self.prices.get(keyword)
        if earlier_price is not None and price is not None and earlier_price != price:
            self.faults.append(conflicting_prices(line, keyword, earlier_price, price))
        self.prices[keyword] = earlier_price if price is None else price

    def _parse_price(
        self, line: int, row: Sequence[str], columns: _ExportColumns
    ) -> Decimal | None:
        amounts = [parse_amount(_cell_text(row, column_index)) for column_index in columns.bids]
        currency_cell = None if columns.currency is None else _cell_text(row, columns.currency)
        for currency in (currency_cell, *(amount.currency for amount in amounts)):
            self.faults += self.currencies.meet(line, currency)
        bid_prices = [amount.price for amount in amounts if amount.price is not None]
        return sum(bid_prices, Decimal()) / len(bid_prices) if bid_prices else None


def _split_table(
    path: AnyPath, text: str
) -> tuple[Iterator[tuple[int, list[str]]], _ExportColumns]:
    for separator in ("\t", ",", ";"):
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        for number, row in enumerate(rows):
            if number >= _MAX_HEADER_LINE:
                break
            columns = _find_columns(row, rows.line_num)
            if columns is not None:
                return ((rows.line_num, data_row) for data_row in rows), columns
    raise input_error(
        path,
        Message(
            "no header with a keyword column ({keywords}, …) and a bid column ({bids}, …)",
            keywords=", ".join(KEYWORD_HEADERS),
            bids=", ".join(BID_HEADERS),
        ),
    )


def _find_columns(row: Sequence[str], line: int) -> _ExportColumns | None:
    names = [normalize_keyword(name.removeprefix("\ufeff")) for name in row]
    keyword = _find_column(_KEYWORD_HEADER, names)
    range_columns = [
        column_index
        for header_pattern in (_LOW_BID_HEADER, _HIGH_BID_HEADER)
        if (column_index := _find_column(header_pattern, names)) is not None
    ]
    single_column = _find_column(_SINGLE_BID_HEADER, names)
    bids = range_columns or ([] if single_column is None else [single_column])
    if keyword is None or not bids:
        return None
    header_currency = find_currency(" ".join(row[column_index] for column_index in bids))
    return _ExportColumns(
        keyword, tuple(bids), _find_column(_CURRENCY_HEADER, names), line, header_currency
    )


def _find_column(header_pattern: re.Pattern[str], names: Sequence[str]) -> int | None:
    return next(
        (column_index for column_index, name in enumerate(names) if header_pattern.fullmatch(name)),
        None,
    )


def _cell_text(row: Sequence[str], column_index: int) -> str:
    return row[column_index].strip() if column_index < len(row) else ""
