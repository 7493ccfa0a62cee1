"""Query error: error of random count queries on the release.

QueryError(queries=500, columns=2, selectivity=0.1, seed=1).score(case)

A query names some QI and, for each, a range (numbers and dates) or a set of values; its true answer
is the number of original rows inside. The release answers by spreading every row evenly over the
leaves of its cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import ColumnSpans, Hierarchies, build_column_spans
from tokumei.tables.measures.protocol import Measure

Query = dict[int, np.ndarray]
"""Column → which of its leaves are asked for."""


@dataclass(frozen=True)
class QueryError(Measure):
    """Median (or mean) over queries of |answer − truth| / max(truth, sanity·N).

    `columns` QI are asked at a time (all if there are fewer); each takes selectivity^(1/columns) of
    its leaves, at least one. The sanity bound keeps tiny truths from deciding the figure.
    """

    name: ClassVar[str] = "query_error"
    title: ClassVar[Message] = Message("Relative error of count queries")
    sentence: ClassVar[Message] = Message(
        "How wrong random counts come out when they are taken from the release."
    )
    formula: ClassVar[str] = "median_queries |answer(Y) − count(X)| / count(X)"
    says: ClassVar[Message] = Message(
        "A count taken from the release is typically wrong by {value}."
    )
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Message] = Message("share of the answer")
    on_request: ClassVar[bool] = True

    queries: int = 500
    columns: int = 2
    selectivity: float = 0.1
    sanity: float = 0.001
    statistic: Literal["median", "mean"] = "median"
    seed: int = 1
    hierarchies: Hierarchies = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.queries < 1 or self.columns < 1 or not 0 < self.selectivity <= 1 or self.sanity < 0:
            raise UsageError(
                "query_error: queries and columns are at least 1, selectivity is above 0 and at "
                "most 1, sanity is not negative"
            )

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = build_column_spans(case, self.hierarchies)
        if not columns:
            return Score(0.0, sample=0)
        errors = self.errors(columns, case.original.rows)
        value = np.median(errors) if self.statistic == "median" else errors.mean()
        return Score(float(value), sample=len(errors))

    def errors(self, columns: list[ColumnSpans], rows: int) -> np.ndarray:
        """The relative error of every query."""
        random_set = random_queries(columns, self, Randomness(self.seed))
        truth = np.array([true_answer(columns, query) for query in random_set])
        estimates = np.array([estimated_answer(columns, query) for query in random_set])
        # Without a sanity bound an empty query is measured against one row.
        least = max(self.sanity * rows, 0.0 if self.sanity else 1.0)
        return np.asarray(np.abs(estimates - truth) / np.maximum(truth, least))


def random_queries(columns: list[ColumnSpans], options: QueryError, rng: Randomness) -> list[Query]:
    """As many queries as asked, from the seed."""
    generator = rng.child("queries").generator
    column_count = min(options.columns, len(columns))
    share = options.selectivity ** (1 / column_count)
    chosen = [
        generator.choice(len(columns), column_count, replace=False) for _ in range(options.queries)
    ]
    return [
        {int(j): _random_leaves(columns[j], share, generator) for j in names} for names in chosen
    ]


def _random_leaves(column: ColumnSpans, share: float, generator: np.random.Generator) -> np.ndarray:
    """A run of neighbouring leaves if they have an order, else a random set."""
    size = max(round(share * column.leaves), 1)
    wanted = np.zeros(column.leaves, dtype=bool)
    if column.places is None:
        wanted[generator.choice(column.leaves, size, replace=False)] = True
        return wanted
    first = int(generator.integers(column.leaves - size + 1))
    wanted[np.argsort(column.places, kind="stable")[first : first + size]] = True
    return wanted


def true_answer(columns: list[ColumnSpans], query: Query) -> float:
    """How many original rows are inside."""
    inside = [wanted[columns[j].original] for j, wanted in query.items()]
    return float(np.logical_and.reduce(inside).sum())


def estimated_answer(columns: list[ColumnSpans], query: Query) -> float:
    """How many released rows are expected inside."""
    shares = [columns[j].shares(wanted)[columns[j].released] for j, wanted in query.items()]
    return float(np.multiply.reduce(shares).sum())
