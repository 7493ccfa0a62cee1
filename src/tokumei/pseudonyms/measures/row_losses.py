"""How far rows moved, row by row: days, prices, and rows that are gone.

    date   Σ |days moved| / (31 · |T|)         over the rows that are kept
    price  Σ (1 − smaller / larger) / |T|      over the rows that are kept
    rows   deleted rows / |T|, rounded to 4 places as by the judge

A row that is kept costs at most 1. It costs 1 where only the new cell cannot be read, and where
one of two different prices is not above 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Score
from tokumei.core.text import Text
from tokumei.pseudonyms.data.months import NO_DAY
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure

DAYS = 31


class _RowLoss(PeriodMeasure):
    """What the three share."""


@dataclass(frozen=True)
class DateLoss(_RowLoss):
    """The mean move of a row's day, in months of 31 days."""

    name: ClassVar[str] = "date"
    title: ClassVar[Text] = Text("Days moved", "日付のずれ")
    sentence: ClassVar[Text] = Text(
        "How far the days of purchase have moved, in months of 31 days.",
        "購入日がどれだけ動いたかを、31 日を 1 として示します。",
    )
    formula: ClassVar[str] = "Σ |days moved| / (31 · |T|)"
    says: ClassVar[Text] = Text(
        "A row's day moves by {value} of a month on average.",
        "購入日は、平均してひと月の {value} だけ動きます。",
    )
    unit: ClassVar[Text] = Text("months of 31 days", "31 日を 1 とする日数")

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        true, seen = case.original.days, case.released.days
        readable = (true != NO_DAY) & (seen != NO_DAY)
        moved = np.abs(np.where(readable, true - seen, DAYS * (true != seen)))
        kept = case.original.kept & case.released.kept
        loss = np.minimum(moved[kept], DAYS).sum() / (DAYS * case.original.rows)
        return Score(float(loss), sample=int(kept.sum()))


@dataclass(frozen=True)
class PriceLoss(_RowLoss):
    """The mean relative change of a row's price."""

    name: ClassVar[str] = "price"
    title: ClassVar[Text] = Text("Prices changed", "単価の変化")
    sentence: ClassVar[Text] = Text(
        "How much prices have changed, relative to the larger one.",
        "単価がどれだけ変わったかを、大きい方に対する割合で示します。",
    )
    formula: ClassVar[str] = "Σ (1 − smaller / larger) / |T|"
    says: ClassVar[Text] = Text(
        "A row's price changes by {value} on average.", "単価は、平均して {value} 変わります。"
    )
    unit: ClassVar[Text] = Text("share of the larger price", "大きい方の単価に対する割合")

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        kept = case.original.kept & case.released.kept
        true, seen = case.original.prices[kept], case.released.prices[kept]
        low, high = np.minimum(true, seen), np.maximum(true, seen)
        same = (true == seen) | (np.isnan(true) & np.isnan(seen))
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = np.where(low > 0, 1 - low / high, 1.0)
        loss = losses[~same].sum() / case.original.rows
        return Score(float(loss), sample=len(true))


@dataclass(frozen=True)
class RowsDeleted(_RowLoss):
    """The share of rows deleted; `digits` are kept, None keeps all."""

    name: ClassVar[str] = "rows"
    title: ClassVar[Text] = Text("Rows deleted", "削除された行")
    sentence: ClassVar[Text] = Text(
        "The share of rows that were deleted.", "削除された行の割合を示します。"
    )
    formula: ClassVar[str] = "deleted rows / |T|"
    says: ClassVar[Text] = Text(
        "{value} of the rows are deleted.", "{value} の行が削除されています。"
    )
    unchanged: ClassVar[Text] = Text("No row was deleted.", "削除された行はありません。")
    unit: ClassVar[Text] = Text("share of rows", "行の割合")

    digits: int | None = 4

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        share = float(1 - case.released.kept.mean())
        value = share if self.digits is None else round(share, self.digits)
        return Score(value, sample=case.released.rows)
