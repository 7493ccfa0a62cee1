"""The worked examples of paper 000: a few rows through its method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partialmethod

import polars as pl

from tokumei.apps.papers.comparison import ComputedBlock, FormCheck
from tokumei.apps.papers.published_values import PaperCell
from tokumei.apps.papers.reproduction import PaperReproduction
from tokumei.core.messages import Message
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.history import History
from tokumei.histories.flow import anonymize


class HistoryExamples(PaperReproduction):
    """Tables 5 to 8, 11 and 12, which need no data."""

    def table5(self) -> ComputedBlock:
        """The example is made up; its rows must stand in the order in which the method matches."""
        printed = self.published_block("table5")
        prices, quantities = printed.column("Price"), printed.column("Quantity")
        count = len(prices)
        history = _history_of(
            [1] * count, ["2011/8/5"] * count, printed.column("GoodsID"), prices, quantities
        )
        order, _ = RankMatch().prepare(history)
        in_order = FormCheck(
            Message("the rows stand in the order of rank-match: price, then quantity, falling"),
            list(range(count)),
            [list(map(int, order))],
        )
        ascending = Message("The text says ascending; Table 9 comes from falling order alone.")
        return ComputedBlock(forms=[in_order], why=EXAMPLE_NOTE, note=ascending)

    def table6(self) -> ComputedBlock:
        """A row that the method drops."""
        days = ["2011/8/5", "2011/8/6", "2011/8/7"]
        released_text = self._release_example(
            [1, 1, 2], days, ["a", "b", "c"], [3, 2, 1], [1, 1, 1], k=2
        )
        (dropped_row,) = (row for row in released_text.iter_rows() if row[0] == "*")
        customer, _, item, price, quantity = dropped_row
        return ComputedBlock([[customer, item, price, quantity]])

    def _input_example_block(self) -> ComputedBlock:
        """An example before: what the next table is made of."""
        return ComputedBlock(why=EXAMPLE_NOTE)

    table7 = table11 = _input_example_block

    def _generalized_block(self, name: str, source_block: str, item: str) -> ComputedBlock:
        """Three rows of three customers made alike, written as the paper writes them."""
        printed = self.published_block(source_block)
        days = [f"2011/{day}" for day in printed.column("Day")]
        customers, prices = printed.column("CustomerID"), printed.column("Price")
        released_text = self._release_example(
            customers, days, printed.column(item), prices, printed.column("Quantity"), k=3
        )
        order = self.published_block(name).column(item)
        rows = [
            [
                None,
                row["day"].replace("2011/", ""),
                _reorder_like_printed(row["item"], order[0]),
                row["price"],
                row["quantity"],
                None,
            ]
            for row in released_text.iter_rows(named=True)
        ]
        return ComputedBlock(rows)

    table8 = partialmethod(_generalized_block, "table8", "table7", "GoodsID")
    table12 = partialmethod(_generalized_block, "table12", "table11", "Category")

    def _release_example(
        self,
        customers: Sequence[PaperCell],
        days: Sequence[str],
        items: Sequence[str],
        prices: Sequence[float],
        quantities: Sequence[int],
        *,
        k: int,
    ) -> pl.DataFrame:
        history = _history_of(customers, days, items, prices, quantities)
        release = anonymize(history, self.recipe["method"], k=k, seed=1)
        text: pl.DataFrame = release.aligned_text()
        return text


EXAMPLE_NOTE = Message("A made-up example: what the paper puts in, not what comes out.")


def _history_of(
    customers: Sequence[PaperCell],
    days: Sequence[str],
    items: Sequence[str],
    prices: Sequence[float],
    quantities: Sequence[int],
) -> History:
    frame = pl.DataFrame(
        {
            "customer": [str(element) for element in customers],
            "day": days,
            "item": [str(element) for element in items],
            "price": [float(element) for element in prices],
            "quantity": list(quantities),
        }
    ).with_columns(pl.col("day").str.to_date("%Y/%m/%d"))
    return History.of(frame)


def _reorder_like_printed(cell: str, printed: str) -> str:
    """A set of items in the paper's order, if it is the same set."""
    cell_items, printed_items = (set(text.strip("{}").split(";")) for text in (cell, printed))
    return printed if cell_items == printed_items else cell
