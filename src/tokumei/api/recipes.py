"""Implements `tk.load_recipe` and `tk.run_recipe` for recipe files of every kind of data.

import tokumei as tk
recipe = tk.load_recipe("recipe.yaml")
tk.save_experiment(tk.run_recipe(recipe, seed=1), "results")
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tokumei.assessment.assess_experiment import assess_experiment
from tokumei.core import recipe as core_recipe
from tokumei.core.data_kind import DataKind
from tokumei.core.errors import InputError, UsageError
from tokumei.core.messages import join_messages
from tokumei.core.recipe import Experiment, Recipe, build_recipe
from tokumei.core.yaml_models import load_yaml, read_yaml_text
from tokumei.files.key_files import read_key
from tokumei.kinds import all_kinds


def load_recipe(path: str | Path) -> Recipe:
    """Read and validate a recipe file; the files it names are looked for beside it.

    A key that it names is read, and is its seed.
    """
    recipe = parse_recipe(read_yaml_text(path), where=str(path), beside=Path(path).parent)
    if recipe.key is None or recipe.seed is not None:
        return recipe
    return recipe.model_copy(update={"seed": read_key(recipe.key)})


def run_recipe(recipe: Recipe, *, seed: int | None = None) -> Experiment:
    """Make, verify, attack, measure and assess every release; nothing is written."""
    return assess_experiment(core_recipe.run_recipe(recipe, seed=seed))


def parse_recipe(text: str, *, where: str = "recipe", beside: Path | None = None) -> Recipe:
    """Validate the text of a recipe; its key for the data tells the kind."""
    data = load_yaml(text, where=where)
    if not isinstance(data, dict):
        raise InputError("{where}: a recipe is a mapping", where=where)
    kind = _kind_of(data, where)
    return build_recipe(kind.recipe(), data, where=where, beside=beside)


def _kind_of(data: Mapping[str, object], where: str) -> DataKind:
    """The kind whose key the recipe has."""
    keys = {kind.key: kind for kind in all_kinds()}
    found = [key for key in keys if key in data]
    if len(found) == 1:
        return keys[found[0]]
    raise UsageError(
        "{where}: a recipe names its data under exactly one of the keys {valid}; this one has: "
        "{given}",
        where=where,
        valid=join_messages(keys),
        given=join_messages(map(str, data)),
    )
