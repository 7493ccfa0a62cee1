"""Requests of the services on purchase histories: typed, frozen, complete.

    source = HistorySource(data="T.csv", layout=history_layout("pws2018"))
    request = AnonymizeHistoryRequest(source=source, method=RankMatch(k=6), seed=1)

The command line builds them from options, Python from keywords, a recipe from YAML, the studio from
its project, advice from a candidate.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars as pl

    from tokumei.core.workflow import ParamsByMethod
    from tokumei.files.file_formats import AnyPath
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.histories.anonymizers.grouping_method import GroupingMethod
    from tokumei.histories.data.generalized_history import GeneralHistory
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.histories.formats.layout import HistoryLayout


@dataclass(frozen=True, kw_only=True)
class HistorySource:
    """A history: a file or frame and its layout (None: a table with a header), or one already read.

    `categories` replace the items when it is read: a mapping, or how one is made.
    """

    data: AnyPath | ArrowFrame | History = ""
    layout: HistoryLayout | None = None
    categories: Mapping[str, str] | CategoryRequest | None = None

    @property
    def files(self) -> list[AnyPath]:
        """The files that are read."""
        items = self.categories.items if isinstance(self.categories, CategoryRequest) else None
        return [path for path in (self.data, items) if isinstance(path, str | os.PathLike)]


@dataclass(frozen=True, kw_only=True)
class CategoryRequest:
    """How items get categories: `by` a mapping file, keywords, prefix:N or co-purchase:N.

    `items` is the file of their descriptions, `rules` one of keywords; `seed` repeats the draws.
    """

    by: str
    items: str | None = None
    rules: str | None = None
    encoding: str = "auto"
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class RecordRequest:
    """The ledger that a release is checked against and recorded in, and who gets the release."""

    folder: str
    key_file: str | None = None
    recipient: str | None = None
    name: str = ""
    joint_k: int | None = None


@dataclass(frozen=True, kw_only=True)
class AnonymizeHistoryRequest:
    """A release of a history: its source, the method, and what is drawn at random.

    `seed` (or the number of a key) repeats the draws. `sha256` is the digest of the source where
    the service does not read its file. `format` is the layout that is written (default: as read).
    """

    source: HistorySource
    method: GroupingMethod
    seed: int | None = None
    sha256: str | None = None
    format: str | None = None
    engine: Literal["local", "spark"] = "local"
    cluster: str | None = None
    record: RecordRequest | None = None


@dataclass(frozen=True, kw_only=True)
class AttackHistoryRequest:
    """Attacks (all by default) on public rows by somebody who knows a history.

    `answers`: all, most-confident, or the number of answers to give.
    """

    known: HistorySource
    public: AnyPath | pl.DataFrame
    methods: tuple[str, ...] = ()
    params: ParamsByMethod = field(default_factory=dict)
    answers: str = "all"
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class MeasureHistoryRequest:
    """Measures (all by default) of a release, row by row as its original.

    Categories of the original's source are those that replaced the items before the release.
    """

    original: HistorySource
    release: AnyPath | HistoryRelease | GeneralHistory
    methods: tuple[str, ...] = ()
    params: ParamsByMethod = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CheckHistoryRequest:
    """Files made of an original by any tool, to be checked, scored or published.

    `release` has all rows in the original's order, `public` those that attackers see, `guesses`
    name customers. With `k`, so many people must share every history.
    """

    original: HistorySource
    release: AnyPath = ""
    public: AnyPath = ""
    guesses: tuple[AnyPath, ...] = ()
    k: int | None = None
    engine: Literal["local", "spark"] = "local"
    cluster: str | None = None


@dataclass(frozen=True, kw_only=True)
class SweepHistoryRequest:
    """Releases over the values of a parameter, of one method or several with their parameters."""

    source: HistorySource
    methods: ParamsByMethod
    values: tuple[int, ...]
    categories: CategoryRequest | None = None
    measures: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    seed: int | None = None
