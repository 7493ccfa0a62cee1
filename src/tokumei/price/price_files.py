"""Price lists and synonyms from CSV files, every line checked."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from tokumei.core.cells import plain_text
from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, format_of, input_error, load_bytes, sha256
from tokumei.files.csv_text import CsvRows, parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.price.amounts import (
    AmountError,
    Currencies,
    Origin,
    checked_date,
    currency_in,
    date_in,
    read_amount,
)
from tokumei.price.dictionary import DELETED, INTENTS, PriceList
from tokumei.price.keywords import TEXT_FILES
from tokumei.price.price_faults import (
    bad_date,
    bad_intent,
    bad_price,
    empty_cell,
    two_prices,
    two_words,
    worthy_delete,
)

_NAMES = {
    "attribute": ("attribute", "属性"),
    "pattern": ("pattern", "パターン"),
    "value": ("value", "値"),
    "word": ("word", "語", "ワード"),
    "price": ("price", "価格"),
    "currency": ("currency", "通貨"),
    "date": ("date", "日付"),
    "intent": ("intent", "意図"),
}
_NEEDED = ("attribute", "pattern", "value", "word")
_Line = dict[str, str | None]


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
    rows = _read(path, sep, encoding)
    names = _columns(path, rows.frame.columns)
    read = _Reading(Currencies(currency))
    for number, cells in enumerate(rows.frame.select(list(names.values())).iter_rows()):
        read.add(rows.line_of(number), dict(zip(names, cells, strict=True)))
    if read.faults:
        raise input_error(
            path, "the price list cannot be used", "価格表が使えません", faults=read.faults
        )
    when = checked_date(date) if date else max(read.dates, default=None) or date_in(Path(path).name)
    found = read.currencies.found or currency_in(str(path)) or "JPY"
    origin = Origin(str(path), sha256(path), when, found)
    return PriceList(read.patterns, read.prices(), (origin,), read.intents())


def read_synonyms(path: AnyPath, *, encoding: str = "auto") -> dict[str, str]:
    """CSV `word,keyword`: under which keyword a word's price is looked up."""
    rows = _read(path, None, encoding)
    if rows.frame.width != 2:
        raise input_error(
            path, "two columns are needed: word,keyword", "word,keyword の 2 列が必要です"
        )
    found: dict[str, str] = {}
    faults: list[Fault] = []
    for number, (word, keyword) in enumerate(rows.frame.iter_rows()):
        line = rows.line_of(number)
        if not word or not keyword:
            faults.append(empty_cell(line, rows.frame.columns[0 if not word else 1]))
        elif found.setdefault(word, keyword) != keyword:
            faults.append(two_words(line, "synonyms", word, found[word], keyword))
    if faults:
        reason = Text("the synonyms cannot be used", "同義語が使えません")
        raise input_error(path, reason, faults=faults)
    return found


class _Reading:
    """The lines of a price list, one after the other."""

    def __init__(self, currencies: Currencies) -> None:
        self.currencies = currencies
        self.patterns: dict[str, dict[str, dict[str | None, str]]] = {}
        self._parts: dict[str, dict[str, dict[str, Decimal | None]]] = {}
        self.dates: set[str] = set()
        self.faults: list[Fault] = []

    def add(self, line: int, cells: _Line) -> None:
        """Take a line, or its faults."""
        attribute, pattern = (cells["attribute"] or "").strip(), (cells["pattern"] or "").strip()
        word = cells["word"]
        empty = {"attribute": attribute, "pattern": pattern, "word": word or pattern == DELETED}
        self.faults += [empty_cell(line, name) for name, cell in empty.items() if not cell]
        price = self._price(line, cells)
        if not all(empty.values()):
            return
        if pattern == DELETED:
            self.patterns.setdefault(attribute, {})
            self.faults += [worthy_delete(line, attribute)] if price else []
            return
        self._map(line, attribute, pattern, cells["value"], word or "")
        intent = self._intent(line, cells.get("intent"))
        self._set_price(line, attribute, word or "", intent, price)
        self._date(line, cells.get("date"))

    def prices(self) -> dict[str, dict[str, Decimal | None]]:
        """The price of every word: the sum of what is bid for its intents."""
        return {
            attribute: {word: _sum(parts) for word, parts in words.items()}
            for attribute, words in self._parts.items()
        }

    def intents(self) -> dict[str, dict[str, dict[str, Decimal | None]]]:
        """What is bid for every intent; nothing if no line tells one."""
        every = {one for words in self._parts.values() for parts in words.values() for one in parts}
        return self._parts if every & {*INTENTS} else {}

    def _intent(self, line: int, cell: str | None) -> str:
        intent = (cell or "").strip().lower()
        if intent and intent not in INTENTS:
            self.faults.append(bad_intent(line, intent))
        return intent

    def _date(self, line: int, cell: str | None) -> None:
        when = date_in(cell or "")
        if when is not None:
            self.dates.add(when)
        elif cell:
            self.faults.append(bad_date(line, cell))

    def _price(self, line: int, cells: _Line) -> Decimal | None:
        try:
            amount = read_amount(cells.get("price"))
        except AmountError as wrong:
            cell = cells.get("price") or ""
            self.faults.append(bad_price(line, cells["word"] or "", cell, wrong.reason))
            return None
        for currency in (cells.get("currency"), amount.currency):
            self.faults += self.currencies.meet(line, currency)
        return amount.price

    def _map(self, line: int, attribute: str, pattern: str, value: str | None, word: str) -> None:
        words = self.patterns.setdefault(attribute, {}).setdefault(pattern, {})
        key = None if value is None else plain_text(value)
        if words.setdefault(key, word) != word:
            self.faults.append(two_words(line, pattern, value, words[key], word))

    def _set_price(
        self, line: int, attribute: str, word: str, intent: str, price: Decimal | None
    ) -> None:
        parts = self._parts.setdefault(attribute, {}).setdefault(word, {})
        known = parts.get(intent)
        if known is None:
            parts[intent] = price
        elif price is not None and price != known:
            self.faults.append(two_prices(line, word, known, price))


def _sum(parts: Mapping[str, Decimal | None]) -> Decimal | None:
    known = [price for price in parts.values() if price is not None]
    return sum(known, Decimal()) if known else None


def _read(path: AnyPath, sep: str | None, encoding: str) -> CsvRows:
    form = format_of(path, TEXT_FILES)
    data = to_utf8(load_bytes(path, form), encoding, where=path)
    return parse_csv(data, sep=sep, where=path)


def _columns(path: AnyPath, header: list[str]) -> dict[str, str]:
    """Our names of the columns that are there, and theirs."""
    folded = {name.strip().lower(): name for name in header}
    found = {
        ours: folded[theirs]
        for ours, accepted in _NAMES.items()
        for theirs in accepted
        if theirs in folded
    }
    missing = [name for name in _NEEDED if name not in found]
    if missing:
        raise input_error(
            path,
            f"the column(s) {', '.join(missing)} are missing; "
            "a price list has attribute,pattern,value,word,price",
            f"列 {', '.join(missing)} がありません。"
            "価格表の列は attribute,pattern,value,word,price です",
        )
    return found
