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
    """A part of a key: its column, and the expression of its cells."""

    column: str
    cell: pl.Expr


KEY_PARTS = {
    "day": KeyPart("day", pl.col("day")),
    "month": KeyPart("day", pl.col("day").str.extract("^(.*)/[^/]*$")),
    "item": KeyPart("item", pl.col("item")),
    "item2": KeyPart("item", pl.col("item").str.slice(0, 2)),
    "price": KeyPart("price", pl.col("price")),
    "quantity": KeyPart("quantity", pl.col("quantity")),
}


@dataclass(frozen=True)
class ExactKeyAttack(ChallengeAttacker):
    """An attack by one exact key, which the classes below name."""

    name: ClassVar[str]
    title: ClassVar[Message]
    sentence: ClassVar[Message]
    key: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, key: str, name: str = "") -> None:
        super().__init_subclass__()
        cls.name, cls.key = name or cls.__name__, tuple(key.split())
        columns = {KEY_PARTS[part].column for part in cls.key}
        cls.needs = tuple(column for column in KEY_PARTS if column in columns)

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


class SameDay(ExactKeyAttack, key="day", name="day"):
    """The paper's first."""

    title: ClassVar[Message] = Message("Same day")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same day for the same person; the last such row counts."
    )


class SameItem(ExactKeyAttack, key="item", name="item"):
    """The paper's second."""

    title: ClassVar[Message] = Message("Same item")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same item for the same person; the last such row counts."
    )


class SameItemMonth(ExactKeyAttack, key="item month", name="item-month"):
    """The paper's third."""

    title: ClassVar[Message] = Message("Same item in the same month")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same item in the same month for the same person; the last such row "
        "counts."
    )


class S1(ExactKeyAttack, key="day quantity"):
    """The judge's first."""

    title: ClassVar[Message] = Message("Same day and quantity")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same day and quantity for the same person; the last such row counts."
    )


class S2(ExactKeyAttack, key="item2 price"):
    """The judge's second."""

    title: ClassVar[Message] = Message("Same item prefix and price")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same first two characters of the item and price for the same "
        "person; the last such row counts."
    )


class S3(ExactKeyAttack, key="item2 quantity"):
    """The judge's third."""

    title: ClassVar[Message] = Message("Same item prefix and quantity")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same first two characters of the item and quantity for the same "
        "person; the last such row counts."
    )


class S4(ExactKeyAttack, key="day item2"):
    """The judge's fourth."""

    title: ClassVar[Message] = Message("Same day and item prefix")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same day and first two characters of the item for the same person; "
        "the last such row counts."
    )


class S5(ExactKeyAttack, key="item2 price quantity"):
    """The judge's fifth."""

    title: ClassVar[Message] = Message("Same item prefix, price and quantity")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same first two characters of the item, price and quantity for the "
        "same person; the last such row counts."
    )


class S6(ExactKeyAttack, key="item2 day quantity"):
    """The judge's sixth."""

    title: ClassVar[Message] = Message("Same item prefix, day and quantity")
    sentence: ClassVar[Message] = Message(
        "Takes rows with the same first two characters of the item, day and quantity for the "
        "same person; the last such row counts."
    )
