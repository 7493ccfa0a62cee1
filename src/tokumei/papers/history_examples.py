"""The worked examples of paper 000: a few rows through its method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partialmethod
from typing import Any

import polars as pl

from tokumei.core.text import Text
from tokumei.histories.data.history import History
from tokumei.histories.flow import anonymize
from tokumei.papers.case import Case
from tokumei.papers.verdict import Beside, Found


class Examples(Case):
    """Tables 5 to 8, 11 and 12, which need no data."""

    def table5(self) -> Found:
        """The rows of the example in the order of the method: price, then quantity, falling."""
        rows: list[list[Any]] = [list(row) for row in self.printed("table5").rows]
        rows.sort(key=lambda row: (row[2], row[3]), reverse=True)
        return Found(rows)

    def table6(self) -> Found:
        """A row that the method drops."""
        days = ["2011/8/5", "2011/8/6", "2011/8/7"]
        text = self._released([1, 1, 2], days, ["a", "b", "c"], [3, 2, 1], [1, 1, 1], k=2)
        (gone,) = (row for row in text.iter_rows() if row[0] == "*")
        customer, day, item, price, quantity = gone
        return Found([[customer, item, price, quantity]], beside=[Beside(DAY, "*", day)])

    def _before(self) -> Found:
        """An example before: what the next table is made of."""
        return Found(note=EXAMPLE)

    table7 = table11 = _before

    def _generalized(self, name: str, before: str, item: str) -> Found:
        """Three rows of three customers made alike, written as the paper writes them."""
        printed = self.printed(before)
        days = [f"2011/{day}" for day in printed.column("Day")]
        customers, prices = printed.column("CustomerID"), printed.column("Price")
        text = self._released(
            customers, days, printed.column(item), prices, printed.column("Quantity"), k=3
        )
        order = self.printed(name).column(item)
        rows = [
            [
                customer,
                row["day"].replace("2011/", ""),
                _in_order(row["item"], order[0]),
                row["price"],
                row["quantity"],
                1,
            ]
            for customer, row in zip(customers, text.iter_rows(named=True), strict=True)
        ]
        return Found(rows)

    table8 = partialmethod(_generalized, "table8", "table7", "GoodsID")
    table12 = partialmethod(_generalized, "table12", "table11", "Category")

    def _released(
        self,
        customers: Sequence[Any],
        days: Sequence[str],
        items: Sequence[str],
        prices: Sequence[float],
        quantities: Sequence[int],
        *,
        k: int,
    ) -> pl.DataFrame:
        frame = pl.DataFrame(
            {
                "customer": [str(one) for one in customers],
                "day": days,
                "item": [str(one) for one in items],
                "price": [float(one) for one in prices],
                "quantity": list(quantities),
            }
        ).with_columns(pl.col("day").str.to_date("%Y/%m/%d"))
        made = anonymize(History.of(frame), self.recipe["method"], k=k, seed=1)
        text: pl.DataFrame = made.aligned_text()
        return text


DAY = Text("the day of a deleted row", "削除行の日付")
EXAMPLE = Text("The example, before.", "加工前の例です。")


def _in_order(cell: str, printed: str) -> str:
    """A set of items in the paper's order, if it is the same set."""
    mine, theirs = (set(text.strip("{}").split(";")) for text in (cell, printed))
    return printed if mine == theirs else cell
