"""The worked examples of paper 000: a few rows through its method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partialmethod

import polars as pl

from tokumei.apps.papers.comparison import ComputedBlock, StatedValue
from tokumei.apps.papers.published_values import PaperCell
from tokumei.apps.papers.reproduction import PaperReproduction
from tokumei.core.messages import Message
from tokumei.histories.data.history import History
from tokumei.histories.flow import anonymize


class HistoryExamples(PaperReproduction):
    """Tables 5 to 8, 11 and 12, which need no data."""

    def table5(self) -> ComputedBlock:
        """The rows of the example in the order of the method: price, then quantity, falling."""
        rows: list[list[PaperCell]] = [list(row) for row in self.published_block("table5").rows]
        rows.sort(key=lambda row: (row[2], row[3]), reverse=True)
        return ComputedBlock(rows)

    def table6(self) -> ComputedBlock:
        """A row that the method drops."""
        days = ["2011/8/5", "2011/8/6", "2011/8/7"]
        released_text = self._release_example(
            [1, 1, 2], days, ["a", "b", "c"], [3, 2, 1], [1, 1, 1], k=2
        )
        (dropped_row,) = (row for row in released_text.iter_rows() if row[0] == "*")
        customer, day, item, price, quantity = dropped_row
        return ComputedBlock(
            [[customer, item, price, quantity]], beside=[StatedValue(DELETED_DAY_LABEL, "*", day)]
        )

    def _input_example_block(self) -> ComputedBlock:
        """An example before: what the next table is made of."""
        return ComputedBlock(note=EXAMPLE_NOTE)

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
                customer,
                row["day"].replace("2011/", ""),
                _reorder_like_printed(row["item"], order[0]),
                row["price"],
                row["quantity"],
                1,
            ]
            for customer, row in zip(customers, released_text.iter_rows(named=True), strict=True)
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
        frame = pl.DataFrame(
            {
                "customer": [str(element) for element in customers],
                "day": days,
                "item": [str(element) for element in items],
                "price": [float(element) for element in prices],
                "quantity": list(quantities),
            }
        ).with_columns(pl.col("day").str.to_date("%Y/%m/%d"))
        release = anonymize(History.of(frame), self.recipe["method"], k=k, seed=1)
        text: pl.DataFrame = release.aligned_text()
        return text


DELETED_DAY_LABEL = Message("the day of a deleted row")
EXAMPLE_NOTE = Message("The example, before.")


def _reorder_like_printed(cell: str, printed: str) -> str:
    """A set of items in the paper's order, if it is the same set."""
    cell_items, printed_items = (set(text.strip("{}").split(";")) for text in (cell, printed))
    return printed if cell_items == printed_items else cell
