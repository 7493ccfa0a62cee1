"""Computes the figures of a candidate that need no attack: losses and class sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.advice.candidate import Figures
from tokumei.core.advice.purpose import Settings
from tokumei.core.advice.request import GENERALIZE, Request
from tokumei.tables.advice.k_trials import column_loss
from tokumei.tables.advice.miscount import miscount_share
from tokumei.tables.advice.table_source import TableSource
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Release
from tokumei.tables.measures.cross_table import CrossCount
from tokumei.tables.services.comparison_requests import ComparisonRequest
from tokumei.tables.services.open_comparison import open_comparison

_SIZE_COLUMN = "tokumei_rows"
MISCOUNT_PREFIX = "miscounted "
"""Before the names of a table: the share of its rows in a wrong cell."""
TABLE_WEIGHT = 4.0
"""A table to be counted weighs as much as the first column that must stay."""


@dataclass(frozen=True, eq=False)
class CandidateRelease:
    """A verified release beside its original."""

    request: Request
    release: Release
    case: Comparison

    @classmethod
    def of(cls, source: TableSource, request: Request, seed: int | None) -> CandidateRelease:
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


def class_sizes(candidate_release: CandidateRelease, names: Sequence[str]) -> np.ndarray:
    """For every released row, how many people (rows) share its cells in some columns."""
    rows, row_people = candidate_release.case.released.rows, candidate_release.people
    if not names:
        people_count = rows if row_people is None else len(np.unique(row_people))
        return np.full(rows, people_count, dtype=np.int64)
    frame = candidate_release.case.released.frame.select(names)
    count = pl.len() if row_people is None else pl.col(_SIZE_COLUMN).n_unique()
    if row_people is not None:
        frame = frame.with_columns(pl.Series(_SIZE_COLUMN, row_people))
    return (
        frame.select(count.over(names).alias(_SIZE_COLUMN))[_SIZE_COLUMN]
        .to_numpy()
        .astype(np.int64)
    )


def mean_match_risk(candidate_release: CandidateRelease, names: Sequence[str]) -> float:
    """The mean chance of being picked from among those who share one's cells."""
    return float((1.0 / class_sizes(candidate_release, names)).mean())


def compute_figures(
    candidate_release: CandidateRelease,
    columns: Sequence[str],
    attacker: Sequence[str],
    settings: Settings,
    tables: Sequence[Sequence[str]] = (),
) -> Figures:
    """All figures that need no attack; `attacker`: what the attacker that counts knows."""
    case = candidate_release.case
    kept_share = case.released.rows / case.original.rows
    losses = {name: kept_share * column_loss(case, name) + (1 - kept_share) for name in columns}
    miscounts = {tuple(table): miscount_share(case, table) for table in tables}
    weighted_losses = [(loss, settings.weight(name)) for name, loss in losses.items()]
    weighted_losses += [
        (miscount, TABLE_WEIGHT) for miscount in miscounts.values() if miscount is not None
    ]
    total_weight = sum(weight for _, weight in weighted_losses)
    loss = (
        float(sum(loss * weight for loss, weight in weighted_losses) / total_weight)
        if weighted_losses
        else 0.0
    )
    full_class_sizes = class_sizes(candidate_release, case.released.schema.names)
    known_class_sizes = class_sizes(candidate_release, candidate_release.public(attacker))
    return Figures(
        loss=loss,
        losses=losses,
        smallest=int(
            class_sizes(
                candidate_release, candidate_release.request.columns_with_treatment(GENERALIZE)
            ).min()
        ),
        joint=int(full_class_sizes.min()),
        alone=int((full_class_sizes == 1).sum()),
        at_risk=_count_people(
            candidate_release, known_class_sizes < (candidate_release.request.k or 2)
        ),
        rows_kept=kept_share,
        people=_count_people(candidate_release, np.ones(case.released.rows, dtype=bool)),
        counts_people=case.people is not None,
        estimate=float((1.0 / known_class_sizes).mean()),
        more={
            f"{MISCOUNT_PREFIX}{'×'.join(table)}": miscount
            for table, miscount in miscounts.items()
            if miscount is not None
        }
        | {
            f"U3 {'×'.join(table)}": CrossCount().score(replace(case, cross=tuple(table))).value
            for table in tables
            if len(candidate_release.public(table)) == len(table)
        },
    )


def _count_people(candidate_release: CandidateRelease, row_mask: np.ndarray) -> int:
    """How many people (rows) are among the chosen rows."""
    return (
        int(row_mask.sum())
        if candidate_release.people is None
        else len(np.unique(candidate_release.people[row_mask]))
    )


def rank_revealing_columns(
    candidate_release: CandidateRelease, attacker: Sequence[str]
) -> dict[str, float]:
    """By column, how much less people stand out if the attacker does not know it; most first."""
    names = candidate_release.public(attacker)
    total_risk = mean_match_risk(candidate_release, names)
    risk_drops = {
        n: total_risk - mean_match_risk(candidate_release, [item for item in names if item != n])
        for n in names
    }
    return dict(sorted(risk_drops.items(), key=lambda item: -item[1]))
