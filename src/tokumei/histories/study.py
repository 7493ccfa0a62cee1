"""Runs one method on one history for many k, for a report on the choice of k.

    study = study_history(history, "rank-match", range(2, 21), seed=1)
    study.point.loss, study.attacks["best"].rate

A study holds figures only: no customer, no pseudonym, no seed. Original rows of one cluster are
in it only when asked for with `examples="data"`; its page then says that it is internal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.core.sweep import sweep as sweep_of
from tokumei.core.workflow import ParamsByMethod
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.guess import HistoryHits
from tokumei.histories.data.history import History
from tokumei.histories.flow import anonymize, attack, measure
from tokumei.histories.kind import HISTORIES
from tokumei.histories.measures.losses import rows_by_activity
from tokumei.histories.measures.monthly_sales import monthly_curves
from tokumei.histories.measures.protocol import HistoryCase
from tokumei.histories.report.cluster_example import (
    ClusterExample,
    cluster_example,
    invented_example,
)
from tokumei.histories.sweeps import build_methods, prepare_shared, sweep_by_category

Examples = Literal["invented", "data"]
EXAMPLES: tuple[Examples, ...] = get_args(Examples)


@dataclass(frozen=True)
class HistoryFacts:
    """How large a history is, and from when to when."""

    rows: int
    customers: int
    items: int
    first_day: str
    last_day: str


@dataclass(frozen=True, eq=False)
class HistoryStudy:
    """A sweep, and a closer look at the release with the chosen value of its parameter.

    `by_category` is the same sweep with items replaced by categories first; the release looked
    at keeps the items.
    """

    facts: HistoryFacts
    sweep: Sweep
    chosen: object
    k: int
    attacks: Mapping[str, HistoryHits]
    scores: Mapping[str, Score]
    activity: pl.DataFrame
    """`rows_by_activity`: who keeps how many rows."""
    months: pl.DataFrame
    """`monthly_curves`: sales of the original, and as the release tells them."""
    example: ClusterExample
    by_category: Sweep | None = None
    category_sizes: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    randomness: str = "os"

    @property
    def point(self) -> SweepPoint:
        """The chosen release in the sweep."""
        return next(point for point in self.sweep.points if point.value == self.chosen)


def study_history(
    history: History,
    method: str,
    values: Sequence[object],
    *,
    chosen: object = None,
    parameter: str = "k",
    params: Mapping[str, object] | None = None,
    categories: Categories | None = None,
    attacks: Sequence[str] = (),
    measures: Sequence[str] = (),
    settings: ParamsByMethod | None = None,
    examples: Examples = "invented",
    sweep: Sweep | None = None,
    by_category: Sweep | None = None,
    seed: int | None = None,
) -> HistoryStudy:
    """Sweep (unless sweeps are given), then attack and measure the chosen release.

    By default that is the one with the smallest sum, and all attacks are tried; all measures are
    taken of it, those named of every release. `settings` are parameters of attacks and measures.
    """
    if examples not in EXAMPLES:
        raise UnknownNameError(Message("kind of example"), examples, EXAMPLES)
    methods = build_methods(method, params, parameter, values)
    prepared = prepare_shared(methods, parameter, history)
    if sweep is None:
        sweep = sweep_of(
            HISTORIES,
            history,
            method,
            values,
            parameter=parameter,
            params=params,
            measures=measures,
            settings=settings,
            prepared=prepared,
            seed=seed,
        )
    value = sweep.best.value if chosen is None else chosen
    if value not in values:
        listed = ", ".join(map(str, values))
        raise UsageError(
            "the chosen value {chosen} is not among those swept: {values}",
            chosen=value,
            values=listed,
        )
    if categories is not None and by_category is None:
        by_category = sweep_by_category(
            history, categories, sweep, measures=measures, settings=settings, seed=seed
        )
    release = anonymize(history, methods[value], seed=seed, prepared=prepared)
    if examples == "data":
        example = cluster_example(history, release, rng=Randomness(seed).child("example"))
    else:
        example = invented_example(method)
    case = HistoryCase(history, release.rows)
    public = release.provenance.as_json(public=True)
    return HistoryStudy(
        facts=_history_facts(history),
        sweep=sweep,
        chosen=value,
        k=int(release.k or 1),
        attacks=attack(history, release, methods=attacks, params=settings, seed=seed),
        scores=measure(history, release, params=settings),
        activity=rows_by_activity(case),
        months=monthly_curves(case),
        example=example,
        by_category=by_category,
        category_sizes={} if categories is None else categories.sizes(),
        versions=public["versions"],
        randomness=public["randomness"],
    )


def _history_facts(history: History) -> HistoryFacts:
    days = history.numbers("day")
    first, last = (str(np.datetime64(int(day), "D")) for day in (days.min(), days.max()))
    return HistoryFacts(history.rows, len(history.customers), len(history.item_names), first, last)
