"""PARTS through pseudonyms: do a customer's pseudonyms stand in the customer's segment?

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

from tokumei.core.codes import PARTS, QUINTILES, rank_classes
from tokumei.core.measure import SHARE_LIMITS, Goal, Limits, Score
from tokumei.core.text import Text
from tokumei.pseudonyms.data.rows import PeriodRows
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
    parts = (last, np.bincount(person, minlength=people), np.round(spent, 2))
    return np.stack([rank_classes(part, QUINTILES) for part in parts], axis=1)


def owned(case: PeriodCase) -> tuple[np.ndarray, np.ndarray]:
    """Customers and their pseudonyms, every pair once, as places in `people` of either side."""
    kept = case.original.kept & case.released.kept
    pairs = np.stack([case.original.person[kept], case.released.person[kept]])
    customer, pseudonym = np.unique(pairs, axis=1)
    return customer, pseudonym


class _Agreement(PeriodMeasure):
    """What the four measures share: the mean agreement of `parts`."""

    beside: ClassVar[Text] = Text(" (by chance {baseline})", " (偶然なら {baseline})")
    limits: ClassVar[Limits] = SHARE_LIMITS

    on_request: ClassVar[bool] = True
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Text] = Text("share of a customer's pseudonyms", "顧客の仮名の割合")
    parts: ClassVar[tuple[str, ...]]

    def score(self, case: PeriodCase) -> Score:
        """The figure, with what quintiles dealt out to pseudonyms at random reach as baseline."""
        columns = [PARTS.index(part) for part in self.parts]
        true = person_quintiles(case.original)[:, columns]
        seen = person_quintiles(case.released)[:, columns]
        customer, pseudonym = owned(case)
        of = np.bincount(customer, minlength=len(true))
        same = (true[customer] == seen[pseudonym]).mean(axis=1)
        value = float((same / of[customer]).sum() / max(len(true), 1))
        return Score(value, baseline=_by_chance(true[of > 0], seen, len(true)), sample=len(true))


def _by_chance(true: np.ndarray, seen: np.ndarray, people: int) -> float:
    """The mean over parts of Σ share of customers × share of pseudonyms in a quintile."""
    both = [
        np.bincount(t, minlength=QUINTILES + 1) @ np.bincount(s, minlength=QUINTILES + 1)
        for t, s in zip(true.T, seen.T, strict=True)
    ]
    return float(np.mean(both)) / max(people * len(seen), 1)


@dataclass(frozen=True)
class PseudonymRfm(_Agreement):
    """The mean agreement of recency, frequency and monetary quintiles."""

    name: ClassVar[str] = "rfm"
    title: ClassVar[Text] = Text("PARTS segments kept", "PARTS 分析の一致率")
    sentence: ClassVar[Text] = Text(
        "The mean share of pseudonyms in their customer's fifth by recency, frequency and money.",
        "最終購買日・購買回数・購買金額の五分位が本人と同じ仮名の割合の平均を示します。",
    )
    formula: ClassVar[str] = "(R + F + M) / 3"
    says: ClassVar[Text] = Text(
        "{value} of a customer's pseudonyms are in the customer's fifth by recency, frequency "
        "and money on average{beside}.",
        "顧客の仮名の {value} が、最終購買日・購買回数・購買金額の平均で本人と同じ五分位に入りま"
        "す{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = PARTS


@dataclass(frozen=True)
class PseudonymRecency(_Agreement):
    """Pseudonyms in their customer's quintile of the last day bought."""

    name: ClassVar[str] = "rfm_recency"
    title: ClassVar[Text] = Text("Recency quintiles kept", "最終購買日の五分位の一致率")
    sentence: ClassVar[Text] = Text(
        "The share of pseudonyms in their customer's fifth by the last purchase.",
        "最終購買日の五分位が本人と同じ仮名の割合を示します。",
    )
    formula: ClassVar[str] = "R = mean [q(last day) = q′(last day)]"
    says: ClassVar[Text] = Text(
        "{value} of a customer's pseudonyms are in the customer's fifth by last purchase{beside}.",
        "顧客の仮名の {value} が、最終購買日で本人と同じ五分位に入ります{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = ("recency",)


@dataclass(frozen=True)
class PseudonymFrequency(_Agreement):
    """Pseudonyms in their customer's quintile of the number of rows."""

    name: ClassVar[str] = "rfm_frequency"
    title: ClassVar[Text] = Text("Frequency quintiles kept", "購買頻度の五分位の一致率")
    sentence: ClassVar[Text] = Text(
        "The share of pseudonyms in their customer's fifth by the number of purchases.",
        "購買回数の五分位が本人と同じ仮名の割合を示します。",
    )
    formula: ClassVar[str] = "F = mean [q(rows) = q′(rows)]"
    says: ClassVar[Text] = Text(
        "{value} of a customer's pseudonyms are in the customer's fifth by number of "
        "purchases{beside}.",
        "顧客の仮名の {value} が、購買回数で本人と同じ五分位に入ります{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = ("frequency",)


@dataclass(frozen=True)
class PseudonymMonetary(_Agreement):
    """Pseudonyms in their customer's quintile of what they spent."""

    name: ClassVar[str] = "rfm_monetary"
    title: ClassVar[Text] = Text("Monetary quintiles kept", "購買金額の五分位の一致率")
    sentence: ClassVar[Text] = Text(
        "The share of pseudonyms in their customer's fifth by what was spent.",
        "購買金額の五分位が本人と同じ仮名の割合を示します。",
    )
    formula: ClassVar[str] = "M = mean [q(Σ price·quantity) = q′(…)]"
    says: ClassVar[Text] = Text(
        "{value} of a customer's pseudonyms are in the customer's fifth by money spent{beside}.",
        "顧客の仮名の {value} が、購買金額で本人と同じ五分位に入ります{beside}。",
    )
    parts: ClassVar[tuple[str, ...]] = ("monetary",)
