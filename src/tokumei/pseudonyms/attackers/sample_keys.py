"""The contest's sample attacks: rows with exactly the same key match; the last row wins.

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

from tokumei.core.generalized_cells import positions_in
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.challenge import ChallengeAttacker, PeriodChallenge
from tokumei.pseudonyms.data.pseudonym_table import NO_PSEUDONYM, PeriodGuess


class KeyPart(NamedTuple):
    """A part of a key: its short and full name, its column, and the expression of its cells."""

    short: str
    words: Message
    column: str
    cell: pl.Expr


PREFIX_TITLE = Message("first two characters of the item", "商品の先頭 2 文字")
KEY_PARTS = {
    "day": KeyPart("day", Message("day", "日"), "day", pl.col("day")),
    "month": KeyPart(
        "month", Message("month", "月"), "day", pl.col("day").str.extract("^(.*)/[^/]*$")
    ),
    "item": KeyPart("item", Message("item", "商品"), "item", pl.col("item")),
    "item2": KeyPart("item prefix", PREFIX_TITLE, "item", pl.col("item").str.slice(0, 2)),
    "price": KeyPart("price", Message("price", "単価"), "price", pl.col("price")),
    "quantity": KeyPart("quantity", Message("quantity", "数量"), "quantity", pl.col("quantity")),
}


@dataclass(frozen=True)
class ExactKeyAttack(ChallengeAttacker):
    """An attack by one exact key, which the classes below name."""

    name: ClassVar[str]
    title: ClassVar[Message]
    sentence: ClassVar[Message]
    key: ClassVar[tuple[str, ...]]

    def __init_subclass__(
        cls, key: str, name: str = "", title: Message | None = None, same: Message | None = None
    ) -> None:
        super().__init_subclass__()
        cls.name, cls.key = name or cls.__name__, tuple(key.split())
        parts = [KEY_PARTS[part] for part in cls.key]
        cls.needs = tuple(c for c in KEY_PARTS if c in {part.column for part in parts})
        ja = ("・" if len(parts) > 2 else "と").join(part.words.ja for part in parts)
        described = same or Message(_join_words([part.words.en for part in parts]), ja)
        cls.title = title or Message(f"Same {_join_words([p.short for p in parts])}", f"{ja}が同じ")
        cls.sentence = Message(
            f"Takes rows with the same {described.en} for the same person; the last such row "
            f"counts.",
            f"{described.ja}が同じ行を同じ人のものとみなします。該当する最後の行で決めます。",
        )

    def answer(self, challenge: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """The pseudonym of the last public row with the key of the last known row that has one."""
        public, known = challenge.public, challenge.known
        parts = [KEY_PARTS[part].cell.alias(part) for part in self.key]
        owners = public.cells.select(*parts, pl.Series("pseudonym", public.person))
        owners = owners.filter(pl.col("pseudonym") >= 0).unique(self.key, keep="last")
        pseudonyms = known.cells.select(parts).join(
            owners, on=self.key, how="left", maintain_order="left"
        )["pseudonym"]
        customer, period = (
            positions_in(known.cells["customer"], challenge.customers),
            challenge.months.of(known.days),
        )
        is_usable = pseudonyms.is_not_null().to_numpy() & (customer >= 0) & (period >= 0)
        codes = np.full(
            (len(challenge.customers), challenge.months.count), NO_PSEUDONYM, dtype=np.int64
        )
        # NumPy assigns in order where a place is repeated: the last row wins.
        codes[customer[is_usable], period[is_usable]] = pseudonyms.fill_null(
            NO_PSEUDONYM
        ).to_numpy()[is_usable]
        return challenge.guess(codes)


def _join_words(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


class SameDay(ExactKeyAttack, key="day", name="day", title=Message("Same day", "同じ日")):
    """The paper's first."""


class SameItem(ExactKeyAttack, key="item", name="item", title=Message("Same item", "同じ商品")):
    """The paper's second."""


class SameItemMonth(
    ExactKeyAttack,
    key="item month",
    name="item-month",
    title=Message("Same item in the same month", "同じ月の同じ商品"),
    same=Message("item in the same month", "月と商品"),
):
    """The paper's third."""


class S1(ExactKeyAttack, key="day quantity"):
    """The judge's first."""


class S2(ExactKeyAttack, key="item2 price"):
    """The judge's second."""


class S3(ExactKeyAttack, key="item2 quantity"):
    """The judge's third."""


class S4(ExactKeyAttack, key="day item2"):
    """The judge's fourth."""


class S5(ExactKeyAttack, key="item2 price quantity"):
    """The judge's fifth."""


class S6(ExactKeyAttack, key="item2 day quantity"):
    """The judge's sixth."""
