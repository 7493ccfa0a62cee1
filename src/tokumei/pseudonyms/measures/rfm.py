"""RFM through pseudonyms: whether pseudonyms fall in their customer's segment.

    recency    the last day bought
    frequency  the number of rows
    monetary   Σ price × quantity

each as quintiles 1–5, of customers in T and of pseudonyms in A(T), ties by their mean rank. For a
customer the share of the own pseudonyms in the customer's quintile counts, 0 for who has none; the
score is the mean over customers. A pseudonym that several customers had at different times counts
for each. What cannot be read is no day, or costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.rfm import QUINTILE_COUNT, QuintilesKept, rfm_quintiles
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure


def person_quintiles(rows: PeriodRows) -> np.ndarray:
    """R, F and M (columns) of every customer or pseudonym, in the order of `people`."""
    kept, people = rows.kept, len(rows.people)
    person = rows.person[kept]
    last = np.full(people, np.iinfo(np.int64).min)
    np.maximum.at(last, person, rows.days[kept])
    price, quantity = (
        np.where(np.isfinite(part), part, 0.0)[kept] for part in (rows.prices, rows.quantities)
    )
    spent = np.bincount(person, price * quantity, minlength=people)
    # Equal purchases in another order must not differ by rounding.
    return rfm_quintiles(last, np.bincount(person, minlength=people), np.round(spent, 2))


def customer_pseudonym_pairs(case: PeriodCase) -> tuple[np.ndarray, np.ndarray]:
    """Customers and their pseudonyms, every pair once, as places in `people` of either side."""
    kept = case.original.kept & case.released.kept
    pairs = np.stack([case.original.person[kept], case.released.person[kept]])
    customer, pseudonym = np.unique(pairs, axis=1)
    return customer, pseudonym


@dataclass(frozen=True)
class PseudonymRfm(QuintilesKept, PeriodMeasure):
    """The mean agreement of recency, frequency and monetary quintiles."""

    sentence: ClassVar[Message] = Message(
        "The mean share of pseudonyms in their customer's fifth by recency, frequency and money."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of a customer's pseudonyms are in the customer's fifth by recency, frequency and "
        "money on average{beside}."
    )
    on_request: ClassVar[bool] = True
    unit: ClassVar[Message] = Message("share of a customer's pseudonyms")

    def score(self, case: PeriodCase) -> Score:
        """The figure, with what quintiles dealt out to pseudonyms at random reach as baseline."""
        sides = person_quintiles(case.original), person_quintiles(case.released)
        true, released = (side[:, self.columns] for side in sides)
        customer, pseudonym = customer_pseudonym_pairs(case)
        pseudonym_counts = np.bincount(customer, minlength=len(true))
        same = (true[customer] == released[pseudonym]).mean(axis=1)
        value = float((same / pseudonym_counts[customer]).sum() / max(len(true), 1))
        return Score(
            value,
            baseline=_chance_agreement(true[pseudonym_counts > 0], released, len(true)),
            sample=len(true),
        )


def _chance_agreement(true: np.ndarray, released: np.ndarray, people: int) -> float:
    """The mean over parts of Σ share of customers × share of pseudonyms in a quintile."""
    agreements = [
        np.bincount(t, minlength=QUINTILE_COUNT + 1) @ np.bincount(s, minlength=QUINTILE_COUNT + 1)
        for t, s in zip(true.T, released.T, strict=True)
    ]
    return float(np.mean(agreements)) / max(people * len(released), 1)


class PseudonymRecency(PseudonymRfm, part="recency"):
    """Pseudonyms in their customer's quintile of the last day bought."""

    sentence: ClassVar[Message] = Message(
        "The share of pseudonyms in their customer's fifth by the last purchase."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of a customer's pseudonyms are in the customer's fifth by last purchase{beside}."
    )


class PseudonymFrequency(PseudonymRfm, part="frequency"):
    """Pseudonyms in their customer's quintile of the number of rows."""

    sentence: ClassVar[Message] = Message(
        "The share of pseudonyms in their customer's fifth by the number of purchases."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of a customer's pseudonyms are in the customer's fifth by number of "
        "purchases{beside}."
    )


class PseudonymMonetary(PseudonymRfm, part="monetary"):
    """Pseudonyms in their customer's quintile of what they spent."""

    sentence: ClassVar[Message] = Message(
        "The share of pseudonyms in their customer's fifth by what was spent."
    )
    says: ClassVar[Message | None] = Message(
        "{value} of a customer's pseudonyms are in the customer's fifth by money spent{beside}."
    )
