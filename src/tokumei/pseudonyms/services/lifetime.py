"""Releases a history with every lifetime of pseudonyms, attacks each release and measures it.

request = LifetimeRequest(source=PeriodSource(data=history), alphas=(0.25, 0.5), rate=0.1)
measure_lifetimes(request).longest      # the longest lifetime under the rate, or None
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.pseudonyms.data.period_history import CustomerMaster, PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.lifetime_curve import LifetimeCurve, LifetimePoint
from tokumei.pseudonyms.link_rate import links_by_volume, score_link_guess
from tokumei.pseudonyms.registry import anonymizers, attackers
from tokumei.pseudonyms.services.anonymize import anonymize_periods, read_periods
from tokumei.pseudonyms.services.attack import attack_periods
from tokumei.pseudonyms.services.knowledge import draw_knowledge
from tokumei.pseudonyms.services.measure import measure_periods
from tokumei.pseudonyms.services.requests import (
    AnonymizePeriodsRequest,
    AttackPeriodsRequest,
    KnowledgeRequest,
    LifetimeRequest,
    MeasurePeriodsRequest,
    PeriodSource,
)


@dataclass(frozen=True)
class _LifetimeQuestion:
    """What is released and what is known of it, by share of rows (None: by halves)."""

    source: PeriodHistory
    known: Mapping[float | None, PeriodRows]
    months: int
    """How many months are released."""


def measure_lifetimes(request: LifetimeRequest) -> LifetimeCurve:
    """Release with every lifetime, attack with every knowledge, measure."""
    history = read_periods(request.source)
    question = (
        _question_by_halves(history) if request.halves else _question_by_share(history, request)
    )
    tried_lifetimes = list(dict.fromkeys(request.lifetimes)) or range(1, question.months + 1)
    attackers.get(request.attack)  # an unknown name is said before the work begins
    _require_valid_request(question, tried_lifetimes, request)
    points = []
    with progress_bar(Message("lifetimes"), len(tried_lifetimes) * len(question.known)) as advance:
        for months in tried_lifetimes:
            release, utility = _release_and_measure(question.source, months, request)
            for alpha in question.known:
                points.append(_measure_point(months, alpha, release, utility, question, request))
                advance(1)
    customers = len(question.source.master.customers)
    rows = question.source.rows.rows
    return LifetimeCurve(
        tuple(points),
        request.attack,
        request.rate,
        question.months,
        customers,
        rows,
        dict(request.params),
    )


def _release_and_measure(
    source: PeriodHistory, months: int, request: LifetimeRequest
) -> tuple[PeriodRelease, dict[str, float]]:
    method = anonymizers.build("pseudonyms", {**request.params, "lifetime": months})
    release = anonymize_periods(
        AnonymizePeriodsRequest(source=PeriodSource(data=source), method=method, seed=request.seed)
    )
    if not request.measures:
        return release, {}
    scores = measure_periods(
        MeasurePeriodsRequest(
            original=source.rows,
            release=release.rows,
            master=source.master,
            methods=request.measures,
        )
    )
    return release, {name: score.value for name, score in scores.items()}


def _measure_point(
    lifetime: int,
    alpha: float | None,
    release: PeriodRelease,
    utility: Mapping[str, float],
    question: _LifetimeQuestion,
    request: LifetimeRequest,
) -> LifetimePoint:
    attacked = attack_periods(
        AttackPeriodsRequest(
            public=release.public,
            known=question.known[alpha],
            master=question.source.master,
            months=release.months,
            truth=release.table,
            methods=(request.attack,),
            seed=request.seed,
        )
    )
    guess, scores = attacked.guesses[request.attack], attacked.rates[request.attack]
    links = score_link_guess(guess, release.table)
    rows = release.public.rows / max(links.pseudonyms, 1)
    active, whole = scores["reid_active"].value, scores["reid_all"].value
    people = len(question.source.master.customers)
    bought = np.bincount(question.source.person, minlength=people)
    volumes = links_by_volume(guess, release.table, bought)
    return LifetimePoint(lifetime, alpha, links, active, whole, rows, utility, volumes)


def _question_by_share(source: PeriodHistory, request: LifetimeRequest) -> _LifetimeQuestion:
    """The same rows are known whatever the lifetime, so that nothing else differs."""
    known: dict[float | None, PeriodRows] = {}
    for alpha in sorted(set(request.alphas)):
        knowledge = replace(request.knowledge, alpha=alpha)
        known[alpha] = draw_knowledge(
            KnowledgeRequest(rows=source.rows, knowledge=knowledge, seed=request.seed)
        )
    return _LifetimeQuestion(source, known, source.months.count)


def _question_by_halves(source: PeriodHistory) -> _LifetimeQuestion:
    """The first half of the months is known, the second released, of those who buy in both."""
    half = source.months.count // 2
    later = source.period >= half
    people = np.intersect1d(source.person[later], source.person[~later])
    if not len(people):
        raise UsageError("nobody buys in both halves of the months")
    in_both = np.isin(source.person, people)
    master = CustomerMaster(source.master.frame[people])
    # An attack is told all months: it looks at no row outside of them.
    released = PeriodHistory(source.rows.take(in_both & later), master, source.months)
    return _LifetimeQuestion(
        released, {None: source.rows.take(in_both & ~later)}, source.months.count - half
    )


def _require_valid_request(
    question: _LifetimeQuestion, lifetimes: Sequence[int], request: LifetimeRequest
) -> None:
    count, rate = question.months, request.rate
    if not 0 < rate <= 1:
        raise UsageError("rate: above 0 and at most 1, not {rate}", rate=rate)
    if not question.known or not all(1 <= months <= count for months in lifetimes):
        raise UsageError(
            "lifetimes from 1 to {months} (the months released) and at least one alpha",
            months=count,
        )
    if "lifetime" in request.params:
        raise UsageError("the lifetime cannot be set: all lifetimes are tried")
