"""From measures and attacks to one card: U, S, total.

scorecard(contest.scoring, {"loss": 0.3}, {"best": {"1": 0.2}}, unsafe=False)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from tokumei.contest.judge.protocol import Scorecard
from tokumei.contest.judge.toolbox import Named
from tokumei.contest.spec.aggregate import combined, total_of
from tokumei.contest.spec.model import Scoring
from tokumei.core.errors import UsageError
from tokumei.core.measure import Goal

Rates = Mapping[str, Mapping[str, float]]
"""What every attack found with every knowledge."""

DEFAULT, ALL = "default", "all"
MOST = 1e300
"""What an infinite loss (intervals in a constant column) counts as: JSON has no infinity."""


def scorecard(
    scoring: Scoring,
    utility: Mapping[str, float],
    safety: Rates,
    *,
    scale: Mapping[str, float] | None = None,
    unsafe: bool = False,
    more: Mapping[str, Any] | None = None,
) -> Scorecard:
    """The card of these figures; measures with a scale count as shares of it, 1 at the most."""
    utility = {name: _worst(min(value, MOST), MOST) for name, value in utility.items()}
    safety = {
        attack: {known: _worst(rate, 1.0) for known, rate in rates.items()}
        for attack, rates in safety.items()
    }
    scales = {**(scale or {}), **scoring.scale}
    scaled = {name: _scaled(value, scales.get(name)) for name, value in utility.items()}
    figures: dict[str, Any] = {"utility": utility}
    if any(name in scales for name in utility):
        figures["scaled"] = scaled
    figures["safety"] = safety
    worth = combined(list(scaled.values()), scoring.combine_utility)
    means = [fmean(rates.values()) for rates in safety.values()]
    risk = combined(means, scoring.combine_safety) if means else None
    total = total_of(worth, risk, scoring.total)
    return Scorecard(worth, risk, total, unsafe, {**figures, **(more or {})})


def chosen(
    wanted: Sequence[str] | None, default: Sequence[str], every: Sequence[str] = ()
) -> list[str]:
    """The names wanted, each once; `default` (also for None) and `all` stand for several."""
    groups = {DEFAULT: default} | ({ALL: every} if every else {})
    names = [DEFAULT] if wanted is None else wanted
    return list(dict.fromkeys(one for name in names for one in groups.get(name, [name])))


def built_measures(scoring: Scoring, named: Named, names: Sequence[str]) -> dict[str, Any]:
    """The measures by name; a lower value must be the better one."""
    found = {
        name: named.build(name, scoring.parameters.get(name), where="scoring.utility")
        for name in names
    }
    for name, measure in found.items():
        if measure.goal is not Goal.MINIMIZE:
            raise UsageError(
                f"scoring.utility: {name}: only measures for which lower is better can be "
                "used; for this one higher is better",
                f"scoring.utility: {name}: 小さいほど良い指標だけが使えます "
                "(この指標は大きいほど良いものです)",
            )
    return found


def built_attacks(scoring: Scoring, named: Named, names: Sequence[str]) -> dict[str, Any]:
    """The attacks by name, with what they declare for rows that were shuffled, as S's are."""
    found = {}
    for name in names:
        declared = getattr(named.get(name, where="scoring.attacks"), "when_shuffled", {})
        given = {**declared, **scoring.parameters.get(name, {})}
        found[name] = named.build(name, given, where="scoring.attacks")
    return found


def _worst(value: float, worst: float) -> float:
    """The value, or the worst there is: what is no number must not count as nothing."""
    return worst if math.isnan(value) else value


def _scaled(value: float, scale: float | None) -> float:
    if scale is None:
        return value
    if scale == 0:
        return float(value > 0)
    return min(value / scale, 1.0)
