"""What a candidate costs and how large its classes are: figures that need no attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.advice.candidate import Figures
from tokumei.core.advice.purpose import Settings
from tokumei.core.advice.request import GENERALIZE, Request
from tokumei.tables.advising.counting import miscounted
from tokumei.tables.advising.source import TableSource
from tokumei.tables.choosing.trials import column_loss
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Release
from tokumei.tables.measures.cross_table import CrossCount
from tokumei.tables.services.comparison_requests import ComparisonRequest
from tokumei.tables.services.open_comparison import open_comparison

_SIZE = "tokumei_rows"
MISCOUNTED = "miscounted "
"""Before the names of a table: the share of its rows in a wrong cell."""
TABLE_WEIGHT = 4.0
"""A table to be counted weighs as much as the first column that must stay."""


@dataclass(frozen=True, eq=False)
class Made:
    """A verified release beside its original."""

    request: Request
    release: Release
    case: Comparison

    @classmethod
    def of(cls, source: TableSource, request: Request, seed: int | None) -> Made:
        """Made as `tokumei anonymize table` would, and proven."""
        released = source.release(request, seed=seed)
        compared = ComparisonRequest(original=released.source, release=released.release)
        return cls(request, released.release, open_comparison(compared).case)

    @property
    def people(self) -> np.ndarray | None:
        """The person of every released row; None: every row is another person."""
        return None if self.case.people is None else self.case.people[self.case.link]

    def public(self, names: Sequence[str]) -> list[str]:
        """Those of the columns that are released."""
        return [name for name in names if name in self.case.released.schema.names]


def class_sizes(made: Made, names: Sequence[str]) -> np.ndarray:
    """For every released row, how many people (rows) share its cells in some columns."""
    rows, who = made.case.released.rows, made.people
    if not names:
        everybody = rows if who is None else len(np.unique(who))
        return np.full(rows, everybody, dtype=np.int64)
    frame = made.case.released.frame.select(names)
    count = pl.len() if who is None else pl.col(_SIZE).n_unique()
    if who is not None:
        frame = frame.with_columns(pl.Series(_SIZE, who))
    return frame.select(count.over(names).alias(_SIZE))[_SIZE].to_numpy().astype(np.int64)


def standing_out(made: Made, names: Sequence[str]) -> float:
    """The mean chance of being picked from among those who share one's cells."""
    return float((1.0 / class_sizes(made, names)).mean())


def figures_of(
    made: Made,
    columns: Sequence[str],
    attacker: Sequence[str],
    settings: Settings,
    tables: Sequence[Sequence[str]] = (),
) -> Figures:
    """All figures that need no attack; `attacker`: what the attacker that counts knows."""
    case = made.case
    kept = case.released.rows / case.original.rows
    losses = {name: kept * column_loss(case, name) + (1 - kept) for name in columns}
    counted = {tuple(table): miscounted(case, table) for table in tables}
    parts = [(loss, settings.weight(name)) for name, loss in losses.items()]
    parts += [(wrong, TABLE_WEIGHT) for wrong in counted.values() if wrong is not None]
    whole = sum(weight for _, weight in parts)
    loss = float(sum(loss * weight for loss, weight in parts) / whole) if parts else 0.0
    everything = class_sizes(made, case.released.schema.names)
    by_known = class_sizes(made, made.public(attacker))
    return Figures(
        loss=loss,
        losses=losses,
        smallest=int(class_sizes(made, made.request.with_fate(GENERALIZE)).min()),
        joint=int(everything.min()),
        alone=int((everything == 1).sum()),
        at_risk=_people_of(made, by_known < (made.request.k or 2)),
        rows_kept=kept,
        people=_people_of(made, np.ones(case.released.rows, dtype=bool)),
        counts_people=case.people is not None,
        estimate=float((1.0 / by_known).mean()),
        more={
            f"{MISCOUNTED}{'×'.join(table)}": wrong
            for table, wrong in counted.items()
            if wrong is not None
        }
        | {
            f"U3 {'×'.join(table)}": CrossCount().score(replace(case, cross=tuple(table))).value
            for table in tables
            if len(made.public(table)) == len(table)
        },
    )


def _people_of(made: Made, chosen: np.ndarray) -> int:
    """How many people (rows) are among the chosen rows."""
    return int(chosen.sum()) if made.people is None else len(np.unique(made.people[chosen]))


def telling_columns(made: Made, attacker: Sequence[str]) -> dict[str, float]:
    """By column, how much less people stand out if the attacker does not know it; most first."""
    names = made.public(attacker)
    whole = standing_out(made, names)
    found = {n: whole - standing_out(made, [one for one in names if one != n]) for n in names}
    return dict(sorted(found.items(), key=lambda one: -one[1]))
