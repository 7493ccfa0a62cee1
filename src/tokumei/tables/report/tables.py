"""Attacks × releases, in the form of the paper's Table 15.

The best attack of every release is marked; every attack has its mean, standard deviation (of a
sample, n − 1) and number of wins. An attack that ties with the best also wins, as in the paper.
(The paper's own deviations are those of its twelve rates and their mean, over 13.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.core.text import Text
from tokumei.core.words import title_of
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import attackers


@dataclass(frozen=True)
class AttackLine:
    """One attack: its rate on every release (None: not run), and what they come to."""

    attack: str
    title: Text
    rates: tuple[float | None, ...]
    best: tuple[bool, ...]
    mean: float
    sd: float
    wins: int


@dataclass(frozen=True)
class AttackTable:
    """All attacks on all releases."""

    labels: tuple[str, ...]
    lines: tuple[AttackLine, ...]

    def as_json(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "releases": list(self.labels),
            "attacks": [
                {
                    "attack": line.attack,
                    "rates": list(line.rates),
                    "best": list(line.best),
                    "mean": line.mean,
                    "sd": line.sd,
                    "wins": line.wins,
                }
                for line in self.lines
            ],
        }


def attack_table(evaluations: Sequence[Evaluation]) -> AttackTable:
    """The table of evaluated releases."""
    rates = [
        {name: rate.rate for name, rate in evaluation.attacks.items()} for evaluation in evaluations
    ]
    return table_of_rates([evaluation.label for evaluation in evaluations], rates)


def table_of_rates(labels: Sequence[str], rates: Sequence[Mapping[str, float]]) -> AttackTable:
    """The table of given rates: per release a rate for each attack that was run."""
    highest = [max(of.values(), default=0.0) for of in rates]
    names = dict.fromkeys(name for of in rates for name in of)
    return AttackTable(
        tuple(labels), tuple(_line(name, [of.get(name) for of in rates], highest) for name in names)
    )


def _line(name: str, rates: list[float | None], highest: list[float]) -> AttackLine:
    known = np.array([rate for rate in rates if rate is not None])
    # Where nothing is found by any attack, none of them is the best.
    best = tuple(
        rate is not None and rate == top > 0 for rate, top in zip(rates, highest, strict=True)
    )
    sd = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    mean = float(known.mean())
    return AttackLine(name, title_of(attackers, name), tuple(rates), best, mean, sd, sum(best))
