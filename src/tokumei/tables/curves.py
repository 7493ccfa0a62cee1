"""How time and success of an attack depend on how much it uses (the paper's Figures 2–6)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.suite import attack_suite

By = Literal["qi", "sa", "rows"]
ROW_STEPS = 10


@dataclass(frozen=True)
class CurvePoint:
    """One attack run: how much it used, how often it was right, how long it took."""

    attack: str
    by: By
    used: int
    rate: float
    low: float
    high: float
    baseline: float
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


def attack_curve(
    case: Comparison,
    by: By,
    attacks: Sequence[str],
    *,
    rng: Randomness,
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[CurvePoint]:
    """Run the attacks with the first 1, 2, … QI or SA, or with growing random parts of the rows."""
    top = {"qi": len(case.qi), "sa": len(case.sa), "rows": case.released.rows}[by]
    steps = list(range(1, top + 1))
    if by == "rows":
        steps = sorted({max(2, round(top * i / ROW_STEPS)) for i in range(1, ROW_STEPS + 1)})
    order = rng.child("rows").permutation(case.released.rows)
    points = []
    for used in track(steps, Text("curve", "曲線")):
        part = _part(case, by, used, order)
        for attack in attacks:
            started = time.perf_counter()
            rate = attack_suite(part, [attack], rng=rng, params=params, expected=True)[attack]
            seconds = time.perf_counter() - started
            points.append(
                CurvePoint(attack, by, used, rate.rate, rate.low, rate.high, rate.baseline, seconds)
            )
    return points


def _part(case: Comparison, by: By, used: int, order: np.ndarray) -> Comparison:
    """The case with fewer QI, fewer SA, or fewer people."""
    if by == "rows":
        return _fewer_people(case, np.sort(order[:used]))
    qi = case.qi[:used] if by == "qi" else case.qi
    sa = case.sa[:used] if by == "sa" else case.sa
    original = Table.of(case.original, qi=qi, sa=sa)
    return Comparison(original, case.released, case.link, ())


def _fewer_people(case: Comparison, keep: np.ndarray) -> Comparison:
    """Some released rows and the original rows they are linked to."""
    originals, link = np.unique(case.link[keep], return_inverse=True)
    return Comparison(
        case.original.take(originals), case.released.take(keep), link.astype(np.int64), case.cross
    )
