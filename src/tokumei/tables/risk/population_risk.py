"""Who is unique in the population: every estimator beside the chosen one, or simply counted.

estimated_population(sample, 1_000_000).uniques
counted_uniques(table, people, ["age", "sex"]).uniques
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.tables.data.codes import joint_codes
from tokumei.tables.data.table import Table
from tokumei.tables.measures.population_uniques import (
    Rule,
    UniquesEstimate,
    all_estimates,
    population_uniques,
)
from tokumei.tables.measures.sample_classes import Estimate, SampleClasses


@dataclass(frozen=True)
class Counted:
    """With a table of the population: its uniques, and how many of the sample's are among them."""

    uniques: int
    sample_uniques: int


@dataclass(frozen=True, kw_only=True)
class PopulationRisk(UniquesEstimate):
    """Estimated uniques of a population of `rows` people, by all models and by the rule.

    `low` and `high` are the models that the rule combines, no confidence interval. `held` is the
    estimated share of the sample's uniques that are unique in the population too.
    """

    rows: int
    sampled: int
    rule: Rule
    held: float
    counted: Counted | None = None

    @property
    def fraction(self) -> float:
        """π, the share of the population that is in the sample."""
        return self.sampled / self.rows

    @property
    def share(self) -> float:
        """Estimated uniques / population."""
        return self.uniques / self.rows

    def as_json(self) -> dict[str, Any]:
        """As plain data; a model without a solution has the estimate null."""
        return {
            "rows": self.rows,
            "sample_fraction": self.fraction,
            "rule": self.rule,
            "uniques": self.uniques,
            "low": self.low,
            "high": self.high,
            "share": self.share,
            "sample_uniques_held": self.held,
            "chosen": list(self.chosen),
            "why_en": self.why.en,
            "why_ja": self.why.ja,
            "estimates": [_estimate(one) for one in self.estimates],
            "counted": None if self.counted is None else vars(self.counted),
        }


def estimated_population(
    sample: SampleClasses, population: int, *, rule: Rule = "bracket"
) -> PopulationRisk:
    """From the sample's classes and the size of the population."""
    found = population_uniques(sample, population, rule=rule)
    alone, known = sample.of_size(1), vars(found)
    if sample.rows < population:
        known = known | {"estimates": tuple(all_estimates(sample, population, found.estimates))}
    held = min(found.uniques * sample.rows / population / alone, 1.0) if alone else 0.0
    return PopulationRisk(**known, rows=population, sampled=sample.rows, rule=rule, held=held)


def counted_uniques(table: Table, people: Table, columns: Sequence[str]) -> Counted:
    """What a table of the whole population shows."""
    inside, outside = joint_codes(table.frame, people.frame, columns)
    there = np.bincount(outside, minlength=int(inside.max(initial=-1)) + 1)
    here = np.bincount(inside, minlength=len(there))
    return Counted(int((there == 1).sum()), int(((there == 1) & (here == 1)).sum()))


def _estimate(one: Estimate) -> dict[str, Any]:
    return {
        "model": one.model,
        "uniques": one.uniques if np.isfinite(one.uniques) else None,
        "converged": one.converged,
        "parameters": {key: value for key, value in one.parameters.items() if np.isfinite(value)},
    }


def population_of(
    table: Table, columns: Sequence[str], population: Any, fraction: float | None
) -> tuple[Table | None, int | None]:
    """The population as a table, if there is one, and its size, if it is known."""
    if fraction is None:
        if population is None or isinstance(population, Integral):
            return None, population if population is None else int(population)
        people = Table.of(population, qi=columns)
        return people, people.rows
    if population is not None:
        raise UsageError(
            "give the population or the sample fraction, not both",
            "母集団と標本抽出率は一方だけ指定してください",
        )
    if not 0 < fraction <= 1:
        raise UsageError(
            "the sample fraction is above 0 and at most 1", "標本抽出率は 0 より大きく 1 以下です"
        )
    return None, round(table.rows / fraction)
