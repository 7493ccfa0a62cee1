"""The sample attacks: rows with exactly the same key belong together, the last row wins.

    S6().attack(public, known, customers=customers, months=months, rng=rng)

From the public rows a table key → pseudonym is made, later rows replacing earlier ones. Every
known row with a key in it names the pseudonym of its customer in its month, again the last row
wins; whatever is never named is DEL. Cells are compared as text, so the order of the public rows
matters and `publish` sorts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.cells import codes_in
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.pseudonyms.attackers.protocol import PeriodAttacker
from tokumei.pseudonyms.data.guess import PeriodGuess
from tokumei.pseudonyms.data.months import Months
from tokumei.pseudonyms.data.pseudonym_table import NONE, PseudonymTable
from tokumei.pseudonyms.data.rows import PeriodRows

PARTS: Mapping[str, pl.Expr] = {
    "day": pl.col("day"),
    "month": pl.col("day").str.extract(r"^(.*)/[^/]*$"),
    "item": pl.col("item"),
    "item2": pl.col("item").str.slice(0, 2),
    "price": pl.col("price"),
    "quantity": pl.col("quantity"),
}
"""What keys are made of; item2 is the first two characters of the item."""


@dataclass(frozen=True)
class SampleKey(PeriodAttacker):
    """An attack by one exact key, which the classes below name."""

    key: ClassVar[tuple[str, ...]]

    def attack(
        self,
        public: PeriodRows,
        known: PeriodRows,
        *,
        customers: pl.Series,
        months: Months,
        rng: Randomness,
    ) -> PeriodGuess:
        """The pseudonym of the last public row with the key of the last known row that has one."""
        parts = [PARTS[part].alias(part) for part in self.key]
        owners = public.cells.select(*parts, pl.Series("pseudonym", public.person))
        owners = owners.filter(pl.col("pseudonym") >= 0).unique(self.key, keep="last")
        named = known.cells.select(parts).join(
            owners, on=self.key, how="left", maintain_order="left"
        )["pseudonym"]
        who, period = codes_in(known.cells["customer"], customers), months.of(known.days)
        use = named.is_not_null().to_numpy() & (who >= 0) & (period >= 0)
        codes = np.full((len(customers), months.count), NONE, dtype=np.int64)
        # NumPy assigns in order where a place is repeated: the last row wins.
        codes[who[use], period[use]] = named.fill_null(NONE).to_numpy()[use]
        table = PseudonymTable(customers, public.people.alias("pseudonym"), codes)
        return PeriodGuess.certain(table)


class Day(SampleKey):
    """The paper's first."""

    name: ClassVar[str] = "day"
    title: ClassVar[Text] = Text("Same day", "同じ日")
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same day for the same person; the last such row counts.",
        "日が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day",)
    key = ("day",)


class Item(SampleKey):
    """The paper's second."""

    name: ClassVar[str] = "item"
    title: ClassVar[Text] = Text("Same item", "同じ商品")
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same item for the same person; the last such row counts.",
        "商品が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("item",)
    key = ("item",)


class ItemMonth(SampleKey):
    """The paper's third."""

    name: ClassVar[str] = "item-month"
    title: ClassVar[Text] = Text("Same item in the same month", "同じ月の同じ商品")
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same item in the same month for the same person; the last such row "
        "counts.",
        "月と商品が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item")
    key = ("item", "month")


class S1(SampleKey):
    """The judge's first."""

    name: ClassVar[str] = "S1"
    title: ClassVar[Text] = Text("Same day and quantity", "日と数量が同じ")
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same day and quantity for the same person; the last such row counts.",
        "日と数量が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "quantity")
    key = ("day", "quantity")


class S2(SampleKey):
    """The judge's second."""

    name: ClassVar[str] = "S2"
    title: ClassVar[Text] = Text("Same item prefix and price", "商品の先頭 2 文字と単価が同じ")
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same first two characters of the item and price for the same "
        "person; the last such row counts.",
        "商品の先頭 2 文字と単価が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("item", "price")
    key = ("item2", "price")


class S3(SampleKey):
    """The judge's third."""

    name: ClassVar[str] = "S3"
    title: ClassVar[Text] = Text("Same item prefix and quantity", "商品の先頭 2 文字と数量が同じ")
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same first two characters of the item and quantity for the same "
        "person; the last such row counts.",
        "商品の先頭 2 文字と数量が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("item", "quantity")
    key = ("item2", "quantity")


class S4(SampleKey):
    """The judge's fourth."""

    name: ClassVar[str] = "S4"
    title: ClassVar[Text] = Text("Same day and item prefix", "日と商品の先頭 2 文字が同じ")
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same day and first two characters of the item for the same person; "
        "the last such row counts.",
        "日と商品の先頭 2 文字が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item")
    key = ("day", "item2")


class S5(SampleKey):
    """The judge's fifth."""

    name: ClassVar[str] = "S5"
    title: ClassVar[Text] = Text(
        "Same item prefix, price and quantity", "商品の先頭 2 文字・単価・数量が同じ"
    )
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same first two characters of the item, price and quantity for the "
        "same person; the last such row counts.",
        "商品の先頭 2 文字・単価・数量が同じ行を同じ人のものとみなします。該当する最後の行で決め"
        "ます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("item", "price", "quantity")
    key = ("item2", "price", "quantity")


class S6(SampleKey):
    """The judge's sixth."""

    name: ClassVar[str] = "S6"
    title: ClassVar[Text] = Text(
        "Same item prefix, day and quantity", "商品の先頭 2 文字・日・数量が同じ"
    )
    sentence: ClassVar[Text] = Text(
        "Takes rows with the same first two characters of the item, day and quantity for the "
        "same person; the last such row counts.",
        "商品の先頭 2 文字・日・数量が同じ行を同じ人のものとみなします。該当する最後の行で決めま"
        "す。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "quantity")
    key = ("item2", "day", "quantity")


SAMPLES: tuple[type[SampleKey], ...] = (Day, Item, ItemMonth, S1, S2, S3, S4, S5, S6)
"""The paper's three and the judge's six."""
