"""Running a recipe for a history: sweeps, a closer look at the chosen release, report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokumei.core.text import current_language
from tokumei.files.atomic import write_all
from tokumei.files.folders import make_folder, spare_sources
from tokumei.histories.categories.choose import choose_categories
from tokumei.histories.data.history import History
from tokumei.histories.data.item_descriptions import read_descriptions
from tokumei.histories.data.sample import sample_history
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.recipe import HistoryRecipe
from tokumei.histories.report.outputs import sweep_outputs
from tokumei.histories.study import HistoryStudy, study_history


@dataclass(frozen=True, eq=False)
class HistoryExperiment:
    """A recipe and the study of each of its sweeps."""

    recipe: HistoryRecipe
    studies: list[HistoryStudy]


def run_history_recipe(recipe: HistoryRecipe, *, seed: int | None = None) -> HistoryExperiment:
    """Sweep every method, attack and measure the chosen release; nothing is written."""
    if seed is not None:
        recipe = recipe.model_copy(update={"seed": seed})
    history = load_history(recipe)
    categories = None
    if recipe.categories is not None:
        path = recipe.history.items
        spec = recipe.history
        known = None
        if path is not None:
            known = read_descriptions(path, sep=spec.sep, encoding=spec.encoding)
        language = current_language()
        categories = choose_categories(
            history, recipe.categories, items=known, language=language, seed=recipe.seed
        )
    studies = [
        study_history(
            history,
            spec.method,
            spec.k,
            chosen=recipe.chosen if recipe.chosen in spec.k else None,
            params=spec.params,
            categories=categories,
            attacks=recipe.attacks,
            examples=recipe.examples,
            seed=recipe.seed,
        )
        for spec in recipe.sweeps
    ]
    return HistoryExperiment(recipe, studies)


def load_history(recipe: HistoryRecipe) -> History:
    """The recipe's history."""
    spec = recipe.history
    if spec.sample is not None:
        seed = spec.sample.seed if spec.sample.seed is not None else recipe.seed
        return sample_history(spec.sample.rows, seed=seed)
    layout = history_layout(spec.format, columns=spec.columns, sep=spec.sep, encoding=spec.encoding)
    return layout.read(str(spec.file))


def save_history_experiment(experiment: HistoryExperiment, out: str | Path) -> Path:
    """Write report, chart and tables into a folder; the report's path."""
    folder = make_folder(out)
    names = ("sweep.csv", "sweep.json", "sweep.svg", "report.html")
    spec = experiment.recipe.history
    sources = (spec.file, spec.items, experiment.recipe.categories)
    spare_sources(sources, (folder / name for name in names))
    write_all(sweep_outputs(experiment.studies, folder, title=experiment.recipe.title_text))
    return folder / "report.html"
