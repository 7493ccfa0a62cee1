"""Estimates the number of population uniques from a sample.

    sample = SampleClasses.of(table, ["age", "sex", "zip"])
    estimate = population_uniques(sample, 1_000_000)
    estimate.uniques, estimate.low, estimate.high, estimate.chosen, estimate.why

Rules of choice, π = n/N, s₂ = sample classes of two rows:

- `dankar` (Dankar, El Emam, Neisa and Roffey 2012, BMC Medical Informatics and Decision Making
  12:66): no class of two → Zayatz; π ≤ 0.1 → Pitman; else the smaller of Zayatz and SNB.
- `bracket` (default): as `dankar` where s₂ = 0; for π ≤ 0.1 the geometric mean of Pitman and
  Poisson-lognormal. On tables with known populations the first is mostly too high and the second
  mostly too low, so the two are also given as low and high. For π > 0.1 Zayatz takes the place of
  Pitman, which is then often too low itself; low and high are those of all four models, with twice
  the relative sampling error √((1 − π)/s₁) of the uniques seen.

A model that does not converge is passed over for the next: Pitman, Poisson-lognormal, Zayatz.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.class_size_counts import (
    ModelEstimate,
    SampleClasses,
    require_population,
)
from tokumei.tables.measures.large_fraction_uniques import slide_negative_binomial, zayatz
from tokumei.tables.measures.protocol import RiskMeasure
from tokumei.tables.measures.small_fraction_uniques import pitman, poisson_lognormal

ChoiceRule = Literal["bracket", "dankar"]
EstimatorModel = Callable[[SampleClasses, int], ModelEstimate]
MODELS: dict[str, EstimatorModel] = {
    "zayatz": zayatz,
    "snb": slide_negative_binomial,
    "pitman": pitman,
    "poisson-lognormal": poisson_lognormal,
}
SMALL_FRACTION = 0.1


@dataclass(frozen=True)
class UniquesEstimate:
    """The figure, which models it rests on and why, and the lowest and highest of these."""

    uniques: float
    low: float
    high: float
    chosen: tuple[str, ...]
    estimates: tuple[ModelEstimate, ...]
    why: Message


@dataclass(frozen=True)
class PopulationUniques(RiskMeasure):
    """Estimated share of the released rows' population that is unique in the QI."""

    name: ClassVar[str] = "population_uniques"
    title: ClassVar[Message] = Message("Estimated population uniques")
    sentence: ClassVar[Message] = Message(
        "How much of the whole population is unique by the quasi-identifiers, estimated."
    )
    formula: ClassVar[str] = "estimated uniques / N"
    says: ClassVar[Message] = Message(
        "An estimated {value} of the population are unique by the quasi-identifiers."
    )
    unit: ClassVar[Message] = Message("share of the population")

    population: int
    rule: ChoiceRule = "bracket"

    def score(self, case: Comparison) -> Score:
        """The figure, the release being the sample."""
        sample = SampleClasses.of(case.released, case.qi)
        estimate = population_uniques(sample, self.population, rule=self.rule)
        value, low, high = (
            x / self.population for x in (estimate.uniques, estimate.low, estimate.high)
        )
        return Score(value, low=low, high=high, sample=sample.rows)


def population_uniques(
    sample: SampleClasses, population: int, *, rule: ChoiceRule = "bracket"
) -> UniquesEstimate:
    """The estimate that the rule chooses; a whole population is simply counted."""
    require_population(sample, population)
    if sample.rows == population:
        counted = ModelEstimate("counted", float(sample.of_size(1)), converged=True)
        return _combine_estimates([counted], [counted], WHOLE_POPULATION)
    if not sample.of_size(1) or not sample.of_size(2):
        fallback = zayatz(sample, population)
        return _combine_estimates(
            [fallback], [fallback], NO_PAIRS if sample.of_size(1) else NO_UNIQUES
        )
    if sample.rows / population > SMALL_FRACTION:
        if rule == "bracket":
            return _estimate_large_sample(sample, population)
        estimates = [zayatz(sample, population), slide_negative_binomial(sample, population)]
        usable = [estimate for estimate in estimates if estimate.usable]
        least = min(usable, key=lambda estimate: estimate.uniques)
        return _combine_estimates([least], estimates, DANKAR_LARGE)
    models: list[EstimatorModel] = [pitman] if rule == "dankar" else [pitman, poisson_lognormal]
    estimates = [model(sample, population) for model in models]
    usable = [estimate for estimate in estimates if estimate.usable]
    if usable:
        why = DANKAR if rule == "dankar" else BRACKET if usable == estimates else ONE_CONVERGED
        return _combine_estimates(usable, estimates, why)
    fallback = zayatz(sample, population)
    return _combine_estimates([fallback], [*estimates, fallback], NO_SOLUTION)


def all_estimates(
    sample: SampleClasses, population: int, computed: Sequence[ModelEstimate] = ()
) -> list[ModelEstimate]:
    """Every model's estimate; those already known are not computed again."""
    by_model = {estimate.model: estimate for estimate in computed}
    return [by_model.get(name) or model(sample, population) for name, model in MODELS.items()]


def _estimate_large_sample(sample: SampleClasses, population: int) -> UniquesEstimate:
    """Between a model that is too high and one that is too low; the range is that of all."""
    estimates = all_estimates(sample, population)
    usable = {estimate.model: estimate for estimate in estimates if estimate.usable}
    chosen = [usable[name] for name in ("zayatz", "poisson-lognormal") if name in usable]
    combined = _combine_estimates(
        chosen, estimates, LARGE_SAMPLE if len(chosen) == 2 else LARGE_ZAYATZ_ONLY
    )
    values = [estimate.uniques for estimate in usable.values()]
    error = 2 * np.sqrt((1 - sample.rows / population) / sample.of_size(1))
    low, high = min(values) * max(1 - error, 0), min(max(values) * (1 + error), population)
    return replace(combined, low=min(low, combined.uniques), high=max(high, combined.uniques))


def _combine_estimates(
    chosen: list[ModelEstimate], estimates: list[ModelEstimate], why: Message
) -> UniquesEstimate:
    values = np.array([estimate.uniques for estimate in chosen])
    low, high = float(values.min()), float(values.max())
    mean = low if low in (0.0, high) else float(np.exp(np.log(values).mean()))
    names = tuple(estimate.model for estimate in chosen)
    return UniquesEstimate(mean, low, high, names, tuple(estimates), why)


WHOLE_POPULATION = Message("The table is the whole population: its uniques are simply counted.")
NO_UNIQUES = Message("The sample has no unique row, so Zayatz's estimate is 0.")
NO_PAIRS = Message("The sample has no class of two rows, which the other models need: Zayatz.")
LARGE_SAMPLE = Message(
    "The sample is more than 10 % of the population: the geometric mean of Zayatz, mostly too "
    "high, and Poisson-lognormal, mostly too low; the range is that of all models."
)
LARGE_ZAYATZ_ONLY = Message(
    "The sample is more than 10 % of the population, and Poisson-lognormal did not converge: "
    "Zayatz; the range is that of all models."
)
DANKAR_LARGE = Message(
    "The sample is more than 10 % of the population: the smaller of Zayatz and SNB."
)
DANKAR = Message("The sample is at most 10 % of the population: Pitman.")
BRACKET = Message(
    "The sample is at most 10 % of the population: the geometric mean of Pitman, mostly too high, "
    "and Poisson-lognormal, mostly too low."
)
ONE_CONVERGED = Message(
    "The sample is at most 10 % of the population; of Pitman and Poisson-lognormal one did not "
    "converge: the other."
)
NO_SOLUTION = Message("The models for small samples did not converge: Zayatz.")
