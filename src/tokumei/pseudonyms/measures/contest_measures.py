"""Measures by name, and the 2017 judge: worst utility, strongest attack, mean.

measure_suite(case, ["default", "rfm"])      # the contest's, and one more
worst = WorstMeasure().score(case).value
safety = judge_safety({"S1": [0.1, 0.2, 0.2, 0.3], "S2": [0.0, 0.1, 0.1, 0.1]})
judge_total(worst, safety)                   # lower is better

Days, prices and deleted rows are compared row by row. A row that is kept costs at most 1. It costs
1 where only the new cell cannot be read, and where one of two different prices is not above 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.pseudonyms.data.purchase_text_cells import NO_DAY
from tokumei.pseudonyms.measures.itemcf import ItemCfRetail, ItemCfSupply
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure
from tokumei.pseudonyms.measures.topk import TopK, TopKSimilarity
from tokumei.pseudonyms.registry import measures

DAYS_PER_MONTH = 31


@dataclass(frozen=True)
class DateShift(PeriodMeasure):
    """The mean move of a row's day, in months of 31 days."""

    name: ClassVar[str] = "date"
    title: ClassVar[Message] = Message("Days moved")
    sentence: ClassVar[Message] = Message(
        "How far the days of purchase have moved, in months of 31 days."
    )
    formula: ClassVar[str] = "Σ |days moved| / (31 · |T|)"
    says: ClassVar[Message] = Message("A row's day moves by {value} of a month on average.")
    unit: ClassVar[Message] = Message("months of 31 days")

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        true, released_days = case.original.days, case.released.days
        readable = (true != NO_DAY) & (released_days != NO_DAY)
        moved = np.abs(
            np.where(readable, true - released_days, DAYS_PER_MONTH * (true != released_days))
        )
        kept = case.original.kept & case.released.kept
        loss = np.minimum(moved[kept], DAYS_PER_MONTH).sum() / (DAYS_PER_MONTH * case.original.rows)
        return Score(float(loss), sample=int(kept.sum()))


@dataclass(frozen=True)
class PriceChange(PeriodMeasure):
    """The mean relative change of a row's price."""

    name: ClassVar[str] = "price"
    title: ClassVar[Message] = Message("Prices changed")
    sentence: ClassVar[Message] = Message(
        "How much prices have changed, relative to the larger one."
    )
    formula: ClassVar[str] = "Σ (1 − smaller / larger) / |T|"
    says: ClassVar[Message] = Message("A row's price changes by {value} on average.")
    unit: ClassVar[Message] = Message("share of the larger price")

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        kept = case.original.kept & case.released.kept
        true, released_prices = case.original.prices[kept], case.released.prices[kept]
        low, high = np.minimum(true, released_prices), np.maximum(true, released_prices)
        same = (true == released_prices) | (np.isnan(true) & np.isnan(released_prices))
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = np.where(low > 0, 1 - low / high, 1.0)
        loss = losses[~same].sum() / case.original.rows
        return Score(float(loss), sample=len(true))


@dataclass(frozen=True)
class RowsDeleted(PeriodMeasure):
    """The share of rows deleted; `digits` are kept, None keeps all."""

    name: ClassVar[str] = "rows"
    title: ClassVar[Message] = Message("Rows deleted")
    sentence: ClassVar[Message] = Message("The share of rows that were deleted.")
    formula: ClassVar[str] = "deleted rows / |T|"
    says: ClassVar[Message] = Message("{value} of the rows are deleted.")
    unchanged: ClassVar[Message] = Message("No row was deleted.")
    unit: ClassVar[Message] = Message("share of rows")

    digits: int | None = 4

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        share = float(1 - case.released.kept.mean())
        value = share if self.digits is None else round(share, self.digits)
        return Score(value, sample=case.released.rows)


@dataclass(frozen=True)
class WorstMeasure(PeriodMeasure):
    """The largest of the judge's seven utilities (U)."""

    name: ClassVar[str] = "worst"
    title: ClassVar[Message] = Message("Worst of the seven measures")
    sentence: ClassVar[Message] = Message(
        "The largest of the judge's seven losses, which decides the utility."
    )
    formula: ClassVar[str] = "max of the seven losses"
    says: ClassVar[Message] = Message("The worst of the seven losses is {value}.")
    unit: ClassVar[Message] = Message("loss")

    as_paper: bool = False

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        similarities = (ItemCfSupply, ItemCfRetail, TopKSimilarity)
        seven: list[PeriodMeasure] = [TopK(), DateShift(), PriceChange(), RowsDeleted()]
        seven += [measure_type(as_paper=self.as_paper) for measure_type in similarities]
        return Score(max(case.score_of(measure).value for measure in seven))


def judge_safety(reid_all: Mapping[str, Sequence[float]]) -> float:
    """S: the largest over attacks of the mean over knowledge (α) of `reid_all`."""
    if not reid_all or not all(len(rates) for rates in reid_all.values()):
        raise UsageError("no attack to judge by")
    return max(fmean(rates) for rates in reid_all.values())


def judge_total(utility: float, safety: float) -> float:
    """(U + S) / 2: lower is better."""
    return (utility + safety) / 2


DEFAULT_GROUP, ALL_GROUP = "default", "all"


def score_measures(
    case: PeriodCase,
    names: Sequence[str] = (),
    *,
    params: Mapping[str, Mapping[str, object]] | None = None,
) -> dict[str, Score]:
    """Score the release."""
    return {
        name: case.score_of(measures.build(name, (params or {}).get(name)))
        for name in select_measures(case.master is not None, names)
    }


def select_measures(with_master: bool, names: Sequence[str] = ()) -> list[str]:
    """Names, each once; `default` (also without names) are the contest's, `all` what can be.

    Without the customers' data some measures cannot be.
    """
    selected: list[str] = []
    for name in names or [DEFAULT_GROUP]:
        if name == DEFAULT_GROUP:
            selected += [n for n in measures.names() if not measures.get(n).on_request]
        elif name == ALL_GROUP:
            selected += [
                n for n in measures.names() if with_master or "master" not in measures.get(n).needs
            ]
        else:
            selected.append(name)
    return list(dict.fromkeys(selected))
