"""How many customers an attack on a released history found, and whether that shows it unsafe.

history_hits(guess, release.truth(), customers=1000).as_json()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.rates import wilson
from tokumei.histories.data.guess import HistoryGuess, threshold


@dataclass(frozen=True)
class HistoryHits:
    """Answers given, answers right, and R(tried); `rate` is hits over tried.

    `low`, `high`: Wilson score interval. `baseline`: a blind guess among all customers.
    """

    tried: int
    hits: int
    threshold: int
    rate: float
    low: float
    high: float
    baseline: float

    @property
    def unsafe(self) -> bool:
        """Whether the hits show that the release is unsafe."""
        return self.hits >= self.threshold

    def as_json(self) -> dict[str, Any]:
        """The figures of the command line contract, and the rate."""
        return {**vars(self), "unsafe": self.unsafe}


def history_hits(
    guess: HistoryGuess | pl.DataFrame,
    truth: pl.DataFrame,
    *,
    customers: int | None = None,
    confidence: float = 0.95,
    p: float = 1 / 3,
    level: float = 0.01,
    attackers: int = 20,
) -> HistoryHits:
    """Score answers (a guess, or a frame pid, cid) against the truth (pseudonym, customer).

    `customers` is how many there are to choose from; those of the truth unless given.
    """
    answers = guess.frame() if isinstance(guess, HistoryGuess) else guess
    answers = answers.select(pl.col("pid", "cid").cast(pl.String))
    _require_once(answers["pid"])
    right = truth.select(
        pid=pl.col("pseudonym").cast(pl.String), cid=pl.col("customer").cast(pl.String)
    )
    hits, tried = answers.join(right, on=["pid", "cid"], how="semi").height, answers.height
    low, high = wilson(hits, tried, confidence)
    needed = threshold(tried, p=p, level=level, attackers=attackers)
    everyone = right["cid"].n_unique() if customers is None else customers
    rate = hits / tried if tried else 0.0
    return HistoryHits(tried, hits, needed, rate, low, high, 1 / everyone if everyone else 0.0)


def _require_once(pids: pl.Series) -> None:
    twice = pids.filter(pids.is_duplicated()).unique(maintain_order=True)
    if len(twice):
        raise InputError(
            f"{len(twice)} pseudonym(s) are answered twice, such as '{twice[0]}'",
            f"{len(twice)} 個の仮名に答えが二つ以上あります (例 '{twice[0]}')",
        )
