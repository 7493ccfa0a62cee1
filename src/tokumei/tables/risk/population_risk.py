"""Population uniques: all estimators, or a count in a known population.

estimate_population(sample, 1_000_000).uniques
count_uniques(table, people, ["age", "sex"]).uniques
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.json_types import JsonObject
from tokumei.tables.data.column_encoding import joint_codes
from tokumei.tables.data.table import Table
from tokumei.tables.measures.class_size_counts import ModelEstimate, SampleClasses
from tokumei.tables.measures.population_uniques import (
    ChoiceRule,
    UniquesEstimate,
    all_estimates,
    population_uniques,
)


@dataclass(frozen=True)
class CountedUniques:
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
    rule: ChoiceRule
    held: float
    counted: CountedUniques | None = None

    @property
    def fraction(self) -> float:
        """π, the share of the population that is in the sample."""
        return self.sampled / self.rows

    @property
    def share(self) -> float:
        """Estimated uniques / population."""
        return self.uniques / self.rows

    def as_json(self) -> JsonObject:
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
            **self.why.as_json("why"),
            "estimates": [_estimate_json(estimate) for estimate in self.estimates],
            "counted": None if self.counted is None else vars(self.counted),
        }


def estimate_population(
    sample: SampleClasses, population: int, *, rule: ChoiceRule = "bracket"
) -> PopulationRisk:
    """From the sample's classes and the size of the population."""
    estimate = population_uniques(sample, population, rule=rule)
    sample_uniques, fields = sample.of_size(1), vars(estimate)
    if sample.rows < population:
        fields = fields | {
            "estimates": tuple(all_estimates(sample, population, estimate.estimates))
        }
    held = (
        min(estimate.uniques * sample.rows / population / sample_uniques, 1.0)
        if sample_uniques
        else 0.0
    )
    return PopulationRisk(**fields, rows=population, sampled=sample.rows, rule=rule, held=held)


def count_uniques(table: Table, people: Table, columns: Sequence[str]) -> CountedUniques:
    """What a table of the whole population shows."""
    inside, outside = joint_codes(table.frame, people.frame, columns)
    population_sizes = np.bincount(outside, minlength=int(inside.max(initial=-1)) + 1)
    table_sizes = np.bincount(inside, minlength=len(population_sizes))
    return CountedUniques(
        int((population_sizes == 1).sum()),
        int(((population_sizes == 1) & (table_sizes == 1)).sum()),
    )


def _estimate_json(estimate: ModelEstimate) -> JsonObject:
    return {
        "model": estimate.model,
        "uniques": estimate.uniques if np.isfinite(estimate.uniques) else None,
        "converged": estimate.converged,
        "parameters": {
            key: value for key, value in estimate.parameters.items() if np.isfinite(value)
        },
    }


def resolve_population(
    table: Table, columns: Sequence[str], population: object, fraction: float | None
) -> tuple[Table | None, int | None]:
    """The population as a table, if there is one, and its size, if it is known."""
    if fraction is None:
        if population is None or isinstance(population, Integral):
            return None, population if population is None else int(population)
        people = Table.of(population, qi=columns)
        return people, people.rows
    if population is not None:
        raise UsageError("give the population or the sample fraction, not both")
    if not 0 < fraction <= 1:
        raise UsageError("the sample fraction is above 0 and at most 1")
    return None, round(table.rows / fraction)
