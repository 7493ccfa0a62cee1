"""How many people are unique in the population, estimated from a sample alone.

    sample = SampleClasses.of(table, ["age", "sex", "zip"])
    found = population_uniques(sample, 1_000_000)
    found.uniques, found.low, found.high, found.chosen, found.why

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
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.large_samples import snb, zayatz
from tokumei.tables.measures.protocol import RiskMeasure
from tokumei.tables.measures.sample_classes import Estimate, SampleClasses, require_population
from tokumei.tables.measures.small_samples import pitman, poisson_lognormal

Rule = Literal["bracket", "dankar"]
Model = Callable[[SampleClasses, int], Estimate]
MODELS: dict[str, Model] = {
    "zayatz": zayatz,
    "snb": snb,
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
    estimates: tuple[Estimate, ...]
    why: Text


@dataclass(frozen=True)
class PopulationUniques(RiskMeasure):
    """Estimated share of the released rows' population that is unique in the QI."""

    name: ClassVar[str] = "population_uniques"
    title: ClassVar[Text] = Text("Estimated population uniques", "母集団一意の推定割合")
    sentence: ClassVar[Text] = Text(
        "How much of the whole population is unique by the quasi-identifiers, estimated.",
        "母集団のうち準識別子で一意になる人の割合を推定します。",
    )
    formula: ClassVar[str] = "estimated uniques / N"
    says: ClassVar[Text] = Text(
        "An estimated {value} of the population are unique by the quasi-identifiers.",
        "母集団の {value} が準識別子で一意になると推定されます。",
    )
    unit: ClassVar[Text] = Text("share of the population", "母集団に対する割合")

    population: int
    rule: Rule = "bracket"

    def score(self, case: Comparison) -> Score:
        """The figure, the release being the sample."""
        sample = SampleClasses.of(case.released, case.qi)
        found = population_uniques(sample, self.population, rule=self.rule)
        value, low, high = (x / self.population for x in (found.uniques, found.low, found.high))
        return Score(value, low=low, high=high, sample=sample.rows)


def population_uniques(
    sample: SampleClasses, population: int, *, rule: Rule = "bracket"
) -> UniquesEstimate:
    """The estimate that the rule chooses; a whole population is simply counted."""
    require_population(sample, population)
    if sample.rows == population:
        counted = Estimate("counted", float(sample.of_size(1)), converged=True)
        return _combined([counted], [counted], WHOLE)
    if not sample.of_size(1) or not sample.of_size(2):
        last = zayatz(sample, population)
        return _combined([last], [last], NO_PAIRS if sample.of_size(1) else NO_UNIQUES)
    if sample.rows / population > SMALL_FRACTION:
        if rule == "bracket":
            return _between(sample, population)
        found = [zayatz(sample, population), snb(sample, population)]
        usable = [estimate for estimate in found if estimate.usable]
        least = min(usable, key=lambda estimate: estimate.uniques)
        return _combined([least], found, DANKAR_LARGE)
    wanted: list[Model] = [pitman] if rule == "dankar" else [pitman, poisson_lognormal]
    found = [model(sample, population) for model in wanted]
    usable = [estimate for estimate in found if estimate.usable]
    if usable:
        why = DANKAR if rule == "dankar" else BRACKET if usable == found else ONE_LEFT
        return _combined(usable, found, why)
    last = zayatz(sample, population)
    return _combined([last], [*found, last], NO_SOLUTION)


def all_estimates(
    sample: SampleClasses, population: int, known: Sequence[Estimate] = ()
) -> list[Estimate]:
    """Every model's estimate; those already known are not computed again."""
    found = {estimate.model: estimate for estimate in known}
    return [found.get(name) or model(sample, population) for name, model in MODELS.items()]


def _between(sample: SampleClasses, population: int) -> UniquesEstimate:
    """Between a model that is too high and one that is too low; the range is that of all."""
    found = all_estimates(sample, population)
    usable = {estimate.model: estimate for estimate in found if estimate.usable}
    chosen = [usable[name] for name in ("zayatz", "poisson-lognormal") if name in usable]
    made = _combined(chosen, found, LARGE_SAMPLE if len(chosen) == 2 else LARGE_ALONE)
    values = [estimate.uniques for estimate in usable.values()]
    error = 2 * np.sqrt((1 - sample.rows / population) / sample.of_size(1))
    low, high = min(values) * max(1 - error, 0), min(max(values) * (1 + error), population)
    return replace(made, low=min(low, made.uniques), high=max(high, made.uniques))


def _combined(chosen: list[Estimate], found: list[Estimate], why: Text) -> UniquesEstimate:
    values = np.array([estimate.uniques for estimate in chosen])
    low, high = float(values.min()), float(values.max())
    mean = low if low in (0.0, high) else float(np.exp(np.log(values).mean()))
    names = tuple(estimate.model for estimate in chosen)
    return UniquesEstimate(mean, low, high, names, tuple(found), why)


WHOLE = Text(
    "The table is the whole population: its uniques are simply counted.",
    "表が母集団そのものなので、一意な行を数えました。",
)
NO_UNIQUES = Text(
    "The sample has no unique row, so Zayatz's estimate is 0.",
    "標本に一意な行がないため、Zayatz の推定値は 0 です。",
)
NO_PAIRS = Text(
    "The sample has no class of two rows, which the other models need: Zayatz.",
    "標本に 2 行のクラスがなく、ほかのモデルは使えないため、Zayatz を選びました。",
)
LARGE_SAMPLE = Text(
    "The sample is more than 10 % of the population: the geometric mean of Zayatz, mostly too "
    "high, and Poisson-lognormal, mostly too low; the range is that of all models.",
    "標本が母集団の 10 % を超えるため、過大になりやすい Zayatz と過小になりやすい"
    "ポアソン対数正規の幾何平均を取りました。範囲はすべてのモデルのものです。",
)
LARGE_ALONE = Text(
    "The sample is more than 10 % of the population, and Poisson-lognormal did not converge: "
    "Zayatz; the range is that of all models.",
    "標本が母集団の 10 % を超え、ポアソン対数正規が収束しなかったため、Zayatz を選びました。"
    "範囲はすべてのモデルのものです。",
)
DANKAR_LARGE = Text(
    "The sample is more than 10 % of the population: the smaller of Zayatz and SNB.",
    "標本が母集団の 10 % を超えるため、Zayatz と SNB の小さい方を選びました。",
)
DANKAR = Text(
    "The sample is at most 10 % of the population: Pitman.",
    "標本が母集団の 10 % 以下なので、Pitman を選びました。",
)
BRACKET = Text(
    "The sample is at most 10 % of the population: the geometric mean of Pitman, mostly too high, "
    "and Poisson-lognormal, mostly too low.",
    "標本が母集団の 10 % 以下なので、過大になりやすい Pitman と過小になりやすい"
    "ポアソン対数正規の幾何平均を取りました。",
)
ONE_LEFT = Text(
    "The sample is at most 10 % of the population; of Pitman and Poisson-lognormal one did not "
    "converge: the other.",
    "標本が母集団の 10 % 以下ですが、Pitman とポアソン対数正規の一方が収束しなかったため、"
    "もう一方を選びました。",
)
NO_SOLUTION = Text(
    "The models for small samples did not converge: Zayatz.",
    "小さな標本向けのモデルが収束しなかったため、Zayatz を選びました。",
)
