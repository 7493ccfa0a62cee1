"""Recipes for histories: data, categories, sweeps and report in one YAML file.

history:
  sample: {rows: 20000, seed: 1}     # or  file: T.csv  and  format: pws2018
sweeps:
  - {method: rank-match, k: 2-20}
  - {method: aligned, k: [2, 3, 6]}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field, field_validator

from tokumei.core.errors import UsageError
from tokumei.core.recipe import SampleSpec, Strict, TitleSpec, title_text, validated
from tokumei.core.text import Text
from tokumei.histories.categories.choose import is_file
from tokumei.histories.registry import anonymizers, attackers


class HistorySpec(Strict):
    """Where the history comes from."""

    sample: SampleSpec | None = None
    file: str | None = None
    format: Literal["pws2018", "table", "online-retail"] = "pws2018"
    columns: dict[str, str] = Field(default_factory=dict)
    items: str | None = None
    sep: str | None = None
    encoding: str = "auto"


class SweepSpec(Strict):
    """One method over several k; any other key is a parameter of the method."""

    model_config = ConfigDict(extra="allow", frozen=True)

    method: str
    k: list[int] = Field(min_length=1)

    @field_validator("k", mode="before")
    @classmethod
    def _range(cls, given: Any) -> Any:
        """`2-20` and `6` as lists."""
        if isinstance(given, int):
            return [given]
        low, dash, high = given.partition("-") if isinstance(given, str) else ("", "", "")
        if dash and low.isdecimal() and high.isdecimal() and int(high) - int(low) < 1000:
            return list(range(int(low), int(high) + 1))
        return given

    @property
    def params(self) -> dict[str, Any]:
        """The method's other parameters."""
        return dict(self.model_extra or {})


class HistoryRecipe(Strict):
    """A whole experiment on a history."""

    title: str | TitleSpec = "Tokumei"
    history: HistorySpec
    sweeps: list[SweepSpec] = Field(min_length=1)
    categories: str | None = None
    attacks: list[str] = Field(default_factory=list)
    chosen: int | None = None
    examples: Literal["invented", "data"] = "invented"
    seed: int | None = Field(default=None, ge=0)
    out: str = "tokumei-out"

    @property
    def title_text(self) -> Text:
        """The title in both languages."""
        return title_text(self.title)


def parse_history_recipe(
    data: dict[str, Any], *, where: str, beside: Path | None = None
) -> HistoryRecipe:
    """Validate a recipe's plain data; files it names are looked for beside it."""
    recipe = validated(HistoryRecipe, data, where)
    _require_names(recipe, where)
    if beside is None:
        return recipe
    places = {
        name: str(beside / path)
        for name in ("file", "items")
        if (path := getattr(recipe.history, name)) is not None
    }
    found: dict[str, Any] = {"history": recipe.history.model_copy(update=places)}
    if recipe.categories is not None and is_file(recipe.categories):
        found["categories"] = str(beside / recipe.categories)
    return recipe.model_copy(update=found)


def _require_names(recipe: HistoryRecipe, where: str) -> None:
    if (recipe.history.file is None) == (recipe.history.sample is None):
        raise UsageError(
            Text(
                f"{where}: history needs either 'file' or 'sample'",
                f"{where}: history には 'file' か 'sample' のどちらか一方が必要です",
            )
        )
    for spec in recipe.sweeps:
        for k in spec.k:
            anonymizers.build(spec.method, {**spec.params, "k": k}, where=where)
    if recipe.chosen is not None and not any(recipe.chosen in spec.k for spec in recipe.sweeps):
        raise UsageError(
            Text(
                f"{where}: chosen: {recipe.chosen} is in none of the sweeps",
                f"{where}: chosen: {recipe.chosen} はどの sweep の値にも含まれていません",
            )
        )
    for name in recipe.attacks:
        attackers.build(name, where=f"{where}: {name}")
