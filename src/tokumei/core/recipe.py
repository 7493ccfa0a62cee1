"""Recipes: a whole experiment in one YAML file.

data:
  sample: {rows: 8333, seed: 1}      # or  file: people.csv
  qi: [age, sex]
  sa: [income]
releases:
  - name: five alike
    steps: [{method: mondrian, k: 5}]
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.tables.registry import anonymizers, attackers, measures

Model = TypeVar("Model", bound=BaseModel)


class Strict(BaseModel):
    """A part of a recipe: no unknown key, never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SampleSpec(Strict):
    """Generated look-alike data."""

    rows: int = Field(default=8333, ge=1)
    seed: int | None = Field(default=None, ge=0)


class DataSpec(Strict):
    """Where the table comes from and what its columns mean."""

    sample: SampleSpec | None = None
    file: str | None = None
    sep: str | None = None
    encoding: str = "auto"
    qi: list[str] | None = None
    sa: list[str] | None = None
    ids: list[str] | None = None
    kinds: dict[str, str] = {}
    cross: list[str] = []


class ReleaseSpec(Strict):
    """One release: a name and the steps that make it."""

    name: str = Field(min_length=1)
    steps: list[dict[str, Any]] = Field(min_length=1)


class TitleSpec(Strict):
    """A title in both languages."""

    en: str
    ja: str


class Recipe(Strict):
    """A whole experiment."""

    title: str | TitleSpec = "Tokumei"
    data: DataSpec
    seed: int | None = Field(default=None, ge=0)
    releases: list[ReleaseSpec] = Field(min_length=1)
    attacks: list[str] | dict[str, dict[str, Any]] = []
    measures: list[str] | dict[str, dict[str, Any]] = []
    out: str = "tokumei-out"

    @property
    def title_text(self) -> Text:
        """The title in both languages."""
        return title_text(self.title)

    @property
    def params(self) -> dict[str, dict[str, Any]]:
        """Parameters of attacks and measures, by name."""
        return params_by_name(self.attacks, self.measures)


def params_by_name(*chosen: list[str] | dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The parameters given with names; a mere list of names gives none."""
    given: dict[str, dict[str, Any]] = {}
    for part in chosen:
        given |= part if isinstance(part, dict) else {}
    return given


def title_text(title: str | TitleSpec) -> Text:
    """A title in both languages (the same in both if one was given)."""
    return Text(title, title) if isinstance(title, str) else Text(title.en, title.ja)


def load_recipe(path: str | Path) -> Recipe:
    """Read and validate a recipe file; a file it names is looked for beside it."""
    recipe = parse_recipe(recipe_source(path), where=str(path))
    if recipe.data.file is None:
        return recipe
    beside = str(Path(path).parent / recipe.data.file)
    return recipe.model_copy(update={"data": recipe.data.model_copy(update={"file": beside})})


def recipe_source(path: str | Path) -> str:
    """The text of a recipe file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as err:
        reason = getattr(err, "strerror", None) or "not UTF-8 text"
        raise InputError(
            Text(f"{path}: cannot be read: {reason}", f"{path}: 読み込めません: {reason}")
        ) from None


def parse_recipe(text: str, *, where: str = "recipe") -> Recipe:
    """Validate the text of a recipe."""
    data = load_yaml(text, where=where)
    if not isinstance(data, dict):
        raise InputError(
            Text(f"{where}: a recipe is a mapping", f"{where}: レシピはマッピングです")
        )
    recipe = validated(Recipe, data, where)
    _require_names(recipe, where)
    return recipe


def validated(model: type[Model], data: dict[str, Any], where: str) -> Model:
    """A recipe's plain data as its model; whatever is wrong with it names the place."""
    require_known_keys(data, model, where)
    try:
        return model.model_validate(data)
    except ValidationError as err:
        raise _invalid(err, where) from None


def load_yaml(text: str, *, where: str) -> Any:
    """Plain data from YAML; whatever is wrong with it names the place."""
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as err:
        mark = getattr(err, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(err, "problem", None) or "not YAML"
        raise InputError(
            Text(f"{where}{line}: {problem}", f"{where}{line}: YAML として読めません ({problem})")
        ) from None


def require_known_keys(data: Mapping[Any, Any], model: type[BaseModel], where: str) -> None:
    """Fail on a key that the model does not have, naming the nearest one; nested models too."""
    for key, value in data.items():
        if key not in model.model_fields:
            raise UnknownNameError(Text("key", "キー"), str(key), model.model_fields, where=where)
        inner = _model_of(model, key)
        items = value if isinstance(value, list) else [value]
        for number, item in enumerate(items):
            if inner is not None and isinstance(item, dict):
                at = f"{where}: {key}" + (f"[{number}]" if isinstance(value, list) else "")
                require_known_keys(item, inner, at)


def _model_of(model: type[BaseModel], key: str) -> type[BaseModel] | None:
    """The model of a key's value, or of the entries of its list, if it forbids unknown keys."""
    kinds = [model.model_fields[key].annotation]
    while kinds:
        kind = kinds.pop()
        kinds += get_args(kind)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind if kind.model_config.get("extra") == "forbid" else None
    return None


def _require_names(recipe: Recipe, where: str) -> None:
    """Every method, attack and measure exists and takes its parameters; names are unique."""
    if (recipe.data.file is None) == (recipe.data.sample is None):
        raise UsageError(
            Text(
                f"{where}: data needs either 'file' or 'sample'",
                f"{where}: data には 'file' か 'sample' のどちらか一方が必要です",
            )
        )
    require_unique([release.name for release in recipe.releases], where)
    for release in recipe.releases:
        for step in release.steps:
            _require_step(step, f"{where}: {release.name}")
    for registry, chosen in ((attackers, recipe.attacks), (measures, recipe.measures)):
        for name in chosen:
            registry.build(name, recipe.params.get(name, {}), where=f"{where}: {name}")


def require_unique(names: list[str], where: str) -> None:
    """Fail if two releases have the same name."""
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                Text(
                    f"{where}: two releases are named '{name}'",
                    f"{where}: 同じ名前の匿名加工データがあります: '{name}'",
                )
            )


def _require_step(step: Mapping[str, Any], where: str) -> None:
    params = dict(step)
    method = params.pop("method", None)
    if method is None:
        raise UsageError(
            Text(f"{where}: a step needs a 'method'", f"{where}: 手順には 'method' が必要です")
        )
    anonymizers.build(str(method), params, where=f"{where}: {method}")


def _invalid(err: ValidationError, where: str) -> UsageError:
    """What is wrong with a recipe, at its first place."""
    first = err.errors()[0]
    at = ".".join(str(part) for part in first["loc"])
    return UsageError(
        Text(f"{where}: {at}: {first['msg']}", f"{where}: {at} が不正です: {first['msg']}")
    )
