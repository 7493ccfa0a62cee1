"""How often the audit's intervals hold the truth: AUC, rates, risks, singling out.

    python -m bench.audit_coverage --draws 2000 [--fresh]

Every draw makes new people and a new release; the truth is known, or the mean over all draws.
`--fresh`: scenarios of other shapes and sizes, on which nothing was chosen. Whole attacks on
releases that tell nothing are in `bench/audit_calibration.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from scipy.stats import expon, gamma, logistic, norm, t

from tokumei.core.randomness import Randomness
from tokumei.tables.audit.attack_statistics import (
    Interval,
    auc_interval,
    risk_above_control,
    true_positive_rate,
)
from tokumei.tables.audit.released_columns import read_released_columns
from tokumei.tables.audit.singling_out import audit_singling_out

SIZES = ((200, 200, 1.0), (1000, 1000, 0.5), (250, 250, 2.0))
"""Members, controls, and how far the members' scores are shifted."""
FRESH = {
    "exponential": (400, 150, expon(), expon(scale=1.8)),
    "heavy tails": (300, 900, t(3), t(3, loc=1.2)),
    "wider": (600, 600, norm(), norm(0.2, 1.6)),
    "logistic, many": (3000, 2000, logistic(), logistic(0.4)),
    "skewed": (500, 1200, gamma(2), gamma(3.5)),
    "uneven": (120, 2500, norm(), norm(1.5, 0.7)),
}
"""Members, controls, and the distributions of the controls' and the members' scores."""
FRESH_RISKS = ((150, 900, 0.15, 0.05), (2000, 400, 0.6, 0.55), (700, 700, 0.05, 0.12))
RISKS = ((300, 300, 0.45, 0.25), (1000, 1000, 0.3, 0.3), (500, 500, 0.9, 0.2))
"""Members, controls, and the true success on each."""


def fresh(draws: int, rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """AUC and rates of scores of other shapes."""
    for name, (m, n, others, own) in FRESH.items():
        held: dict[str, list[bool]] = {}
        many = own.rvs(1_000_000, random_state=rng)
        truth = {f"TPR {f:.0%}": float(own.sf(others.isf(f))) for f in (0.01, 0.1)}
        truth["AUC"] = float(others.cdf(many).mean())
        for _ in range(draws):
            members, control = own.rvs(m, random_state=rng), others.rvs(n, random_state=rng)
            found = {"AUC": auc_interval(members, control)}
            found |= {f"TPR {f:.0%}": true_positive_rate(members, control, f) for f in (0.01, 0.1)}
            for what, interval in found.items():
                held.setdefault(what, []).append(_holds(interval, truth[what]))
        for what, draw in held.items():
            yield f"{what}, {m} + {n}, {name}", float(np.mean(draw))


def scores(draws: int, rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """AUC and rates of normal scores."""
    for m, n, shift in SIZES:
        truth = {f: float(norm.sf(norm.isf(f) - shift)) for f in (0.01, 0.1)}
        area = float(norm.cdf(shift / 2**0.5))
        held: dict[str, list[bool]] = {}
        for _ in range(draws):
            members, control = rng.normal(shift, 1, m), rng.normal(0, 1, n)
            found = {"AUC": (auc_interval(members, control), area)}
            for f, one in truth.items():
                found[f"TPR {f:.0%}"] = (true_positive_rate(members, control, f), one)
            for name, (interval, value) in found.items():
                held.setdefault(name, []).append(_holds(interval, value))
        for name, draw in held.items():
            yield f"{name}, {m} + {n}, shift {shift:g}", float(np.mean(draw))


def risks(
    draws: int, rng: np.random.Generator, cases: Sequence[tuple[int, int, float, float]] = RISKS
) -> Iterator[tuple[str, float]]:
    """The risk above the control of two shares."""
    for m, n, a, c in cases:
        truth = (a - c) / (1 - c)
        held = [
            _holds(risk_above_control(int(h), m, int(k), n), truth)
            for h, k in zip(rng.binomial(m, a, draws), rng.binomial(n, c, draws), strict=True)
        ]
        yield f"risk, {m} + {n}, {a:g} against {c:g}", float(np.mean(held))


def singled(
    draws: int, rng: np.random.Generator, cases: Sequence[float] = (0.05, 0.3)
) -> Iterator[tuple[str, float]]:
    """Singling out by four of five columns in copies of which some cells are redrawn."""
    for redrawn in cases:
        found = [_single(redrawn, rng) for _ in range(draws)]
        truth = float(np.mean([one.value for one in found]))
        held = float(np.mean([_holds(one, truth) for one in found]))
        yield f"singling out, {redrawn:.0%} of cells redrawn", held


def _single(redrawn: float, rng: np.random.Generator) -> Interval:
    members, control = _people(rng), _people(rng)
    release = {}
    for name in members.columns:
        cells, other = members[name].to_numpy(), rng.permutation(members[name].to_numpy())
        release[name] = np.where(rng.random(len(cells)) < redrawn, other, cells)
    columns = read_released_columns(
        members.columns, pl.DataFrame(release), members, pl.concat([members, control]), {}
    )
    found = audit_singling_out(columns, members.height, rng=Randomness(1), width=4)
    risk = next(one.risk for one in found if one.columns == 4)
    assert risk is not None
    return risk


def _people(rng: np.random.Generator, rows: int = 500) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": rng.integers(20, 70, rows),
            **{f"c{j}": rng.choice(list("abcdefgh")[: 4 + j], rows) for j in range(4)},
        }
    )


def _holds(interval: Interval, truth: float) -> bool:
    return interval.low - 1e-12 <= truth <= interval.high + 1e-12


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true")
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    parts = [scores(asked.draws, rng), risks(asked.draws, rng), singled(asked.draws, rng)]
    if asked.fresh:
        parts = [fresh(asked.draws, rng), risks(asked.draws, rng, FRESH_RISKS)]
        parts.append(singled(asked.draws, rng, (0.15, 0.5)))
    for part in parts:
        for name, share in part:
            print(f"{name:45s} {share:.3f}", flush=True)


if __name__ == "__main__":
    main()
