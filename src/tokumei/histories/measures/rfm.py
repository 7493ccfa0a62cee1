"""RFM: share of customers that stay in their segment.

    Rfm().score(case)          # the mean of the three

    recency    the last day bought (the order is that of the days since, whatever the end)
    frequency  the number of rows: contest files have no invoices, and an interval of days does
               not say how many days there were, so that rows are all both sides can count
    monetary   Σ price × quantity

each as quintiles 1–5 (5 the latest, most frequent, highest) among the customers of the original
and among the pseudonyms of the release; ties share their mean rank. A customer without released
row agrees in nothing. Cohen's kappa would be 0/0 where all customers of a release fall into one
quintile; what it corrects for is the score's baseline: the agreement if the release's quintiles
were dealt out to customers at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.rfm import QUINTILE_COUNT, RFM_PART_NAMES, QuintilesKept, rfm_quintiles
from tokumei.histories.measures.protocol import (
    HistoryCase,
    HistoryMeasure,
    estimated_numbers,
    estimated_sales,
    true_sales,
)

NOT_KEPT = 0


def original_quintiles(case: HistoryCase) -> np.ndarray:
    """R, F and M (columns) of every customer of the original."""
    history = case.original
    return _rfm_quintiles(history.customer_codes, history.numbers("day"), true_sales(history))


def released_quintiles(case: HistoryCase) -> np.ndarray:
    """R, F and M (columns) of every customer's pseudonym; NOT_KEPT for who has none."""
    released = case.released
    people, place = np.unique(released.person[released.kept], return_inverse=True)
    days = estimated_numbers(released, "day")
    quintiles = np.full((len(released.pseudonyms) + 1, len(RFM_PART_NAMES)), NOT_KEPT)
    quintiles[people] = _rfm_quintiles(place, days, estimated_sales(released))
    # DELETED is -1: the last row, which nobody owns.
    return np.asarray(quintiles[case.pseudonym])


def _rfm_quintiles(person: np.ndarray, day: np.ndarray, sales: np.ndarray) -> np.ndarray:
    rows = np.bincount(person)
    last = np.full(len(rows), -np.inf)
    np.maximum.at(last, person, day)
    return rfm_quintiles(last, rows, np.bincount(person, weights=sales))


@dataclass(frozen=True)
class Rfm(QuintilesKept, HistoryMeasure):
    """The mean agreement of recency, frequency and monetary quintiles."""

    sentence: ClassVar[Message] = Message(
        "The mean share of customers still in their fifth by recency, frequency and money."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of the customers are in the right fifth by recency, frequency and money on "
        "average{beside}."
    )
    unit: ClassVar[Message] = Message("share of customers")

    def score(self, case: HistoryCase) -> Score:
        """The figure, with the agreement of random quintiles as baseline."""
        sides = original_quintiles(case), released_quintiles(case)
        true, released = (side[:, self.columns] for side in sides)
        chance = [_chance_agreement(x, y) for x, y in zip(true.T, released.T, strict=True)]
        value = float((true == released).mean())
        return Score(value, baseline=float(np.mean(chance)), sample=len(true))


def _chance_agreement(true: np.ndarray, released: np.ndarray) -> float:
    shares = [
        np.bincount(side, minlength=QUINTILE_COUNT + 1) / len(side) for side in (true, released)
    ]
    return float(shares[0] @ shares[1])


class RfmRecency(Rfm, part="recency"):
    """Customers in the same quintile of the last day bought."""

    sentence: ClassVar[Message] = Message(
        "The share of customers still in the same fifth by their last purchase."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of the customers are in the right fifth by last purchase{beside}."
    )


class RfmFrequency(Rfm, part="frequency"):
    """Customers in the same quintile of the number of rows."""

    sentence: ClassVar[Message] = Message(
        "The share of customers still in the same fifth by their number of purchases."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of the customers are in the right fifth by number of purchases{beside}."
    )


class RfmMonetary(Rfm, part="monetary"):
    """Customers in the same quintile of what they spent."""

    sentence: ClassVar[Message] = Message(
        "The share of customers still in the same fifth by what they spent."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of the customers are in the right fifth by money spent{beside}."
    )
