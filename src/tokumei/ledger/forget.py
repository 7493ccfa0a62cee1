"""Taking people out of a ledger: their codes go, and with them what could be said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.text import Text
from tokumei.ledger.book import Ledger
from tokumei.ledger.chain import HIGH, LOW
from tokumei.ledger.classes import Recorded, without


@dataclass(frozen=True)
class Forgotten:
    """How many people were asked for and found, and how many lines of which releases went."""

    asked: int
    found: int
    releases: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        """Plain data; the sentence in both languages."""
        told = self.lines()[-1]
        return {**vars(self), "unknowable_en": told.en, "unknowable_ja": told.ja}

    def lines(self) -> list[Text]:
        """What was done, and which figures cannot be known any more."""
        named = ", ".join(f"'{name}' ({lines})" for name, lines in self.releases.items())
        done = Text(
            f"{self.found} of {self.asked} people were in the ledger, and are not any more: "
            f"{named or '–'}",
            f"{self.asked} 人中 {self.found} 人を台帳から取り除きました: {named or '–'}",
        )
        rest = Text(
            "From now on these releases' joint k, leavers and joiners leave these people out: who "
            "shared a class with them counts as in a smaller one than the files show, and nothing "
            "can be said of them in later releases.",
            "以後、これらの匿名加工データの共通クラスや増減の数値に、この人たちは含まれません。同じ"
            "クラスの人は実際より小さいクラスとして数えられ、今後の匿名加工データでこの人たちについて"
            "は何も言えません。",
        )
        return [done, rest] if self.found else [done]


def forget(book: Ledger, ids: pl.Series) -> Forgotten:
    """Take people out of all releases, by their ids."""
    known = ids.drop_nulls().unique()
    high, low = book.codes.people(known)
    gone = pl.DataFrame({HIGH: high, LOW: low})
    with book.writing():
        changed: dict[int, Recorded] = {}
        lines: dict[str, int] = {}
        seen: set[tuple[int, int]] = set()
        for entry in book.entries:
            parts = book.recorded(entry)
            out = _those(parts, gone)
            if out.any():
                changed[entry.number] = without(parts, out)
                lines[entry.name] = int(out.sum())
                seen |= set(parts.people.filter(pl.Series(out)).select(HIGH, LOW).rows())
        if changed:
            book.forget(changed, len(seen))
    return Forgotten(len(known), len(seen), lines)


def _those(parts: Recorded, gone: pl.DataFrame) -> np.ndarray:
    marked = gone.with_columns(gone=pl.lit(True))
    found = parts.people.select(HIGH, LOW).join(
        marked, on=[HIGH, LOW], how="left", maintain_order="left"
    )
    return found["gone"].fill_null(False).to_numpy()
