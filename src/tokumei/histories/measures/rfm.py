"""PARTS: are customers still in the segment where they belong?

    rfm_agreement(case)        # recency, frequency, monetary, cell, distance
    Rfm().score(case)          # the mean of the first three

    recency    the last day bought (the order is that of the days since, whatever the end)
    frequency  the number of rows: contest files have no invoices, and an interval of days does
               not say how many days there were, so that rows are all both sides can count
    monetary   Σ price × quantity

each as quintiles 1–5 (5 the latest, most frequent, highest) among the customers of the original
and among the pseudonyms of the release; ties share their mean rank. A customer without released
row agrees in nothing. Beside the agreement stands the mean distance in quintiles rather than
Cohen's kappa: it tells a near miss from a far one as well, and it has a value where all customers
of a release fall into one quintile, where kappa is 0/0. What kappa corrects for is the score's
baseline: the agreement if the release's quintiles were dealt out to customers at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.codes import PARTS, QUINTILES, rank_classes
from tokumei.core.measure import SHARE_LIMITS, Goal, Limits, Score
from tokumei.core.text import Text
from tokumei.histories.measures.estimates import estimated_numbers, estimated_sales, true_sales
from tokumei.histories.measures.protocol import HistoryCase, HistoryMeasure

NOT_KEPT = 0


@dataclass(frozen=True)
class RfmAgreement:
    """Shares of customers in the same quintile, in the same PARTS cell, and the mean distance.

    The distance is the mean over customers and the three quintiles; who is not kept counts 4,
    as far off as can be.
    """

    recency: float
    frequency: float
    monetary: float
    cell: float
    distance: float


def rfm_agreement(case: HistoryCase) -> RfmAgreement:
    """All figures at once."""
    true, seen = original_quintiles(case), released_quintiles(case)
    same = true == seen
    away = np.where(seen == NOT_KEPT, QUINTILES - 1, np.abs(true - seen))
    recency, frequency, monetary = (float(share) for share in same.mean(axis=0))
    cell = float(same.all(axis=1).mean())
    return RfmAgreement(recency, frequency, monetary, cell, float(away.mean()))


def original_quintiles(case: HistoryCase) -> np.ndarray:
    """R, F and M (columns) of every customer of the original."""
    history = case.original
    return _quintiles(history.customer_codes, history.numbers("day"), true_sales(history))


def released_quintiles(case: HistoryCase) -> np.ndarray:
    """R, F and M (columns) of every customer's pseudonym; NOT_KEPT for who has none."""
    released = case.released
    people, place = np.unique(released.person[released.kept], return_inverse=True)
    days = estimated_numbers(released, "day")
    quintiles = np.full((len(released.pseudonyms) + 1, len(PARTS)), NOT_KEPT)
    quintiles[people] = _quintiles(place, days, estimated_sales(released))
    # DELETED is -1: the last row, which nobody owns.
    return np.asarray(quintiles[case.pseudonym])


def _quintiles(person: np.ndarray, day: np.ndarray, sales: np.ndarray) -> np.ndarray:
    rows = np.bincount(person)
    last = np.full(len(rows), -np.inf)
    np.maximum.at(last, person, day)
    spent = np.bincount(person, weights=sales)
    return np.stack([rank_classes(part, QUINTILES) for part in (last, rows, spent)], axis=1)


class _Agreement(HistoryMeasure):
    """What the four measures share: the mean agreement of `parts`."""

    beside: ClassVar[Text] = Text(" (by chance {baseline})", " (偶然なら {baseline})")
    limits: ClassVar[Limits] = SHARE_LIMITS

    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Text] = Text("share of customers", "顧客の割合")
    parts: ClassVar[tuple[str, ...]]

    def score(self, case: HistoryCase) -> Score:
        """The figure, with the agreement of random quintiles as baseline."""
        columns = [PARTS.index(part) for part in self.parts]
        true, seen = original_quintiles(case)[:, columns], released_quintiles(case)[:, columns]
        chance = [_by_chance(x, y) for x, y in zip(true.T, seen.T, strict=True)]
        value = float((true == seen).mean())
        return Score(value, baseline=float(np.mean(chance)), sample=len(true))


def _by_chance(true: np.ndarray, seen: np.ndarray) -> float:
    shares = [np.bincount(side, minlength=QUINTILES + 1) / len(side) for side in (true, seen)]
    return float(shares[0] @ shares[1])


@dataclass(frozen=True)
class Rfm(_Agreement):
    """The mean agreement of recency, frequency and monetary quintiles."""

    name: ClassVar[str] = "rfm"
    title: ClassVar[Text] = Text("PARTS segments kept", "PARTS 分析の一致率")
    sentence: ClassVar[Text] = Text(
        "The mean share of customers still in their fifth by recency, frequency and money.",
        "最終購買日・購買回数・購買金額の五分位が同じ顧客の割合の平均を示します。",
    )
    formula: ClassVar[str] = "(R + F + M) / 3"
    says: ClassVar[Text] = Text(
        "{value} of the customers are in the right fifth by recency, frequency and money on "
        "average{beside}.",
        "最終購買日・購買回数・購買金額の平均で、{value} の顧客が正しい五分位に入ります{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = PARTS


@dataclass(frozen=True)
class RfmRecency(_Agreement):
    """Customers in the same quintile of the last day bought."""

    name: ClassVar[str] = "rfm_recency"
    title: ClassVar[Text] = Text("Recency quintiles kept", "最終購買日の五分位の一致率")
    sentence: ClassVar[Text] = Text(
        "The share of customers still in the same fifth by their last purchase.",
        "最終購買日の五分位が同じ顧客の割合を示します。",
    )
    formula: ClassVar[str] = "R = mean [q(last day) = q′(last day)]"
    says: ClassVar[Text] = Text(
        "{value} of the customers are in the right fifth by last purchase{beside}.",
        "{value} の顧客が、最終購買日の正しい五分位に入ります{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = ("recency",)


@dataclass(frozen=True)
class RfmFrequency(_Agreement):
    """Customers in the same quintile of the number of rows."""

    name: ClassVar[str] = "rfm_frequency"
    title: ClassVar[Text] = Text("Frequency quintiles kept", "購買頻度の五分位の一致率")
    sentence: ClassVar[Text] = Text(
        "The share of customers still in the same fifth by their number of purchases.",
        "購買回数の五分位が同じ顧客の割合を示します。",
    )
    formula: ClassVar[str] = "F = mean [q(rows) = q′(rows)]"
    says: ClassVar[Text] = Text(
        "{value} of the customers are in the right fifth by number of purchases{beside}.",
        "{value} の顧客が、購買回数の正しい五分位に入ります{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = ("frequency",)


@dataclass(frozen=True)
class RfmMonetary(_Agreement):
    """Customers in the same quintile of what they spent."""

    name: ClassVar[str] = "rfm_monetary"
    title: ClassVar[Text] = Text("Monetary quintiles kept", "購買金額の五分位の一致率")
    sentence: ClassVar[Text] = Text(
        "The share of customers still in the same fifth by what they spent.",
        "購買金額の五分位が同じ顧客の割合を示します。",
    )
    formula: ClassVar[str] = "M = mean [q(Σ price·quantity) = q′(…)]"
    says: ClassVar[Text] = Text(
        "{value} of the customers are in the right fifth by money spent{beside}.",
        "{value} の顧客が、購買金額の正しい五分位に入ります{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = ("monetary",)
