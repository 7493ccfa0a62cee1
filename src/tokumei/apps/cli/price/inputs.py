"""Options and files that the price commands share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokumei.core.command import Command, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.core.shared_options import encoding_option, sep_option

if TYPE_CHECKING:
    import polars as pl

    from tokumei.apps.price.price_list import PriceList
    from tokumei.apps.price.session import PriceSession

LONG_SEARCH_SECONDS = 5.0
"""Seconds of search that a person is told of beforehand."""


@dataclass(frozen=True, kw_only=True)
class PeopleFileCommand(Command):
    """A table of people, and which of its columns count."""

    data: str = option("the table")
    columns: tuple[str, ...] | None = option("only these attributes: a,b", default=None)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def load_people(self) -> pl.DataFrame:
        """The rows of the table."""
        return read_people(self.data, sep=self.sep, encoding=self.encoding)

    def under(self, prices: PriceList) -> PriceSession:
        """The people under a price list."""
        from tokumei.apps.price.session import PriceSession

        return PriceSession(self.load_people(), prices, columns=self.columns)


@dataclass(frozen=True, kw_only=True)
class PriceFilesCommand(PeopleFileCommand):
    """A table of people with a price list."""

    patterns: str = option("price list: CSV attribute,pattern,value,word,price")
    keywords: str | None = option("keyword planner export whose prices are used", default=None)
    synonyms: str | None = option("CSV word,keyword", default=None)
    currency: str | None = option("currency of the prices, e.g. JPY", default=None)
    date: str | None = option("day of the prices: 2026-11-16", default=None)

    def load_prices(self) -> PriceList:
        """The price list, with the prices of a keyword export if there is one."""
        from tokumei.apps.price.keyword_prices import read_keyword_prices
        from tokumei.apps.price.price_files import read_synonyms

        price_options = {"currency": self.currency, "date": self.date}
        price_list = read_price_list(self.patterns, encoding=self.encoding, **price_options)
        if self.keywords is None:
            if self.synonyms is not None:
                raise UsageError("--synonyms needs --keywords")
            return price_list
        synonym_words = self.synonyms and read_synonyms(self.synonyms, encoding=self.encoding)
        prices = read_keyword_prices(self.keywords, encoding=self.encoding, **price_options)
        return price_list.with_prices(prices, synonyms=synonym_words or None)

    def open_session(self) -> PriceSession:
        """The people under the price list."""
        return self.under(self.load_prices())


suppression_option = partial(option, "share of rows that may be left out", default=0.0)
answer_count_option = partial(option, "how many answers", default=1, least=1)


def read_price_list(
    patterns: str, *, currency: str | None = None, date: str | None = None, encoding: str = "auto"
) -> PriceList:
    """The price list in a file."""
    from tokumei.apps.price.price_list import PriceList

    return PriceList.read(patterns, currency=currency, date=date, encoding=encoding)


def read_people(data: str, *, sep: str | None, encoding: str) -> pl.DataFrame:
    """The rows, text as codes."""
    from tokumei.tables.services.read_table import read_with_notices
    from tokumei.tables.services.requests import TableRequest

    return read_with_notices(
        TableRequest(data=data, qi=(), sa=(), id=(), sep=sep, encoding=encoding)
    ).frame


def unpriced_notes(prices: PriceList, most: int = 10) -> list[Message]:
    """Which words have no price."""
    words = [f"{attribute}: {word}" for attribute, word in prices.unpriced]
    if not words:
        return []
    return [
        Message(
            "{count} word without a price counts as 0: {words}",
            plural="{count:,} words without a price count as 0: {words}",
            count=len(words),
            words=join_messages([*words[:most], *(["…"] if len(words) > most else [])]),
        )
    ]


def announce_search_cost(session: PriceSession, seconds: float | None) -> None:
    """Say at once what a search without a time budget is expected to take, if it is long."""
    from tokumei.apps.cli.console import print_note
    from tokumei.apps.price.summary_tables import expected_cost

    cost = expected_cost(session.problem())
    if seconds is not None or (cost.sure and cost.seconds < LONG_SEARCH_SECONDS):
        return
    estimate = Message(
        "{candidates:,} recodings to choose from, about {seconds:.1g} s and {megabytes:.0f} MB; "
        "--seconds 10 gives the best found by then"
        if cost.sure
        else "{candidates:,} recodings to choose from, about {seconds:.1g} s or much longer and "
        "{megabytes:.0f} MB; --seconds 10 gives the best found by then",
        candidates=cost.candidates,
        seconds=cost.seconds,
        megabytes=cost.bytes / 1e6,
    )
    print_note(estimate)
