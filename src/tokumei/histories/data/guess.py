"""An attacker's guess about a released history, its hits, and their significance.

    history_hits(guess, release.truth(), customers=1000).unsafe
    threshold(16)        13: R(16)
    thresholds(1000)     R(0) … R(1000)

R(n) is the least r with Σ_{i=r..n} C(n,i)·p^i < level / attackers. The contest's sum has no factor
(1−p)^(n−i): it bounds the chance of r hits from above, for guesses right with probability p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import gammaln

from tokumei.core.attack_rates import wilson
from tokumei.core.errors import InputError, UsageError
from tokumei.core.json_types import JsonObject


@dataclass(frozen=True, eq=False)
class HistoryGuess:
    """Pseudonyms by first appearance in the public file, and a customer for each (null: none).

    `confidence` is the attacker's own estimate of the probability of being right.
    """

    pseudonyms: pl.Series
    customers: pl.Series
    confidence: np.ndarray

    @classmethod
    def of_places(
        cls, pseudonyms: pl.Series, names: pl.Series, places: np.ndarray, confidence: np.ndarray
    ) -> HistoryGuess:
        """From the places of the named customers in `names` (-1: no answer)."""
        answered = places >= 0
        names_or_null = pl.concat([names.cast(pl.String), pl.Series([None], dtype=pl.String)])
        customers = names_or_null.gather(np.where(answered, places, len(names))).alias("customer")
        return cls(pseudonyms, customers, np.where(answered, confidence, 0.0))

    @property
    def answered(self) -> np.ndarray:
        """Which pseudonyms got an answer."""
        return self.customers.is_not_null().to_numpy()

    @property
    def expected_hits(self) -> float:
        """How many answers the attacker believes to be right."""
        return float(self.confidence[self.answered].sum())

    def frame(self) -> pl.DataFrame:
        """The answers as the contest's F′: pid, cid."""
        pairs = pl.DataFrame({"pid": self.pseudonyms, "cid": self.customers})
        return pairs.filter(pl.Series(self.answered))

    def top(self, n: int) -> HistoryGuess:
        """Only the n most confident answers."""
        order = np.argsort(np.where(self.answered, -self.confidence, np.inf), kind="stable")
        dropped = np.ones(len(order), dtype=bool)
        dropped[order[: max(n, 0)]] = False
        customers = self.customers.set(pl.Series(dropped), None)
        return HistoryGuess(self.pseudonyms, customers, np.where(dropped, 0.0, self.confidence))


# Sums nearer to the bound than rounding errors of logarithms are equal to it, hence not below.
_LOG_TOLERANCE = 1e-10
_BLOCK_CELLS = 4_000_000


def threshold(n: int, *, p: float = 1 / 3, level: float = 0.01, attackers: int = 20) -> int:
    """The hits out of n that show a release unsafe; n + 1 where no attack can show it."""
    bound = _log_level_per_attacker(p, level, attackers)
    if n < 0:
        raise UsageError("n must not be negative: {n}", n=n)
    return int(_least_hits_by_count(np.array([n]), p, bound)[0])


def thresholds_up_to(
    n_max: int, *, p: float = 1 / 3, level: float = 0.01, attackers: int = 20
) -> np.ndarray:
    """R(n) of every n from 0 to n_max."""
    bound = _log_level_per_attacker(p, level, attackers)
    numbers = np.arange(n_max + 1)
    parts = np.array_split(numbers, max(1, len(numbers) ** 2 // _BLOCK_CELLS))
    return np.concatenate([_least_hits_by_count(part, p, bound) for part in parts])


def _least_hits_by_count(numbers: np.ndarray, p: float, bound: float) -> np.ndarray:
    """The least r of every n, from sums that are gathered from i = n downwards."""
    n = numbers[:, None]
    i = np.arange(int(numbers.max(initial=0)), -1, -1)[None, :]
    inside = i <= n
    left = np.where(inside, n - i, 0)
    choices = gammaln(n + 1) - gammaln(i + 1) - gammaln(left + 1)
    terms = np.where(inside, choices + i * math.log(p), -np.inf)
    sums = np.logaddexp.accumulate(terms, axis=1)
    below = inside & (sums < bound - _LOG_TOLERANCE)
    return np.asarray(numbers + 1 - below.sum(axis=1))


def _log_level_per_attacker(p: float, level: float, attackers: int) -> float:
    if 0 < p < 1 and 0 < level < 1 and attackers >= 1:
        return math.log(level) - math.log(attackers)
    raise UsageError(
        "p and level lie between 0 and 1, attackers are at least 1: {p}, {level}, {attackers}",
        p=p,
        level=level,
        attackers=attackers,
    )


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

    def as_json(self) -> JsonObject:
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
    duplicates = answers["pid"].filter(answers["pid"].is_duplicated()).unique(maintain_order=True)
    if len(duplicates):
        raise InputError(
            "{count} pseudonym is answered twice: '{pseudonym}'",
            plural="{count:,} pseudonyms are answered twice, such as '{pseudonym}'",
            count=len(duplicates),
            pseudonym=duplicates[0],
        )
    true_pairs = truth.select(
        pid=pl.col("pseudonym").cast(pl.String), cid=pl.col("customer").cast(pl.String)
    )
    hits, tried = answers.join(true_pairs, on=["pid", "cid"], how="semi").height, answers.height
    low, high = wilson(hits, tried, confidence)
    needed = threshold(tried, p=p, level=level, attackers=attackers)
    customer_count = true_pairs["cid"].n_unique() if customers is None else customers
    rate = hits / tried if tried else 0.0
    return HistoryHits(
        tried, hits, needed, rate, low, high, 1 / customer_count if customer_count else 0.0
    )
