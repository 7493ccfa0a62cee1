"""Computes link rate and utility against the lifetime of a pseudonym.

    curve = lifetime(history, alphas=[0.25, 0.5], rate=0.1, seed=1)
    curve.longest                     # the longest lifetime under the rate, or None

Every lifetime is released, attacked with the same knowledge, and measured. `halves` is the cheap
question: somebody knows the first half of the months, and what follows is released.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import PeriodHistory, PurchaseHistory
from tokumei.pseudonyms.lifetime_curve import LifetimeCurve
from tokumei.pseudonyms.services.lifetime import measure_lifetimes
from tokumei.pseudonyms.services.requests import (
    CONTEST_KNOWLEDGE,
    DEFAULT_RATE,
    UTILITY_MEASURES,
    LifetimeRequest,
    PeriodSource,
)


def lifetime(
    source: PeriodHistory | PurchaseHistory,
    *,
    lifetimes: Sequence[int] = (),
    alphas: Sequence[float] = (0.25,),
    halves: bool = False,
    attack: str = "best",
    rate: float = DEFAULT_RATE,
    knowledge: PartialKnowledge = CONTEST_KNOWLEDGE,
    params: Mapping[str, object] | None = None,
    measures: Sequence[str] = UTILITY_MEASURES,
    seed: int | None = None,
) -> LifetimeCurve:
    """Release with every lifetime (all by default), attack with every knowledge, measure.

    `knowledge` is how well a row is known, `params` what else the method `pseudonyms` does.
    """
    request = LifetimeRequest(
        source=PeriodSource(data=source),
        lifetimes=tuple(lifetimes),
        alphas=tuple(alphas),
        halves=halves,
        attack=attack,
        rate=rate,
        knowledge=knowledge,
        params=params or {},
        measures=tuple(measures),
        seed=seed,
    )
    return measure_lifetimes(request)
