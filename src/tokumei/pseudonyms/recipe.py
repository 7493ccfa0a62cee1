"""Recipes for pseudonyms over time: data, releases, knowledge, attacks and measures.

periods:
  sample: {rows: 6000, customers: 80, seed: 1}     # or  file: T.csv  and  master: M.csv
releases:
  - {name: monthly, method: pseudonyms, lifetime: 1}
knowledge: {alphas: [0.25, 0.5, 0.75, 1.0], prefix: {item: 2}}
attacks: [S1, best]
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field

from tokumei.core.errors import UsageError
from tokumei.core.recipe import (
    SampleSpec,
    Strict,
    TitleSpec,
    params_by_name,
    require_unique,
    title_text,
    validated,
)
from tokumei.core.text import Text
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.measures.suite import ALL, DEFAULT
from tokumei.pseudonyms.registry import anonymizers, attackers, measures

GROUPS = (DEFAULT, ALL)
"""Names that stand for several measures."""


class PeriodSampleSpec(SampleSpec):
    """Generated look-alike data with customers."""

    rows: int = Field(default=6000, ge=1)
    customers: int | None = Field(default=None, ge=1)
    invoices: bool = False


class PeriodsSpec(Strict):
    """Where the history and its customers come from."""

    sample: PeriodSampleSpec | None = None
    file: str | None = None
    master: str | None = None
    encoding: str = "auto"


class PeriodReleaseSpec(Strict):
    """One release: a name and a method; any other key is a parameter of the method."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field(min_length=1)
    method: str = "pseudonyms"

    @property
    def params(self) -> dict[str, Any]:
        """The method's parameters."""
        return dict(self.model_extra or {})


class KnowledgeSpec(Strict):
    """What attackers know: shares of the rows, each drawn anew, and how well."""

    alphas: list[float] = Field(default_factory=lambda: [0.25, 0.5, 0.75, 1.0], min_length=1)
    people: float = 1.0
    first: str | None = None
    last: str | None = None
    prefix: dict[str, int] = Field(default_factory=lambda: {"item": 2})
    coarse: dict[str, str | float] = Field(default_factory=dict)
    noise: dict[str, float] = Field(default_factory=dict)
    wrong: float = 0.0

    @property
    def params(self) -> dict[str, Any]:
        """All but the shares."""
        return self.model_dump(exclude={"alphas"})


class PeriodRecipe(Strict):
    """A whole contest's round."""

    title: str | TitleSpec = "Tokumei"
    periods: PeriodsSpec
    releases: list[PeriodReleaseSpec] = Field(min_length=1)
    knowledge: KnowledgeSpec = KnowledgeSpec()
    attacks: list[str] | dict[str, dict[str, Any]] = Field(default_factory=list)
    measures: list[str] | dict[str, dict[str, Any]] = Field(default_factory=list)
    seed: int | None = Field(default=None, ge=0)
    out: str = "tokumei-out"

    @property
    def title_text(self) -> Text:
        """The title in both languages."""
        return title_text(self.title)

    @property
    def params(self) -> dict[str, dict[str, Any]]:
        """Parameters of attacks and measures, by name."""
        return params_by_name(self.attacks, self.measures)


def parse_period_recipe(
    data: dict[str, Any], *, where: str, beside: Path | None = None
) -> PeriodRecipe:
    """Validate a recipe's plain data; files it names are looked for beside it."""
    recipe = validated(PeriodRecipe, data, where)
    _require_data(recipe.periods, where)
    _require_names(recipe, where)
    if beside is None or recipe.periods.sample is not None:
        return recipe
    places = {name: str(beside / str(getattr(recipe.periods, name))) for name in ("file", "master")}
    return recipe.model_copy(update={"periods": recipe.periods.model_copy(update=places)})


def _require_data(spec: PeriodsSpec, where: str) -> None:
    files = (spec.file is not None, spec.master is not None)
    if files != ((spec.sample is None),) * 2:
        raise UsageError(
            Text(
                f"{where}: periods needs either 'sample' or both 'file' and 'master'",
                f"{where}: periods には 'sample' か、'file' と 'master' の両方が必要です",
            )
        )


def _require_names(recipe: PeriodRecipe, where: str) -> None:
    """Every method, attack and measure exists and takes its parameters; names are unique."""
    require_unique([release.name for release in recipe.releases], where)
    for release in recipe.releases:
        anonymizers.build(release.method, release.params, where=f"{where}: {release.name}")
    for alpha in recipe.knowledge.alphas:
        PartialKnowledge(**recipe.knowledge.params, alpha=alpha)
    chosen = ((attackers, recipe.attacks), (measures, recipe.measures))
    for registry, given in chosen:
        for name in (name for name in given if name not in GROUPS):
            registry.build(name, recipe.params.get(name, {}), where=f"{where}: {name}")
