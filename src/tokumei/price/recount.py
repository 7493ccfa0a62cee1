"""Group sizes counted a second time, from the distinct people and by other code."""

from __future__ import annotations

from math import prod

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError
from tokumei.price.group_tables import Sizes
from tokumei.price.problem import DELETE, Candidate, PriceProblem
from tokumei.price.question import Answer, Question

MOST_KEYS = 2**63


def recounted(problem: PriceProblem, candidate: Candidate) -> Sizes:
    """The group sizes of a candidate by one Polars group-by over the distinct tuples' words."""
    chosen = [
        (f"c{j}", one.patterns[place], problem.codes[:, j])
        for j, (one, place) in enumerate(zip(problem.attributes, candidate, strict=True))
        if place != DELETE
    ]
    if not chosen:
        return Sizes(np.array([problem.rows]), np.array([problem.rows]))
    words = pl.DataFrame(
        {
            name: pl.Series(pattern.up).cast(pl.UInt32).gather(pl.Series(codes))
            for name, pattern, codes in chosen
        }
    ).with_columns(people=pl.Series(problem.counts))
    keys = _one_key([(name, len(pattern.words)) for name, pattern, _ in chosen])
    sizes = words.group_by(keys).agg(pl.col("people").sum())["people"]
    counted = sizes.value_counts().sort("people")
    size, often = counted["people"].to_numpy(), counted["count"].to_numpy().astype(np.int64)
    return Sizes(size, np.cumsum(size * often))


def _one_key(columns: list[tuple[str, int]]) -> list[pl.Expr]:
    """One number for all words, if there are not too many; it is grouped several times faster."""
    if prod(words for _, words in columns) > MOST_KEYS:
        return [pl.col(name) for name, _ in columns]
    key = pl.lit(0, dtype=pl.Int64)
    for name, words in columns:
        key = key * words + pl.col(name).cast(pl.Int64)
    return [key.alias("key")]


def require_same(answer: Answer, counted: Sizes, question: Question) -> None:
    """Fail unless an answer's k and left-out rows are what was counted."""
    k, below = counted.smallest_from(question.k), counted.rows_below(question.k)
    if (answer.k, answer.suppressed) != (k, below) or k < question.k:
        raise ClaimError(
            f"the answer's k ({answer.k}) is not what counting again gives ({k}); "
            "the answer is withheld",
            f"回答の k ({answer.k}) が再計数 ({k}) と異なるため、出力しません",
        )
