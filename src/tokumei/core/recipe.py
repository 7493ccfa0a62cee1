"""Recipes: a whole experiment in one YAML file, whatever the kind of data.

    class RatingsRecipe(Recipe):
        kind = RATINGS                       # DataKind(…, recipe_key="ratings", recipe_class=…)
        ratings: SourceSpec                  # its own keys
        def run(self) -> RatingsExperiment: ...

    experiment = run_recipe(load_recipe("recipe.yaml"), seed=1)
    save_experiment(experiment, "results")          # tokumei.files.release_files

What all recipes share stands here: the common keys, checks of names and parameters by the kind's
registries, files beside the recipe; and what their experiments share. A kind without a recipe of
its own gets that of `tokumei.kind_defaults.recipe`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import yaml
from pydantic import ConfigDict, Field

from tokumei.core.catalogs import available_languages, translate
from tokumei.core.command import CommandResult
from tokumei.core.data_kind import DataKind, Release
from tokumei.core.errors import UsageError
from tokumei.core.fields import FrontEnd, using_front_end
from tokumei.core.messages import Message
from tokumei.core.provenance import is_key
from tokumei.core.randomness import Randomness
from tokumei.core.registry import Registry
from tokumei.core.yaml_models import StrictModel, validate_model

if TYPE_CHECKING:
    from tokumei.files.atomic_write import Output
    from tokumei.files.release_files import ReleaseRecord
    from tokumei.pages.verdict_view import AssessedRelease

T = TypeVar("T")
ChosenMethods = list[str] | dict[str, dict[str, object]]
"""Methods by name, with or without parameters."""


class SampleSpec(StrictModel):
    """Generated look-alike data; keys that a kind adds are options of its `flow.sample`."""

    rows: int = Field(default=8333, ge=1)
    seed: int | None = Field(default=None, ge=0)


class SourceSpec(StrictModel):
    """Where the data comes from: generated, or a file. `file_keys` are the keys that name files."""

    file_keys: ClassVar[tuple[str, ...]] = ("file",)

    sample: SampleSpec | None = None
    file: str | None = None

    @property
    def files(self) -> dict[str, str]:
        """The files that are named, by key."""
        paths_by_key = {key: getattr(self, key) for key in self.file_keys}
        return {key: path for key, path in paths_by_key.items() if path is not None}

    def beside(self, folder: Path) -> Self:
        """The same with its files looked for in a folder."""
        resolved_paths = {key: str(folder / path) for key, path in self.files.items()}
        return self.model_copy(update=resolved_paths)

    def require(self, where: str) -> None:
        """Fail unless there is exactly one source."""
        if (self.file is None) == (self.sample is None):
            raise UsageError("{where} needs either 'file' or 'sample'", where=where)


class MethodSpec(StrictModel):
    """A method; any other key is one of its parameters."""

    model_config = ConfigDict(extra="allow", frozen=True)

    method: str

    @property
    def params(self) -> dict[str, object]:
        """The method's parameters."""
        return dict(self.model_extra or {})


class ReleaseSpec(MethodSpec):
    """One release: a name and the method that makes it."""

    name: str = Field(min_length=1)


class TitleSpec(StrictModel):
    """A title in English and Japanese."""

    en: str
    ja: str

    def as_message(self) -> Message:
        """The title as a message."""
        return Message.of_texts({"en": self.en, "ja": self.ja})


class Recipe(StrictModel):
    """A whole experiment: the keys that all recipes have, and what a kind's recipe must do."""

    kind: ClassVar[DataKind]
    groups: ClassVar[tuple[str, ...]] = ()
    """Names that stand for several measures."""

    title: str | TitleSpec = "Tokumei"
    seed: int | None = Field(default=None, ge=0)
    key: str | None = None
    """The key file with which its releases are made; `--key` and `--seed` come first."""
    attacks: ChosenMethods = Field(default_factory=list)
    measures: ChosenMethods = Field(default_factory=list)
    out: str = "tokumei-out"

    @classmethod
    def for_kind(cls, kind: DataKind) -> type[Recipe]:
        """The class of recipes for a kind: this one, which is made for one kind."""
        return cls

    @abstractmethod
    def run(self) -> Experiment:
        """Make, attack and measure; nothing is written."""

    @abstractmethod
    def require_methods(self, where: str) -> None:
        """Fail unless every release can be made: unique names, methods that take what they get."""

    def with_axes(self, x: str | None, y: str | None) -> Self:
        """The recipe with other axes of its chart; most charts have none to choose."""
        if x is None and y is None:
            return self
        raise UsageError(
            "--x and --y: the chart of a recipe for {key} has no axes to choose", key=self.kind.key
        )

    @property
    def source(self) -> SourceSpec:
        """Where the data comes from: the part under the kind's key."""
        return cast(SourceSpec, getattr(self, self.kind.key))

    @property
    def files(self) -> list[str]:
        """The files that are read."""
        return list(self.source.files.values())

    @property
    def title_text(self) -> Message:
        """The title in every language; one text is the same in all, unless a catalog has it."""
        title = self.title
        if not isinstance(title, str):
            return title.as_message()
        texts = {language: translate(title, language) for language in available_languages()}
        return Message.of_texts(texts)

    @property
    def params(self) -> dict[str, dict[str, object]]:
        """Parameters of attacks and measures, by name; a mere list of names gives none."""
        method_maps = (part for part in (self.attacks, self.measures) if isinstance(part, dict))
        return {name: params for part in method_maps for name, params in part.items()}

    def sample(self) -> Any:
        """The generated data, by its own seed or else the recipe's."""
        spec = self.source.sample or SampleSpec()
        seed = spec.seed if spec.seed is not None else self.seed
        options = spec.model_dump(exclude={"rows", "seed"})
        return self.kind.flow.sample(spec.rows, seed=seed, **options)

    def beside(self, folder: Path) -> Self:
        """The same with its files looked for in a folder."""
        update: dict[str, object] = {self.kind.key: self.source.beside(folder)}
        if self.key is not None:
            update["key"] = str(folder / self.key)
        return self.model_copy(update=update)

    def require(self, where: str) -> None:
        """Fail unless every name exists and takes its parameters."""
        self.source.require(f"{where}: {self.kind.key}")
        self.require_methods(where)
        self._require_buildable(self.kind.attackers, self.attacks, where)
        measure_names = [name for name in self.measures if name not in self.groups]
        self._require_buildable(self.kind.measures, measure_names, where)

    def _require_buildable(self, registry: Registry[T], names: ChosenMethods, where: str) -> None:
        for name in names:
            registry.build(name, self.params.get(name, {}), where=f"{where}: {name}")

    def text(self) -> str:
        """The recipe as YAML, without its seed, which would give the shuffle away."""
        data = self.model_dump(exclude_defaults=True, exclude={"seed"})
        own_keys = [key for key in type(self).model_fields if key not in Recipe.model_fields]
        order = ["title", *own_keys, "attacks", "measures", "out"]
        ordered_data = {key: data[key] for key in order if key in data}
        return str(yaml.safe_dump(ordered_data, allow_unicode=True, sort_keys=False))


def build_recipe(
    model: type[Recipe], data: Mapping[str, object], *, where: str, beside: Path | None = None
) -> Recipe:
    """Plain data as a recipe of some kind, checked as a whole; its files looked for in a folder."""
    with using_front_end(FrontEnd.RECIPE):
        recipe = validate_model(model, data, where)
        recipe.require(where)
    return recipe if beside is None else recipe.beside(beside)


def require_unique_names(names: list[str], where: str) -> None:
    """Fail if two releases have the same name."""
    for name in names:
        if names.count(name) > 1:
            raise UsageError("{where}: two releases are named '{name}'", where=where, name=name)


@dataclass(frozen=True, eq=False)
class ReleaseToAssess:
    """A release of an experiment by its name, and what it was made from."""

    name: str
    source: object = field(repr=False)
    release: Release


@dataclass(frozen=True, eq=False)
class Experiment(ABC):
    """A recipe and all it gave. `report` is the file to look at first.

    `assessed` holds the assessment of each release by its name, once somebody made them
    (`tokumei.assessment.assess_experiment`).
    """

    report: ClassVar[str] = "report.html"

    recipe: Recipe
    assessed: Mapping[str, AssessedRelease] = field(default_factory=dict, kw_only=True)

    @abstractmethod
    def outputs(self, folder: Path) -> Sequence[Output]:
        """Its files below a folder, not yet written; what is secret goes to `secret/`."""

    @abstractmethod
    def answer(self) -> CommandResult:
        """The output of `tokumei run`."""

    def releases_to_assess(self) -> Sequence[ReleaseToAssess]:
        """Its releases with what they were made from; none of a kind that cannot be assessed."""
        return ()

    def leaving(self, folder: Path) -> AbstractContextManager[tuple[Path, ReleaseRecord] | None]:
        """Which of its files below a folder leaves, and the record of that; None: nothing does."""
        return nullcontext()


def run_recipe(recipe: Recipe, *, seed: int | None = None) -> Experiment:
    """Make, verify, attack and measure every release; nothing is written."""
    if seed is not None:
        recipe = recipe.model_copy(update={"seed": seed})
    with using_front_end(FrontEnd.RECIPE):
        return recipe.run()


def derive_seed(seed: int | None, *name: str | int) -> int | None:
    """A seed for one part of an experiment: releases of one recipe must not share their shuffle."""
    if seed is None:
        return None
    source = Randomness(seed).child(*name)
    if is_key(seed):
        return int.from_bytes(source.secret())
    return int(source.generator.integers(2**63))
