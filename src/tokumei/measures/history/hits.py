"""How many customers an attack on a released history found, and whether that shows it unsafe.

history_hits(guess, release.truth(), customers=1000).as_json()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from tokumei.data.history_guess import HistoryGuess
from tokumei.errors import InputError
from tokumei.measures.history.threshold import threshold
from tokumei.measures.reidentification import wilson
from tokumei.text import Text


@dataclass(frozen=True)
class HistoryHits:
    """Answers given, answers right, and R(tried).

    `rate` is hits over tried; where the public rows were given, its mean over all ways to label
    people with identical histories, which only luck tells apart.
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
    public: pl.DataFrame | None = None,
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
    right_on_average = hits if public is None else expected_hits(answers, right, public)
    low, high = wilson(right_on_average, tried, confidence)
    needed = threshold(tried, p=p, level=level, attackers=attackers)
    everyone = right["cid"].n_unique() if customers is None else customers
    rate = right_on_average / tried if tried else 0.0
    return HistoryHits(tried, hits, needed, rate, low, high, 1 / everyone if everyone else 0.0)


def expected_hits(answers: pl.DataFrame, truth: pl.DataFrame, public: pl.DataFrame) -> float:
    """Hits on average when people with identical public histories swap their labels at random.

    An answer that names somebody of the right group of c people is then right once in c.
    """
    line = pl.concat_str(pl.exclude("customer"), separator=",").alias("line")
    histories = public.select("customer", line).group_by("customer").agg(pl.col("line").sort())
    group = pl.col("line").list.join("\n").rank("dense")
    sized = histories.select(pid="customer", group=group).with_columns(size=pl.len().over("group"))
    real = truth.join(sized, on="pid").select("cid", real="group")
    named = answers.join(sized, on="pid").join(real, on="cid")
    right = named.filter(pl.col("group") == pl.col("real"))
    return float((1 / right["size"]).sum())


def _require_once(pids: pl.Series) -> None:
    twice = pids.filter(pids.is_duplicated()).unique(maintain_order=True)
    if len(twice):
        raise InputError(
            Text(
                f"{len(twice)} pseudonym(s) are answered twice, such as '{twice[0]}'",
                f"{len(twice)} 個の仮名に答えが二つ以上あります (例 '{twice[0]}')",
            )
        )
