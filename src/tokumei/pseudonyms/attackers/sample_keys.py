"""The sample attacks: rows with exactly the same key belong together, the last row wins.

    S6().attack(public, known, customers=customers, months=months, rng=rng)

From the public rows a table key → pseudonym is made, later rows replacing earlier ones. Every
known row with a key in it names the pseudonym of its customer in its month, again the last row
wins; whatever is never named is DEL. Cells are compared as text, so the order of the public rows
matters and `publish` sorts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.cells import codes_in
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.pseudonyms.attackers.sides import ChallengeAttacker, PeriodChallenge
from tokumei.pseudonyms.data.pseudonym_table import NONE, PeriodGuess


class Part(NamedTuple):
    """What keys are made of: how it is told, in short and in full, and where it stands."""

    short: str
    words: Text
    column: str
    cell: pl.Expr


PREFIX = Text("first two characters of the item", "商品の先頭 2 文字")
PARTS = {
    "day": Part("day", Text("day", "日"), "day", pl.col("day")),
    "month": Part("month", Text("month", "月"), "day", pl.col("day").str.extract("^(.*)/[^/]*$")),
    "item": Part("item", Text("item", "商品"), "item", pl.col("item")),
    "item2": Part("item prefix", PREFIX, "item", pl.col("item").str.slice(0, 2)),
    "price": Part("price", Text("price", "単価"), "price", pl.col("price")),
    "quantity": Part("quantity", Text("quantity", "数量"), "quantity", pl.col("quantity")),
}


@dataclass(frozen=True)
class SampleKey(ChallengeAttacker):
    """An attack by one exact key, which the classes below name."""

    name: ClassVar[str]
    title: ClassVar[Text]
    sentence: ClassVar[Text]
    key: ClassVar[tuple[str, ...]]

    def __init_subclass__(
        cls, key: str, name: str = "", title: Text | None = None, same: Text | None = None
    ) -> None:
        super().__init_subclass__()
        cls.name, cls.key = name or cls.__name__, tuple(key.split())
        parts = [PARTS[part] for part in cls.key]
        cls.needs = tuple(c for c in PARTS if c in {part.column for part in parts})
        ja = ("・" if len(parts) > 2 else "と").join(part.words.ja for part in parts)
        told = same or Text(_listed([part.words.en for part in parts]), ja)
        cls.title = title or Text(f"Same {_listed([p.short for p in parts])}", f"{ja}が同じ")
        cls.sentence = Text(
            f"Takes rows with the same {told.en} for the same person; the last such row counts.",
            f"{told.ja}が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
        )

    def answer(self, seen: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """The pseudonym of the last public row with the key of the last known row that has one."""
        public, known = seen.public, seen.known
        parts = [PARTS[part].cell.alias(part) for part in self.key]
        owners = public.cells.select(*parts, pl.Series("pseudonym", public.person))
        owners = owners.filter(pl.col("pseudonym") >= 0).unique(self.key, keep="last")
        named = known.cells.select(parts).join(
            owners, on=self.key, how="left", maintain_order="left"
        )["pseudonym"]
        who, period = codes_in(known.cells["customer"], seen.customers), seen.months.of(known.days)
        use = named.is_not_null().to_numpy() & (who >= 0) & (period >= 0)
        codes = np.full((len(seen.customers), seen.months.count), NONE, dtype=np.int64)
        # NumPy assigns in order where a place is repeated: the last row wins.
        codes[who[use], period[use]] = named.fill_null(NONE).to_numpy()[use]
        return seen.guess(codes)


def _listed(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


class Day(SampleKey, key="day", name="day", title=Text("Same day", "同じ日")):
    """The paper's first."""


class Item(SampleKey, key="item", name="item", title=Text("Same item", "同じ商品")):
    """The paper's second."""


class ItemMonth(
    SampleKey,
    key="item month",
    name="item-month",
    title=Text("Same item in the same month", "同じ月の同じ商品"),
    same=Text("item in the same month", "月と商品"),
):
    """The paper's third."""


class S1(SampleKey, key="day quantity"):
    """The judge's first."""


class S2(SampleKey, key="item2 price"):
    """The judge's second."""


class S3(SampleKey, key="item2 quantity"):
    """The judge's third."""


class S4(SampleKey, key="day item2"):
    """The judge's fourth."""


class S5(SampleKey, key="item2 price quantity"):
    """The judge's fifth."""


class S6(SampleKey, key="item2 day quantity"):
    """The judge's sixth."""
