"""Reads price lists and synonyms from CSV files, and checks every line."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from tokumei.apps.price.amounts import (
    AmountError,
    PriceOrigin,
    SingleCurrency,
    currency_in_file_name,
    find_date,
    parse_amount,
    parse_date,
)
from tokumei.apps.price.keyword_prices import TEXT_FILE_SUFFIXES
from tokumei.apps.price.price_list import DELETE_PATTERN, INTENTS, PriceList
from tokumei.apps.price.price_list_violations import (
    conflicting_prices,
    conflicting_words,
    empty_cell,
    invalid_date,
    invalid_intent,
    invalid_price,
    priced_delete,
)
from tokumei.core.errors import Violation
from tokumei.core.generalized_cells import canonicalize_value
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import CsvRows, parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import (
    AnyPath,
    detect_format,
    input_error,
    load_bytes,
    sha256_of_file,
)

_COLUMN_NAMES = {
    "attribute": ("attribute", "属性"),
    "pattern": ("pattern", "パターン"),
    "value": ("value", "値"),
    "word": ("word", "語", "ワード"),
    "price": ("price", "価格"),
    "currency": ("currency", "通貨"),
    "date": ("date", "日付"),
    "intent": ("intent", "意図"),
}
_REQUIRED_COLUMNS = ("attribute", "pattern", "value", "word")
_LineCells = dict[str, str | None]


def read_price_list(
    path: AnyPath,
    *,
    currency: str | None = None,
    date: str | None = None,
    sep: str | None = None,
    encoding: str = "auto",
) -> PriceList:
    """The price list in a file; without a price column, its patterns.

    Currency and date: as given, else from columns, symbols or the file's name; else yen, undated.
    """
    rows = _read_rows(path, sep, encoding)
    names = _match_columns(path, rows.frame.columns)
    parser = _PriceListParser(SingleCurrency(currency))
    for number, cells in enumerate(rows.frame.select(list(names.values())).iter_rows()):
        parser.add(rows.line_of(number), dict(zip(names, cells, strict=True)))
    if parser.faults:
        raise input_error(path, Message("the price list cannot be used"), faults=parser.faults)
    price_date = (
        parse_date(date) if date else max(parser.dates, default=None) or find_date(Path(path).name)
    )
    file_currency = parser.currencies.code or currency_in_file_name(str(path)) or "JPY"
    origin = PriceOrigin(str(path), sha256_of_file(path), price_date, file_currency)
    return PriceList(parser.patterns, parser.prices(), (origin,), parser.intents())


def read_synonyms(path: AnyPath, *, encoding: str = "auto") -> dict[str, str]:
    """CSV `word,keyword`: under which keyword a word's price is looked up."""
    rows = _read_rows(path, None, encoding)
    if rows.frame.width != 2:
        raise input_error(path, Message("two columns are needed: word,keyword"))
    keyword_by_word: dict[str, str] = {}
    faults: list[Violation] = []
    for number, (word, keyword) in enumerate(rows.frame.iter_rows()):
        line = rows.line_of(number)
        if not word or not keyword:
            faults.append(empty_cell(line, rows.frame.columns[0 if not word else 1]))
        elif keyword_by_word.setdefault(word, keyword) != keyword:
            faults.append(conflicting_words(line, "synonyms", word, keyword_by_word[word], keyword))
    if faults:
        reason = Message("the synonyms cannot be used")
        raise input_error(path, reason, faults=faults)
    return keyword_by_word


class _PriceListParser:
    """The lines of a price list, one after the other."""

    def __init__(self, currencies: SingleCurrency) -> None:
        self.currencies = currencies
        self.patterns: dict[str, dict[str, dict[str | None, str]]] = {}
        self._prices_by_intent: dict[str, dict[str, dict[str, Decimal | None]]] = {}
        self.dates: set[str] = set()
        self.faults: list[Violation] = []

    def add(self, line: int, cells: _LineCells) -> None:
        """Take a line, or its faults."""
        attribute, pattern = (cells["attribute"] or "").strip(), (cells["pattern"] or "").strip()
        word = cells["word"]
        required_cells = {
            "attribute": attribute,
            "pattern": pattern,
            "word": word or pattern == DELETE_PATTERN,
        }
        self.faults += [empty_cell(line, name) for name, cell in required_cells.items() if not cell]
        price = self._parse_price(line, cells)
        if not all(required_cells.values()):
            return
        if pattern == DELETE_PATTERN:
            self.patterns.setdefault(attribute, {})
            self.faults += [priced_delete(line, attribute)] if price else []
            return
        self._map_value(line, attribute, pattern, cells["value"], word or "")
        intent = self._parse_intent(line, cells.get("intent"))
        self._set_price(line, attribute, word or "", intent, price)
        self._add_date(line, cells.get("date"))

    def prices(self) -> dict[str, dict[str, Decimal | None]]:
        """The price of every word: the sum of what is bid for its intents."""
        return {
            attribute: {word: _sum_intent_prices(parts) for word, parts in words.items()}
            for attribute, words in self._prices_by_intent.items()
        }

    def intents(self) -> dict[str, dict[str, dict[str, Decimal | None]]]:
        """What is bid for every intent; nothing if no line tells one."""
        all_intents = {
            intent
            for words in self._prices_by_intent.values()
            for parts in words.values()
            for intent in parts
        }
        return self._prices_by_intent if all_intents & {*INTENTS} else {}

    def _parse_intent(self, line: int, cell: str | None) -> str:
        intent = (cell or "").strip().lower()
        if intent and intent not in INTENTS:
            self.faults.append(invalid_intent(line, intent))
        return intent

    def _add_date(self, line: int, cell: str | None) -> None:
        iso_date = find_date(cell or "")
        if iso_date is not None:
            self.dates.add(iso_date)
        elif cell:
            self.faults.append(invalid_date(line, cell))

    def _parse_price(self, line: int, cells: _LineCells) -> Decimal | None:
        try:
            amount = parse_amount(cells.get("price"))
        except AmountError as amount_error:
            cell = cells.get("price") or ""
            self.faults.append(invalid_price(line, cells["word"] or "", cell, amount_error.reason))
            return None
        for currency in (cells.get("currency"), amount.currency):
            self.faults += self.currencies.meet(line, currency)
        return amount.price

    def _map_value(
        self, line: int, attribute: str, pattern: str, value: str | None, word: str
    ) -> None:
        words = self.patterns.setdefault(attribute, {}).setdefault(pattern, {})
        key = None if value is None else canonicalize_value(value)
        if words.setdefault(key, word) != word:
            self.faults.append(conflicting_words(line, pattern, value, words[key], word))

    def _set_price(
        self, line: int, attribute: str, word: str, intent: str, price: Decimal | None
    ) -> None:
        intent_prices = self._prices_by_intent.setdefault(attribute, {}).setdefault(word, {})
        earlier_price = intent_prices.get(intent)
        if earlier_price is None:
            intent_prices[intent] = price
        elif price is not None and price != earlier_price:
            self.faults.append(conflicting_prices(line, word, earlier_price, price))


def _sum_intent_prices(intent_prices: Mapping[str, Decimal | None]) -> Decimal | None:
    known_prices = [price for price in intent_prices.values() if price is not None]
    return sum(known_prices, Decimal()) if known_prices else None


def _read_rows(path: AnyPath, sep: str | None, encoding: str) -> CsvRows:
    form = detect_format(path, TEXT_FILE_SUFFIXES)
    data = to_utf8(load_bytes(path, form), encoding, where=path)
    return parse_csv(data, sep=sep, where=path)


def _match_columns(path: AnyPath, header: list[str]) -> dict[str, str]:
    """Our names of the columns that are there, and theirs."""
    name_by_lower = {name.strip().lower(): name for name in header}
    file_names = {
        own_name: name_by_lower[accepted_name]
        for own_name, accepted in _COLUMN_NAMES.items()
        for accepted_name in accepted
        if accepted_name in name_by_lower
    }
    missing = [name for name in _REQUIRED_COLUMNS if name not in file_names]
    if missing:
        raise input_error(
            path,
            Message(
                "a price list has attribute,pattern,value,word,price; missing: {columns}",
                columns=", ".join(missing),
            ),
        )
    return file_names
