"""A price list: the word of each value in each pattern, and the price of each word.

    prices = PriceList.read("prices.csv")                     # attribute,pattern,value,word,price
    prices = prices.with_prices(read_keyword_prices("export.csv"))  # or a function: word → price
    prices.unpriced                                           # [("職業", "農業"), …]

Prices are exact decimals. One list has one currency; its date and the hash of its file go into
every release that was chosen by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from tokumei.apps.price.amounts import AmountError, PriceOrigin, to_exact_price
from tokumei.apps.price.keyword_prices import KeywordPrices
from tokumei.apps.price.price_list_violations import invalid_price, missing_original
from tokumei.core.errors import InputError
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath, input_error

ORIGINAL_PATTERN, DELETE_PATTERN = "original", "delete"
WILL_INTENT, BE_INTENT = "will", "be"
INTENTS = (WILL_INTENT, BE_INTENT)
"""What a word is looked for: by people who want to become it, or who are it."""
WordByValue = Mapping[str | None, str]
"""A word for every value (canonical text; None: an empty cell)."""
PriceFunction = Callable[[str], object]
"""A user's own source: the price of a word, None if it has none."""


@dataclass(frozen=True, eq=False)
class PriceList:
    """Patterns by attribute and name, prices by attribute and word.

    `intents`, where the list tells any: by attribute and word the part of its price that is bid
    for each intent ("" for none); the price is their sum.
    """

    patterns: Mapping[str, Mapping[str, WordByValue]]
    prices: Mapping[str, Mapping[str, Decimal | None]]
    origins: tuple[PriceOrigin, ...] = ()
    intents: Mapping[str, Mapping[str, Mapping[str, Decimal | None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        missing = [
            name
            for name, attribute_patterns in self.patterns.items()
            if ORIGINAL_PATTERN not in attribute_patterns
        ]
        if missing:
            reason = Message("every attribute needs the pattern 'original'")
            faults = [missing_original(name) for name in missing]
            if self.origins:
                raise input_error(self.origins[0].source, reason, faults=faults)
            raise InputError(reason, faults=faults)

    @classmethod
    def read(
        cls,
        path: AnyPath,
        *,
        currency: str | None = None,
        date: str | None = None,
        sep: str | None = None,
        encoding: str = "auto",
    ) -> PriceList:
        """From CSV `attribute,pattern,value,word,price` (also `currency`, `date`)."""
        from tokumei.apps.price.price_files import read_price_list

        return read_price_list(path, currency=currency, date=date, sep=sep, encoding=encoding)

    @property
    def currency(self) -> str:
        """The currency of all prices."""
        return self.origins[0].currency if self.origins else "JPY"

    @property
    def date(self) -> str | None:
        """The day of the prices; of several sources the latest."""
        return max(
            (origin.date for origin in self.origins if origin.date is not None), default=None
        )

    @property
    def unpriced(self) -> list[tuple[str, str]]:
        """Attributes and words without a price; they count as worth nothing."""
        return [
            (attribute, word)
            for attribute, words in self.prices.items()
            for word, price in words.items()
            if price is None
        ]

    def with_prices(
        self, source: KeywordPrices | PriceFunction, *, synonyms: Mapping[str, str] | None = None
    ) -> PriceList:
        """The same patterns with prices of a source; words it lacks keep those they have.

        `synonyms` says under which keyword a word is looked up.
        """
        origin = (
            source.origin if isinstance(source, KeywordPrices) else self._function_origin(source)
        )
        self._require_currency(origin)
        price_of = source.price if isinstance(source, KeywordPrices) else source
        keyword_by_word = synonyms or {}
        prices = {
            attribute: {
                word: _look_up_price(price_of, keyword_by_word.get(word, word), old_price)
                for word, old_price in words.items()
            }
            for attribute, words in self.prices.items()
        }
        self._require_no_intents(origin)
        return replace(self, prices=prices, origins=(origin, *self.origins))

    def known_intents(self) -> list[str]:
        """The intents of the list in a fixed order, "" last for prices without one."""
        known_intents = {
            intent
            for words in self.intents.values()
            for parts in words.values()
            for intent in parts
        }
        return [intent for intent in (*INTENTS, "") if intent in known_intents]

    def under(self, intent: str) -> PriceList:
        """The same patterns with what is bid for one intent only; other words are worth nothing."""
        prices = {
            attribute: {word: parts.get(intent, Decimal()) for word, parts in words.items()}
            for attribute, words in self.intents.items()
        }
        return replace(self, prices=prices, intents={})

    def record(self) -> list[dict[str, object]]:
        """The price list's entry in a release's manifest."""
        return [origin.as_json() for origin in self.origins]

    def _function_origin(self, source: PriceFunction) -> PriceOrigin:
        name = getattr(source, "__name__", type(source).__name__)
        return PriceOrigin(f"function {name}", None, None, self.currency)

    def _require_no_intents(self, origin: PriceOrigin) -> None:
        if self.intents:
            raise InputError(
                "the price list distinguishes intents (will, be), {source} does not: one price "
                "of a word cannot be split between them",
                source=origin.source,
            )

    def _require_currency(self, origin: PriceOrigin) -> None:
        priced = any(
            price is not None for words in self.prices.values() for price in words.values()
        )
        if priced and self.origins and origin.currency != self.currency:
            raise InputError(
                "{source} has prices in {currency}, {first_source} in {first_currency}: one "
                "currency is needed",
                source=origin.source,
                currency=origin.currency,
                first_source=self.origins[0].source,
                first_currency=self.currency,
            )


def _look_up_price(price_of: PriceFunction, word: str, old_price: Decimal | None) -> Decimal | None:
    given_price = price_of(word)
    try:
        exact_price = to_exact_price(given_price)
    except AmountError as amount_error:
        fault = invalid_price(None, word, str(given_price), amount_error.reason)
        raise InputError(
            "the price of '{word}' is {price}: {reason}",
            faults=[fault],
            word=word,
            price=str(given_price),
            reason=amount_error.reason,
        ) from None
    return old_price if exact_price is None else exact_price
