"""Running a recipe, whatever its kind: what an experiment is, and what experiments share.

experiment = run_recipe(load_recipe("recipe.yaml"), seed=1)
save_experiment(experiment, "results")          # tokumei.files.experiments
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tokumei.core.answer import Answer
from tokumei.core.kind import Kind
from tokumei.core.randomness import Randomness
from tokumei.core.recipe import Recipe

PUBLIC, SECRET = "releases", "secret"
"""The folders of releases and of what only their owner may see."""


@dataclass(frozen=True, eq=False)
class Experiment(ABC):
    """A recipe and all it gave. `report` is the file to look at first."""

    report: ClassVar[str] = "report.html"

    recipe: Recipe

    @abstractmethod
    def outputs(self, folder: Path) -> Sequence[Any]:
        """Its files below a folder, not yet written; what is secret goes to `secret/`."""

    @abstractmethod
    def answer(self) -> Answer:
        """What `tokumei run` says of it."""


def run_recipe(recipe: Recipe, *, seed: int | None = None) -> Experiment:
    """Make, verify, attack and measure every release; nothing is written."""
    if seed is not None:
        recipe = recipe.model_copy(update={"seed": seed})
    return recipe.run()


def derived_seed(seed: int | None, *name: str | int) -> int | None:
    """A seed for one part of an experiment: releases of one recipe must not share their shuffle."""
    if seed is None:
        return None
    return int(Randomness(seed).child(*name).generator.integers(2**63))


def numbered_outputs(kind: Kind, releases: Mapping[str, Any], folder: Path) -> list[Any]:
    """The files of releases, by their names: `releases/01-name.csv` and `secret/01-name.csv`."""
    made: list[Any] = []
    for number, (label, release) in enumerate(releases.items(), 1):
        name = f"{number:02d}-{file_name(label)}.csv"
        public, secret = folder / PUBLIC / name, folder / SECRET / name
        made += kind.flow.outputs(release, public, secret=secret)
    return made


def file_name(label: str) -> str:
    """A release's name as a file name."""
    return re.sub(r"[^\w-]+", "-", label).strip("-").lower() or "release"
