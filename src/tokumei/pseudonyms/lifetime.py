"""How long may a pseudonym be used? Link rate and utility against its lifetime.

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
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.pseudonyms.data.history import Master, PeriodHistory, Purchases, periods_of
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.data.rows import PeriodRows
from tokumei.pseudonyms.flow import anonymize, attack_periods, measure, score_guess
from tokumei.pseudonyms.links import Links, VolumeLinks, links_by_volume, pseudonym_links
from tokumei.pseudonyms.registry import anonymizers, attackers

RATE = 0.1
UTILITY = ("itemcf", "itemcf_supply", "itemcf_retail", "topk", "topk_similarity", "worst")
KNOWLEDGE = PartialKnowledge(prefix={"item": 2})
"""As in the contest: the first two characters of every known item."""


@dataclass(frozen=True)
class LifetimePoint:
    """One release under one attack; `alpha` is the share of rows known, None for halves."""

    lifetime: int
    alpha: float | None
    links: Links
    reid_active: float
    reid_all: float
    rows_per_pseudonym: float
    utility: Mapping[str, float]
    volumes: tuple[VolumeLinks, ...] = ()
    """The same links by how much customers bought."""

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **_figures(self, self.links),
            "baseline": self.links.baseline,
            "reid_active": self.reid_active,
            "reid_all": self.reid_all,
            "pseudonyms": self.links.pseudonyms,
            "rows_per_pseudonym": self.rows_per_pseudonym,
            **self.utility,
        }


def _figures(point: LifetimePoint, links: Links) -> dict[str, Any]:
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
        return self._longest([point.links for point in self.points])

    @property
    def volumes(self) -> list[Volume]:
        """Customers by how much they bought, and the longest lifetime of each."""
        found = []
        for part, one in enumerate(self.points[0].volumes):
            longest = self._longest([point.volumes[part].links for point in self.points])
            found.append(Volume(one.least, one.most, one.links.customers, longest))
        return found

    def _longest(self, links: Sequence[Links]) -> int | None:
        over = {
            p.lifetime for p, one in zip(self.points, links, strict=True) if one.high >= self.rate
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
                {**vars(one), "points": [_figures(p, p.volumes[part].links) for p in self.points]}
                for part, one in enumerate(self.volumes)
            ],
        }


@dataclass(frozen=True)
class Volume:
    """Customers who bought from `least` to `most` rows, and the longest lifetime for them."""

    least: int
    most: int
    customers: int
    longest: int | None


@dataclass(frozen=True)
class _Question:
    """What is released and what is known of it, by share of rows (None: by halves)."""

    source: PeriodHistory
    known: Mapping[float | None, PeriodRows]
    months: int
    """How many months are released."""


def lifetime(
    source: PeriodHistory | Purchases,
    *,
    lifetimes: Sequence[int] = (),
    alphas: Sequence[float] = (0.25,),
    halves: bool = False,
    attack: str = "best",
    rate: float = RATE,
    knowledge: PartialKnowledge = KNOWLEDGE,
    params: Mapping[str, Any] | None = None,
    measures: Sequence[str] = UTILITY,
    seed: int | None = None,
) -> LifetimeCurve:
    """Release with every lifetime (all by default), attack with every knowledge, measure.

    `knowledge` is how well a row is known, `params` what else the method `pseudonyms` does.
    """
    history = periods_of(source)
    asked = _halves(history) if halves else _drawn(history, alphas, knowledge, seed)
    tried = list(dict.fromkeys(lifetimes)) or range(1, asked.months + 1)
    given = dict(params or {})
    attackers.get(attack)  # an unknown name is said before the work begins
    _require(asked, tried, rate, given)
    points = []
    with meter(Text("lifetimes", "有効期間"), len(tried) * len(asked.known)) as advance:
        for months in tried:
            method = anonymizers.build("pseudonyms", {**given, "lifetime": months})
            release = anonymize(asked.source, method, seed=seed)
            scores = measure(asked.source, release, methods=measures) if measures else {}
            utility = {name: score.value for name, score in scores.items()}
            for alpha in asked.known:
                points.append(_point(months, alpha, release, utility, asked, attack, seed))
                advance(1)
    customers = len(asked.source.master.customers)
    rows = asked.source.rows.rows
    return LifetimeCurve(tuple(points), attack, rate, asked.months, customers, rows, given)


def _point(
    lifetime: int,
    alpha: float | None,
    release: PeriodRelease,
    utility: Mapping[str, float],
    asked: _Question,
    attack: str,
    seed: int | None,
) -> LifetimePoint:
    known = asked.known[alpha]
    guess = attack_periods(asked.source, release, known=known, methods=[attack], seed=seed)[attack]
    links = pseudonym_links(guess, release.table)
    scores = score_guess(release, guess)
    rows = release.public.rows / max(links.pseudonyms, 1)
    active, whole = scores["reid_active"].value, scores["reid_all"].value
    people = len(asked.source.master.customers)
    bought = np.bincount(asked.source.person, minlength=people)
    volumes = links_by_volume(guess, release.table, bought)
    return LifetimePoint(lifetime, alpha, links, active, whole, rows, utility, volumes)


def _drawn(
    source: PeriodHistory, alphas: Sequence[float], knowledge: PartialKnowledge, seed: int | None
) -> _Question:
    """The same rows are known whatever the lifetime, so that nothing else differs."""
    known: dict[float | None, PeriodRows] = {}
    for alpha in sorted(set(alphas)):
        known[alpha] = replace(knowledge, alpha=alpha).of(source.rows, rng=Randomness(seed))
    return _Question(source, known, source.months.count)


def _halves(source: PeriodHistory) -> _Question:
    """The first half of the months is known, the second released, of those who buy in both."""
    half = source.months.count // 2
    later = source.period >= half
    both = np.intersect1d(source.person[later], source.person[~later])
    if not len(both):
        raise UsageError(
            "nobody buys in both halves of the months", "前半と後半の両方に購買のある顧客がいません"
        )
    asked = np.isin(source.person, both)
    master = Master(source.master.frame[both])
    # An attack is told all months: it looks at no row outside of them.
    released = PeriodHistory(source.rows.take(asked & later), master, source.months)
    return _Question(released, {None: source.rows.take(asked & ~later)}, source.months.count - half)


def _require(
    asked: _Question, lifetimes: Sequence[int], rate: float, params: Mapping[str, Any]
) -> None:
    count = asked.months
    if not 0 < rate <= 1:
        raise UsageError(
            f"rate: above 0 and at most 1, not {rate}", f"rate は 0 より大きく 1 以下です ({rate})"
        )
    if not asked.known or not all(1 <= months <= count for months in lifetimes):
        raise UsageError(
            f"lifetimes from 1 to {count} (the months released) and at least one alpha",
            f"有効期間は 1〜{count} (公開する月数)、alpha は一つ以上にしてください",
        )
    if "lifetime" in params:
        raise UsageError("the lifetime is what varies", "有効期間は変化させるので指定できません")
