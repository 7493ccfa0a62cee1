"""The measures of a release by name, and the judge of 2017: worst utility, strongest attack, mean.

measure_suite(case, ["default", "rfm"])      # the contest's, and one more
worst = Worst().score(case).value
safety = judge_safety({"S1": [0.1, 0.2, 0.2, 0.3], "S2": [0.0, 0.1, 0.1, 0.1]})
judge_total(worst, safety)                   # lower is better

Days, prices and deleted rows are compared row by row. A row that is kept costs at most 1. It costs
1 where only the new cell cannot be read, and where one of two different prices is not above 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.measure import Score
from tokumei.core.text import Text
from tokumei.pseudonyms.data.rows import NO_DAY
from tokumei.pseudonyms.measures.itemcf import ItemCfRetail, ItemCfSupply
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure
from tokumei.pseudonyms.measures.topk import TopK, TopKSimilarity
from tokumei.pseudonyms.registry import measures

DAYS = 31


@dataclass(frozen=True)
class DateLoss(PeriodMeasure):
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
class PriceLoss(PeriodMeasure):
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
class RowsDeleted(PeriodMeasure):
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


@dataclass(frozen=True)
class Worst(PeriodMeasure):
    """The largest of the judge's seven utilities (U)."""

    name: ClassVar[str] = "worst"
    title: ClassVar[Text] = Text("Worst of the seven measures", "7 指標の最悪値")
    sentence: ClassVar[Text] = Text(
        "The largest of the judge's seven losses, which decides the utility.",
        "審判の 7 指標のうち最も大きい損失で、有用性の評価を決めます。",
    )
    formula: ClassVar[str] = "max of the seven losses"
    says: ClassVar[Text] = Text(
        "The worst of the seven losses is {value}.",
        "7 指標の損失のうち最も大きいものは {value} です。",
    )
    unit: ClassVar[Text] = Text("loss", "損失")

    as_paper: bool = False

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        similarities = (ItemCfSupply, ItemCfRetail, TopKSimilarity)
        seven: list[PeriodMeasure] = [TopK(), DateLoss(), PriceLoss(), RowsDeleted()]
        seven += [kind(as_paper=self.as_paper) for kind in similarities]
        return Score(max(case.score_of(measure).value for measure in seven))


def judge_safety(reid_all: Mapping[str, Sequence[float]]) -> float:
    """S: the largest over attacks of the mean over knowledge (α) of `reid_all`."""
    if not reid_all or not all(len(rates) for rates in reid_all.values()):
        raise UsageError("no attack to judge by", "評価する攻撃がありません")
    return max(fmean(rates) for rates in reid_all.values())


def judge_total(utility: float, safety: float) -> float:
    """(U + S) / 2: lower is better."""
    return (utility + safety) / 2


DEFAULT, ALL = "default", "all"


def measure_suite(
    case: PeriodCase,
    names: Sequence[str] = (),
    *,
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Score]:
    """Score the release."""
    return {
        name: case.score_of(measures.build(name, (params or {}).get(name)))
        for name in chosen_measures(case.master is not None, names)
    }


def chosen_measures(with_master: bool, names: Sequence[str] = ()) -> list[str]:
    """Names, each once; `default` (also without names) are the contest's, `all` what can be.

    Without the customers' data some measures cannot be.
    """
    found: list[str] = []
    for name in names or [DEFAULT]:
        if name == DEFAULT:
            found += [n for n in measures.names() if not measures.get(n).on_request]
        elif name == ALL:
            found += [
                n for n in measures.names() if with_master or "master" not in measures.get(n).needs
            ]
        else:
            found.append(name)
    return list(dict.fromkeys(found))
