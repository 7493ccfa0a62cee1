"""Running a recipe for pseudonyms over time: a contest's round, its scoreboard and its report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokumei.core.json_text import as_json_text
from tokumei.core.text import current_language
from tokumei.files.atomic import write_all
from tokumei.files.folders import make_folder, spare_sources
from tokumei.files.writing import text_output
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.sample import sample_periods
from tokumei.pseudonyms.formats.pws2017 import read_period_history
from tokumei.pseudonyms.recipe import PeriodRecipe
from tokumei.pseudonyms.registry import anonymizers
from tokumei.pseudonyms.report.scoreboard import scoreboard_page
from tokumei.pseudonyms.round import Round, Scoreboard
from tokumei.report.curve_page import page_outputs


@dataclass(frozen=True, eq=False)
class PeriodExperiment:
    """A recipe and the scoreboard it gave."""

    recipe: PeriodRecipe
    board: Scoreboard


def run_period_recipe(recipe: PeriodRecipe, *, seed: int | None = None) -> PeriodExperiment:
    """Make every release, attack and measure it; nothing is written."""
    if seed is not None:
        recipe = recipe.model_copy(update={"seed": seed})
    releases = {
        release.name: anonymizers.build(release.method, release.params)
        for release in recipe.releases
    }
    played = Round(
        alphas=recipe.knowledge.alphas,
        knowledge=recipe.knowledge.params,
        attacks=list(recipe.attacks),
        measures=list(recipe.measures),
        params=recipe.params,
    )
    return PeriodExperiment(recipe, played.play(load_periods(recipe), releases, seed=recipe.seed))


def load_periods(recipe: PeriodRecipe) -> PeriodHistory:
    """The recipe's history with its customers."""
    spec = recipe.periods
    if spec.sample is None:
        return read_period_history(str(spec.file), str(spec.master), encoding=spec.encoding)
    sample = spec.sample
    seed = sample.seed if sample.seed is not None else recipe.seed
    return sample_periods(
        sample.rows, customers=sample.customers, invoices=sample.invoices, seed=seed
    )


def save_period_experiment(experiment: PeriodExperiment, out: str | Path) -> Path:
    """Write scoreboard, charts and report into a folder; the report's path."""
    folder = make_folder(out)
    page = scoreboard_page(experiment.board, title=experiment.recipe.title_text)
    outputs = [
        text_output(as_json_text(experiment.board.as_json()), folder / "scoreboard.json"),
        *page_outputs(page, folder, lang=current_language()),
    ]
    spec = experiment.recipe.periods
    spare_sources((spec.file, spec.master), (output.path for output in outputs))
    write_all(outputs)
    return folder / "report.html"
