"""Builds requests on purchase histories from keywords: what `tk.anonymize`, `tk.attack` … call.

import tokumei as tk
history = tk.sample_history(20_000, seed=1)
release = tk.anonymize(history, "rank-match", k=6)
tk.measure(history, release)["loss"].value
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from tokumei.core.data_kind import KindServices
from tokumei.core.measure import Score
from tokumei.core.result_table import AttackResults, MeasureResults
from tokumei.core.sweep import Trial
from tokumei.core.workflow import ParamsByMethod
from tokumei.files.file_formats import AnyPath
from tokumei.files.frame_conversion import ArrowFrame, SparkFrame
from tokumei.files.spark.session import is_spark_frame
from tokumei.histories.anonymizers.grouping_method import GroupingMethod
from tokumei.histories.data.generalized_history import GeneralHistory
from tokumei.histories.data.guess import HistoryHits
from tokumei.histories.data.history import History, sample_history
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.registry import anonymizers
from tokumei.histories.services.anonymize import anonymize_history
from tokumei.histories.services.anonymize import find_faults as faults
from tokumei.histories.services.anonymize import release_outputs as outputs
from tokumei.histories.services.attack import attack_history, count_hits
from tokumei.histories.services.measure import measure_history
from tokumei.histories.services.read import read_history
from tokumei.histories.services.requests import (
    AnonymizeHistoryRequest,
    AttackHistoryRequest,
    CategoryRequest,
    HistorySource,
    MeasureHistoryRequest,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from tokumei.histories.spark.reading import SparkHistory

__all__ = ["anonymize", "attack", "faults", "measure", "outputs", "sample"]
Categories = str | Mapping[str, str] | None
"""A mapping of items, the file of one, or how it is made: keywords, prefix:N, co-purchase:N."""


def read(
    source: AnyPath | ArrowFrame | SparkFrame, format: str, options: Mapping[str, Any]
) -> History | SparkHistory:
    """The purchases in a file or a frame of this layout, whose fields are the options.

    Rows of a Spark DataFrame stay on its cluster.
    """
    if is_spark_frame(source):
        from tokumei.histories.spark.reading import read_spark_history

        there = cast("DataFrame", source)
        return read_spark_history(there.sparkSession, there, format=format, **options)
    layout = history_layout(format, options)
    here = cast("AnyPath | ArrowFrame", source)
    return read_history(HistorySource(data=here, layout=layout)).history


def anonymize(
    source: History | SparkHistory,
    method: str | GroupingMethod,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    prepared: object = None,
    format: str | None = None,
    categories: Categories = None,
    items: str | None = None,
    **params: Any,
) -> Any:
    """A verified release by a method's name (its parameters follow) or object.

    `categories` replace the items first; `items` is the file of their descriptions. Items whose
    names a file of the `format` (default: the source's) cannot hold are refused. Rows of a
    SparkHistory stay on the cluster. `prepared` is what the method's `prepare` gave, when several
    releases share it.
    """
    if not isinstance(source, History):
        from tokumei.histories.spark.anonymize import anonymize_history_on_spark

        return anonymize_history_on_spark(source, method, seed=seed, **params)
    request = AnonymizeHistoryRequest(
        source=HistorySource(data=source, categories=_categories(categories, items, seed)),
        method=anonymizers.build(method, params) if isinstance(method, str) else method,
        seed=seed,
        sha256=sha256,
        format=format,
    )
    return anonymize_history(request, prepared=prepared)


def attack(
    original: History,
    release: HistoryRelease,
    *,
    known: History | None = None,
    methods: Sequence[str] = (),
    params: ParamsByMethod | None = None,
    seed: int | None = None,
) -> AttackResults[HistoryHits]:
    """How many people each attack finds (all attacks by default); it knows all of the original.

    Categories that replaced the items of the release are known, too.
    """
    history = known or original
    request = AttackHistoryRequest(
        known=HistorySource(data=history, categories=_replaced(history, release)),
        public=release.public,
        methods=tuple(methods),
        params=params or {},
        seed=seed,
    )
    return count_hits(attack_history(request), release, customers=len(original.customers))


def measure(
    original: History,
    released: HistoryRelease | GeneralHistory,
    *,
    methods: Sequence[str] = (),
    params: ParamsByMethod | None = None,
    categories: Categories = None,
) -> MeasureResults[Score]:
    """The contest's loss with its parts, and what the data is still good for (all by default).

    Where `categories` replaced the items (a release brings its own), also the honest loss.
    """
    own = _replaced(original, released) if isinstance(released, HistoryRelease) else None
    request = MeasureHistoryRequest(
        original=HistorySource(data=original, categories=own or _categories(categories)),
        release=released,
        methods=tuple(methods),
        params=params or {},
    )
    return measure_history(request)[0]


def sample(rows: int = 20_000, *, seed: int | None = None, customers: int | None = None) -> History:
    """A year of a made-up shop."""
    return sample_history(rows, customers=customers, seed=seed)


def points(source: History | ArrowFrame) -> pl.DataFrame:
    """Customer, day and what else there is, a row per purchase, of a history or a frame."""
    return read_history(HistorySource(data=source)).history.frame


def trial(source: History, method: str, values: Sequence[object], **options: Any) -> Trial:
    """What a sweep does with each value: release, measure, attack."""
    from tokumei.histories.sweeps import history_trial

    return history_trial(source, method, values, **options)


def _categories(
    given: Categories, items: str | None = None, seed: int | None = None
) -> Mapping[str, str] | CategoryRequest | None:
    return CategoryRequest(by=given, items=items, seed=seed) if isinstance(given, str) else given


def _replaced(history: History, release: HistoryRelease) -> Mapping[str, str] | None:
    """The categories of a release, unless they replaced the items of the history already."""
    return None if history.recoded else release.categories


SERVICES = KindServices(
    anonymize=anonymize,
    faults=faults,
    outputs=outputs,
    attack=attack,
    measure=measure,
    sample=sample,
    read=read,
    trial=trial,
    points=points,
)
