"""The first tables of paper 000 on another purchase history: its rows through rank-match."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partialmethod

import numpy as np
import polars as pl

from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.own.study import MadeTable, OwnStudy
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch, rank_customers
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.guess import threshold
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.flow import anonymize
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.services.read import read_history
from tokumei.histories.services.requests import HistorySource

HISTORY_SETTINGS: Mapping[str, object] = {
    "format": "table",
    "columns": "",
    "cleaning": None,
    "customers": 0,
    "seed": 1,
}
"""How a history is read, and how many of its customers are drawn (0: all)."""
FEW_ROWS = 6


def read_own_history(study: OwnStudy, *, draw: bool = True) -> History:
    """The purchases in the file, of all customers or of as many as were asked for."""
    settings = study.settings
    options = {"columns": settings.pairs("columns"), "cleaning": settings.value("cleaning")}
    given = {name: value for name, value in options.items() if value}
    layout = history_layout(settings.text("format"), given, dashes="--set ")
    history = read_history(HistorySource(data=study.path, layout=layout)).history
    wanted = settings.integer("customers")
    if not draw or not 0 < wanted < len(history.customers):
        return history
    rng = Randomness(settings.integer("seed")).child("customers").generator
    drawn = rng.choice(len(history.customers), wanted, replace=False)
    return history.take(np.flatnonzero(np.isin(history.customer_codes, drawn)))


@dataclass(frozen=True, eq=False)
class OwnHistoryExamples(OwnStudy):
    """The data and Tables 1 to 8, 11 and 12."""

    @property
    @abstractmethod
    def categories(self) -> Categories:
        """Categories for items."""

    @cached_property
    def history(self) -> History:
        """The purchases."""
        return read_own_history(self)

    @cached_property
    def ranked(self) -> np.ndarray:
        """Customers from the most rows to the fewest."""
        return rank_customers(self.history.counts)

    @cached_property
    def rank_match(self) -> RankMatch:
        """The paper's method, as the examples show it."""
        ascending = bool(self.settings.value("ascending"))
        return RankMatch(self.settings.integer("cluster_k"), ascending=ascending)

    def data(self) -> MadeTable:
        """How large the history is."""
        frame, unit = self.history.frame, 10.0**self.history.decimals
        days, quantity = frame["day"].sort(), frame["quantity"]
        figures = {
            "rows": frame.height,
            "attributes": len(COLUMNS),
            "items": len(self.history.item_names),
            "price_min": np.min(self.history.numbers("price")) / unit,
            "price_max": np.max(self.history.numbers("price")) / unit,
            "quantity_min": quantity.min(),
            "quantity_max": quantity.max(),
            "first_day": days[0],
            "last_day": days[-1],
            "customers": len(self.history.customers),
        }
        printed = self.book.blocks["data"].column("name")
        return MadeTable(
            [[describe_heading(name), figures[name]] for name in printed if name in figures]
        )

    def table1(self) -> MadeTable:
        """The paper's small numbers, then half of the people and all of them."""
        people = len(self.history.customers)
        tried = [n for n in (7, 11, 13, 16, 19) if n < people // 2] + [people // 2, people]
        return MadeTable([[number, threshold(number)] for number in tried if number])

    def table2(self) -> MadeTable:
        """The columns, what the file calls them, and how a cell looks."""
        cells = dict(zip(COLUMNS, self._show_rows(self.history, [0])[0], strict=True))
        rows = [
            [column, self.history.names.get(column, column), cell] for column, cell in cells.items()
        ]
        return MadeTable(rows, [COLUMN, IN_THE_FILE, FIRST_CELL])

    def table3(self) -> MadeTable:
        """Rows from the whole file."""
        count = min(FEW_ROWS, self.history.rows)
        places = np.linspace(0, self.history.rows - 1, count).astype(int)
        return MadeTable(self._show_rows(self.history, places))

    def _show_rows(
        self, history: History, places: Sequence[int] | np.ndarray
    ) -> list[list[object]]:
        """Customer, day, item, price, quantity of some rows."""
        unit = 10.0**history.decimals
        rows = history.frame.select("customer", "day", "item", "price", "quantity")[places]
        return [
            [customer, str(day), item, price / unit, quantity]
            for customer, day, item, price, quantity in rows.iter_rows()
        ]

    def table4(self) -> MadeTable:
        """The first and last customers with their clusters."""
        k, people = self.rank_match.k, len(self.ranked)
        kept = people // k * k
        places = sorted({*range(min(FEW_ROWS, people)), *range(max(0, people - 3), people)})
        rows = [
            [
                self.history.customers[int(self.ranked[place])],
                int(self.history.counts[self.ranked[place]]),
                place // k + 1 if place < kept else DELETED,
            ]
            for place in places
        ]
        note = Message(
            "k = {k}: {kept:,} of {people:,} customers are used.", k=k, kept=kept, people=people
        )
        return MadeTable(rows, note=note, title=Message("Rows per customer and cluster number"))

    @cached_property
    def sorted_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows by customer, price and quantity; where each customer starts."""
        return self.rank_match.prepare(self.history)

    def table5(self) -> MadeTable:
        """The first customer's rows in the order in which they are matched."""
        rows, start = self.sorted_rows
        own = rows[start[0] : start[1]]
        shown = own if len(own) < FEW_ROWS else np.concatenate([own[:3], own[-2:]])
        return MadeTable([[row[0], *row[2:], 1] for row in self._show_rows(self.history, shown)])

    @cached_property
    def example(self) -> pl.DataFrame:
        """The release with small clusters, row by row as the history."""
        text: pl.DataFrame = self.rank_match.anonymize(
            self.history, rng=Randomness(self.settings.integer("seed"))
        ).aligned_text()
        return text

    def table6(self) -> MadeTable:
        """A deleted row, and how many there are."""
        deleted = self.example.filter(pl.col("customer") == "*")
        rows = [[row[0], *row[2:]] for row in deleted.head(1).iter_rows()]
        note = Message(
            "{deleted:,} of {rows:,} rows are deleted.",
            deleted=deleted.height,
            rows=self.example.height,
        )
        return MadeTable(rows, note=note)

    @property
    def first_rows(self) -> np.ndarray:
        """The first row of every customer of the first cluster."""
        rows, start = self.sorted_rows
        return np.asarray(rows[start[: self.rank_match.k]])

    def _before(self, *, categories: bool) -> MadeTable:
        """Those rows before; with the items' categories."""
        history = self.history.with_items(self.categories.of) if categories else self.history
        rows = [[*row, 1] for row in self._show_rows(history, self.first_rows)]
        title = None if categories else Message("First row of each customer of a cluster, before")
        return MadeTable(rows, title=title)

    def _after(self, *, categories: bool) -> MadeTable:
        """Those rows generalized."""
        history = self.history.with_items(self.categories.of) if categories else self.history
        release = anonymize(history.take(self.first_rows), self.rank_match, seed=1)
        return MadeTable(
            [
                [customer, *row[1:], 1]
                for customer, row in zip(
                    history.frame["customer"][self.first_rows],
                    release.aligned_text().iter_rows(),
                    strict=True,
                )
            ],
            title=None if categories else Message("The same rows, generalized"),
        )

    table7 = partialmethod(_before, categories=False)
    table8 = partialmethod(_after, categories=False)
    table11 = partialmethod(_before, categories=True)
    table12 = partialmethod(_after, categories=True)


DELETED = Message("deleted")
COLUMN = Message("column", context="heading of a paper")
IN_THE_FILE = Message("in the file")
FIRST_CELL = Message("first cell")
