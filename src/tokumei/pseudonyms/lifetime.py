"""Computes link rate and utility against the lifetime of a pseudonym.

    curve = lifetime(history, alphas=[0.25, 0.5], rate=0.1, seed=1)
    curve.longest                     # the longest lifetime under the rate, or None

Every lifetime is released, attacked with the same knowledge, and measured. `halves` is the cheap
question: somebody knows the first half of the months, and what follows is released.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import (
    CustomerMaster,
    PeriodHistory,
    PurchaseHistory,
    to_period_history,
)
from tokumei.pseudonyms.data.period_rows import PeriodRows
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.flow import anonymize, attack_periods, measure, score_guess
from tokumei.pseudonyms.link_rate import LinkRate, VolumeLinks, links_by_volume, measure_links
from tokumei.pseudonyms.registry import anonymizers, attackers

DEFAULT_RATE = 0.1
UTILITY_MEASURES = ("itemcf", "itemcf_supply", "itemcf_retail", "topk", "topk_similarity", "worst")
CONTEST_KNOWLEDGE = PartialKnowledge(prefix={"item": 2})
"""As in the contest: the first two characters of every known item."""


@dataclass(frozen=True)
class LifetimePoint:
    """One release under one attack; `alpha` is the share of rows known, None for halves."""

    lifetime: int
    alpha: float | None
    links: LinkRate
    reid_active: float
    reid_all: float
    rows_per_pseudonym: float
    utility: Mapping[str, float]
    volumes: tuple[VolumeLinks, ...] = ()
    """The same links by how much customers bought."""

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **_link_figures(self, self.links),
            "baseline": self.links.baseline,
            "reid_active": self.reid_active,
            "reid_all": self.reid_all,
            "pseudonyms": self.links.pseudonyms,
            "rows_per_pseudonym": self.rows_per_pseudonym,
            **self.utility,
        }


def _link_figures(point: LifetimePoint, links: LinkRate) -> dict[str, Any]:
    rates = {"link_rate": links.rate, "low": links.low, "high": links.high}
    return {"lifetime": point.lifetime, "alpha": point.alpha, **rates}


@dataclass(frozen=True)
class LifetimeCurve:
    """All lifetimes under all knowledge, and the rate that is allowed."""

    points: tuple[LifetimePoint, ...]
    attack: str
    rate: float
    periods: int
    customers: int
    rows: int
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def lifetimes(self) -> list[int]:
        """The lifetimes tried."""
        return list(dict.fromkeys(point.lifetime for point in self.points))

    @property
    def alphas(self) -> list[float | None]:
        """The shares of rows known."""
        return list(dict.fromkeys(point.alpha for point in self.points))

    @property
    def longest(self) -> int | None:
        """The longest lifetime whose interval stays under the rate, whatever is known; or None."""
        return self._longest_under_rate([point.links for point in self.points])

    @property
    def volumes(self) -> list[VolumeLifetime]:
        """Customers by how much they bought, and the longest lifetime of each."""
        volume_lifetimes = []
        for part, volume in enumerate(self.points[0].volumes):
            longest = self._longest_under_rate([point.volumes[part].links for point in self.points])
            volume_lifetimes.append(
                VolumeLifetime(volume.least, volume.most, volume.links.customers, longest)
            )
        return volume_lifetimes

    def _longest_under_rate(self, links: Sequence[LinkRate]) -> int | None:
        over = {
            p.lifetime
            for p, point_links in zip(self.points, links, strict=True)
            if point_links.high >= self.rate
        }
        return max(set(self.lifetimes) - over, default=None)

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "attack": self.attack,
            "rate": self.rate,
            "longest": self.longest,
            "points": [point.as_json() for point in self.points],
            "volumes": [
                {
                    **vars(volume),
                    "points": [_link_figures(p, p.volumes[part].links) for p in self.points],
                }
                for part, volume in enumerate(self.volumes)
            ],
        }


@dataclass(frozen=True)
class VolumeLifetime:
    """Customers who bought from `least` to `most` rows, and the longest lifetime for them."""

    least: int
    most: int
    customers: int
    longest: int | None


@dataclass(frozen=True)
class _LifetimeQuestion:
    """What is released and what is known of it, by share of rows (None: by halves)."""

    source: PeriodHistory
    known: Mapping[float | None, PeriodRows]
    months: int
    """How many months are released."""


def lifetime(
    source: PeriodHistory | PurchaseHistory,
    *,
    lifetimes: Sequence[int] = (),
    alphas: Sequence[float] = (0.25,),
    halves: bool = False,
    attack: str = "best",
    rate: float = DEFAULT_RATE,
    knowledge: PartialKnowledge = CONTEST_KNOWLEDGE,
    params: Mapping[str, Any] | None = None,
    measures: Sequence[str] = UTILITY_MEASURES,
    seed: int | None = None,
) -> LifetimeCurve:
    """Release with every lifetime (all by default), attack with every knowledge, measure.

    `knowledge` is how well a row is known, `params` what else the method `pseudonyms` does.
    """
    history = to_period_history(source)
    question = (
        _question_by_halves(history)
        if halves
        else _question_by_share(history, alphas, knowledge, seed)
    )
    tried_lifetimes = list(dict.fromkeys(lifetimes)) or range(1, question.months + 1)
    method_params = dict(params or {})
    attackers.get(attack)  # an unknown name is said before the work begins
    _require_valid_request(question, tried_lifetimes, rate, method_params)
    points = []
    with progress_bar(
        Message("lifetimes", "有効期間"), len(tried_lifetimes) * len(question.known)
    ) as advance:
        for months in tried_lifetimes:
            method = anonymizers.build("pseudonyms", {**method_params, "lifetime": months})
            release = anonymize(question.source, method, seed=seed)
            scores = measure(question.source, release, methods=measures) if measures else {}
            utility = {name: score.value for name, score in scores.items()}
            for alpha in question.known:
                points.append(
                    _measure_point(months, alpha, release, utility, question, attack, seed)
                )
                advance(1)
    customers = len(question.source.master.customers)
    rows = question.source.rows.rows
    return LifetimeCurve(
        tuple(points), attack, rate, question.months, customers, rows, method_params
    )


def _measure_point(
    lifetime: int,
    alpha: float | None,
    release: PeriodRelease,
    utility: Mapping[str, float],
    question: _LifetimeQuestion,
    attack: str,
    seed: int | None,
) -> LifetimePoint:
    known = question.known[alpha]
    guess = attack_periods(question.source, release, known=known, methods=[attack], seed=seed)[
        attack
    ]
    links = measure_links(guess, release.table)
    scores = score_guess(release, guess)
    rows = release.public.rows / max(links.pseudonyms, 1)
    active, whole = scores["reid_active"].value, scores["reid_all"].value
    people = len(question.source.master.customers)
    bought = np.bincount(question.source.person, minlength=people)
    volumes = links_by_volume(guess, release.table, bought)
    return LifetimePoint(lifetime, alpha, links, active, whole, rows, utility, volumes)


def _question_by_share(
    source: PeriodHistory, alphas: Sequence[float], knowledge: PartialKnowledge, seed: int | None
) -> _LifetimeQuestion:
    """The same rows are known whatever the lifetime, so that nothing else differs."""
    known: dict[float | None, PeriodRows] = {}
    for alpha in sorted(set(alphas)):
        known[alpha] = replace(knowledge, alpha=alpha).of(source.rows, rng=Randomness(seed))
    return _LifetimeQuestion(source, known, source.months.count)


def _question_by_halves(source: PeriodHistory) -> _LifetimeQuestion:
    """The first half of the months is known, the second released, of those who buy in both."""
    half = source.months.count // 2
    later = source.period >= half
    people = np.intersect1d(source.person[later], source.person[~later])
    if not len(people):
        raise UsageError(
            "nobody buys in both halves of the months", "前半と後半の両方に購買のある顧客がいません"
        )
    in_both = np.isin(source.person, people)
    master = CustomerMaster(source.master.frame[people])
    # An attack is told all months: it looks at no row outside of them.
    released = PeriodHistory(source.rows.take(in_both & later), master, source.months)
    return _LifetimeQuestion(
        released, {None: source.rows.take(in_both & ~later)}, source.months.count - half
    )


def _require_valid_request(
    question: _LifetimeQuestion, lifetimes: Sequence[int], rate: float, params: Mapping[str, Any]
) -> None:
    count = question.months
    if not 0 < rate <= 1:
        raise UsageError(
            f"rate: above 0 and at most 1, not {rate}", f"rate は 0 より大きく 1 以下です ({rate})"
        )
    if not question.known or not all(1 <= months <= count for months in lifetimes):
        raise UsageError(
            f"lifetimes from 1 to {count} (the months released) and at least one alpha",
            f"有効期間は 1〜{count} (公開する月数)、alpha は一つ以上にしてください",
        )
    if "lifetime" in params:
        raise UsageError("the lifetime is what varies", "有効期間は変化させるので指定できません")
