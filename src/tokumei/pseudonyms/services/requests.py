"""Requests of the services on pseudonyms over time: typed, frozen, complete.

    source = PeriodSource(data="T.csv", layout=Pws2017(master="M.csv"))
    request = AnonymizePeriodsRequest(source=source, method=Pseudonyms(lifetime=1), seed=1)

The command line builds them from options, Python from keywords, a recipe from YAML, the studio from
its project, advice from a candidate.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokumei.pseudonyms.data.knowledge import PartialKnowledge

if TYPE_CHECKING:
    from tokumei.core.workflow import ParamsByMethod
    from tokumei.files.file_formats import AnyPath
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.pseudonyms.anonymizers.pseudonyms import PeriodAnonymizer
    from tokumei.pseudonyms.data.period_history import (
        CustomerMaster,
        PeriodHistory,
        PurchaseHistory,
    )
    from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
    from tokumei.pseudonyms.data.purchase_text_cells import Months, PeriodRows
    from tokumei.pseudonyms.formats.pws2017 import Pws2017


@dataclass(frozen=True, kw_only=True)
class PeriodSource:
    """A history with its customers: file or frame and their layout, or purchases already read."""

    data: AnyPath | ArrowFrame | PeriodHistory | PurchaseHistory
    layout: Pws2017 | None = None

    @property
    def files(self) -> list[AnyPath]:
        """The files that are read."""
        master = None if self.layout is None else self.layout.master
        return [path for path in (self.data, master) if isinstance(path, str | os.PathLike)]


@dataclass(frozen=True, kw_only=True)
class AnonymizePeriodsRequest:
    """A release under changing pseudonyms: its source, the method, what is drawn at random.

    `seed` (or the number of a key) repeats the draws. `sha256` is the digest of the source where
    the service does not read its file.
    """

    source: PeriodSource
    method: PeriodAnonymizer
    seed: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, kw_only=True)
class AttackPeriodsRequest:
    """Attacks (all by default) on public rows by somebody who knows some rows and all customers.

    `months` are those of the original, if they are known; `truth` is the table of pseudonyms.
    """

    public: AnyPath | PeriodRows
    known: AnyPath | PeriodRows
    master: AnyPath | CustomerMaster
    months: Months | None = None
    truth: AnyPath | PseudonymTable | None = None
    methods: tuple[str, ...] = ()
    params: ParamsByMethod = field(default_factory=dict)
    seed: int | None = None
    encoding: str = "auto"


@dataclass(frozen=True, kw_only=True)
class MeasurePeriodsRequest:
    """Measures (the judge's by default) of a release; some need the customers."""

    original: AnyPath | PeriodRows
    release: AnyPath | PeriodRows
    master: AnyPath | CustomerMaster | None = None
    methods: tuple[str, ...] = ()
    params: ParamsByMethod = field(default_factory=dict)
    encoding: str = "auto"


@dataclass(frozen=True, kw_only=True)
class CheckPeriodsRequest:
    """Files that any tool made of an original, to be checked, scored or published.

    `release` has all rows in the original's order, `public` those that attackers see, `secret` the
    true table; `guesses` are tables, `guess_map` has lines period,pseudonym,customer.
    """

    master: AnyPath = ""
    original: AnyPath | None = None
    release: AnyPath = ""
    public: AnyPath | None = None
    secret: AnyPath = ""
    guesses: tuple[str, ...] = ()
    guess_map: AnyPath | None = None
    encoding: str = "auto"


DEFAULT_RATE = 0.1
UTILITY_MEASURES = ("itemcf", "itemcf_supply", "itemcf_retail", "topk", "topk_similarity", "worst")
CONTEST_KNOWLEDGE = PartialKnowledge(prefix={"item": 2})
"""As in the contest: the first two characters of every known item."""


@dataclass(frozen=True, kw_only=True)
class KnowledgeRequest:
    """What an attacker knows of rows, drawn at random; `seed` repeats the draws."""

    rows: AnyPath | PeriodRows
    knowledge: PartialKnowledge
    seed: int | None = None
    encoding: str = "auto"


@dataclass(frozen=True, kw_only=True)
class LifetimeRequest:
    """Releases with every lifetime (all by default), each attacked with every knowledge.

    `alphas` are shares of rows known; `halves`: the first half of the months is known instead.
    `knowledge` is how well a row is known, `params` what else the method `pseudonyms` does, `rate`
    the link rate allowed.
    """

    source: PeriodSource
    lifetimes: tuple[int, ...] = ()
    alphas: tuple[float, ...] = (0.25,)
    halves: bool = False
    attack: str = "best"
    rate: float = DEFAULT_RATE
    knowledge: PartialKnowledge = CONTEST_KNOWLEDGE
    params: Mapping[str, object] = field(default_factory=dict)
    measures: tuple[str, ...] = UTILITY_MEASURES
    seed: int | None = None
