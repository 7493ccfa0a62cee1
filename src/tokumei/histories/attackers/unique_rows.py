"""Released rows without any generalization that only one known customer has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.histories.attackers.answers import most_votes, not_crowded
from tokumei.histories.attackers.protocol import HistoryAttacker
from tokumei.histories.attackers.released_rows import read_released
from tokumei.histories.data.general import GeneralHistory
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import COLUMNS, NUMBERS, History

_CELLS = COLUMNS[1:]


@dataclass(frozen=True)
class UniqueRows(HistoryAttacker):
    """Plain rows of exactly one known customer vote for that customer; no vote, no answer."""

    name: ClassVar[str] = "unique-rows"
    title: ClassVar[Text] = Text("Unique exact rows", "一意に一致する行")
    sentence: ClassVar[Text] = Text(
        "Counts released rows that exactly one known customer has, and names the one with the "
        "most.",
        "ただ一人の顧客だけがもつ行と完全に一致する行を数え、最も多い顧客を答えます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """Most votes win; the share of the votes is the confidence."""
        general = read_released(public, known)
        votes = _votes(_plain_rows(general), _unique_rows(known))
        shape = (len(general.pseudonyms), len(known.customers))
        places = votes["person"].to_numpy() * shape[1] + votes["customer"].to_numpy()
        table = np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape)
        answers, _ = most_votes(table, rng=rng.child(self.name))
        share = table.max(axis=1, initial=0) / np.maximum(table.sum(axis=1), 1)
        sure = not_crowded(answers, share)
        return HistoryGuess.of_places(general.pseudonyms, known.customers, answers, sure)


def _votes(released: pl.DataFrame, unique: pl.DataFrame) -> pl.DataFrame:
    return released.join(unique, on=_CELLS, how="inner").select("person", "customer")


def _unique_rows(known: History) -> pl.DataFrame:
    """The rows that exactly one customer has, with the customer's place."""
    numbers = {name: known.numbers(name) for name in NUMBERS}
    rows = pl.DataFrame({"customer": known.customer_codes, "item": known.item_codes} | numbers)
    owners = rows.group_by(_CELLS).agg(pl.col("customer").unique())
    return owners.filter(pl.col("customer").list.len() == 1).explode("customer")


def _plain_rows(general: GeneralHistory) -> pl.DataFrame:
    """The released rows of which every cell is one value."""
    sets = general.item
    plain = general.kept & (sets.sizes[sets.code] == 1)
    cells = {"person": general.person, "item": np.zeros(general.rows, dtype=np.int64)}
    for name in NUMBERS:
        spans = general.spans(name)
        plain &= ((spans.low == spans.high) & ~spans.star)[spans.code]
        cells[name] = spans.low[spans.code]
    cells["item"][plain] = sets.members[sets.start[sets.code[plain]]]
    return pl.DataFrame(cells).filter(pl.Series(plain))
