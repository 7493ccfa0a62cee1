"""`tokumei run` and `tokumei demo`: a whole experiment from a recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import Json, Seed
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.recipe import Recipe
    from tokumei.histories.recipe import HistoryRecipe
    from tokumei.tables.experiment import Experiment

SHOWN = ("S1", "U5", "rows_kept")
Out = Annotated[
    str | None, typer.Option(help=Text("folder for the results", "結果のフォルダ").show())
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        help=Text(
            "The main job end to end on generated data; prints the scorecard and where the "
            "report is.\n\nExample:  tokumei demo --out demo-out",
            "生成データで一連の流れを実行し、スコアカードとレポートの場所を示します。\n\n"
            "例:  tokumei demo --out demo-out",
        ).show()
    )(demo)
    app.command(
        help=Text(
            "Run a recipe: data, anonymizers, attacks, measures, report.\n\n"
            "Example:  tokumei run examples/table.yaml --seed 1 --out results",
            "レシピを実行します (データ・匿名加工・攻撃・指標・レポート)。\n\n"
            "例:  tokumei run examples/table.yaml --seed 1 --out results",
        ).show()
    )(run)


def run(
    recipe: Annotated[str, typer.Argument(help=Text("YAML file", "YAML ファイル").show())],
    out: Out = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Run a recipe file."""
    from pathlib import Path

    from tokumei.cli.console import print_json, show_progress
    from tokumei.cli.run_periods import run_periods
    from tokumei.core.recipe import load_recipe, load_yaml, recipe_source
    from tokumei.histories.recipe import parse_history_recipe

    show_progress()
    data = load_yaml(recipe_source(recipe), where=recipe)
    beside = Path(recipe).parent
    if isinstance(data, dict) and "periods" in data:
        done = run_periods(data, recipe, beside, out, seed, json)
    elif isinstance(data, dict) and "history" in data:
        done = _history(parse_history_recipe(data, where=recipe, beside=beside), out, seed, json)
    else:
        done = _table(load_recipe(recipe), out, seed, json)
    if json:
        print_json(done)


def demo(out: Out = "demo-out", seed: Seed = 1, json: Json = False) -> None:
    """Run the built-in recipes: a table, then a history."""
    from pathlib import Path

    from tokumei.cli.console import print_json, show_progress
    from tokumei.core.recipe import load_yaml, parse_recipe
    from tokumei.histories.recipe import parse_history_recipe

    show_progress()
    folder = out or "demo-out"
    table = _table(parse_recipe(_built_in("demo.yaml"), where="demo.yaml"), folder, seed, json)
    plain = load_yaml(_built_in("demo-history.yaml"), where="demo-history.yaml")
    recipe = parse_history_recipe(plain, where="demo-history.yaml")
    history = _history(recipe, str(Path(folder) / "history"), seed, json)
    if json:
        print_json({**table, "history": history})


def _built_in(name: str) -> str:
    from importlib.resources import files

    return files("tokumei.cli").joinpath(name).read_text(encoding="utf-8")


def _table(recipe: Recipe, out: str | None, seed: int | None, json: bool) -> dict[str, Any]:
    from tokumei.tables.experiment import run_recipe, save_experiment
    from tokumei.tables.report.scorecard import scorecard

    experiment = run_recipe(recipe, seed=seed)
    report = save_experiment(experiment, out or recipe.out)
    if not json:
        _show(experiment)
        print(Text(f"Report: {report}", f"レポート: {report}").show())
    card = [row.as_json() for row in scorecard(experiment.evaluations)]
    return {"report": str(report), "scorecard": card}


def _history(
    recipe: HistoryRecipe, out: str | None, seed: int | None, json: bool
) -> dict[str, Any]:
    from tokumei.cli.sweep import show_sweep
    from tokumei.histories.experiment import run_history_recipe, save_history_experiment

    experiment = run_history_recipe(recipe, seed=seed)
    report = save_history_experiment(experiment, out or recipe.out)
    if not json:
        for study in experiment.studies:
            show_sweep(study.sweep)
        print(Text(f"Report: {report}", f"レポート: {report}").show())
    sweeps = {study.sweep.label: study.sweep.as_json() for study in experiment.studies}
    return {"report": str(report), "sweeps": sweeps}


def _show(experiment: Experiment) -> None:
    """The scorecard as a table."""
    from tokumei.cli.console import print_table
    from tokumei.core.figures import percent, percent_range
    from tokumei.tables.report.scorecard import scorecard

    names = (Text("kept", "残存"), Text("strongest attack", "最も強い攻撃"), Text("95 %", "95 %"))
    header = ["", "k", "U5", *(name.show() for name in names)]
    rows = []
    for found in experiment.evaluations:
        values = [found.scores[name].value if name in found.scores else None for name in SHOWN]
        k, loss, kept = ("–" if value is None else f"{value:.3g}" for value in values)
        best = found.strongest
        attack = f"{best.attack} {percent(best.rate)}"
        rows.append([found.label, k, loss, kept, attack, percent_range(best.low, best.high)])
    print_table(Text("Scorecard", "スコアカード"), header, rows)
    for row in scorecard(experiment.evaluations):
        for warning in row.warnings:
            print(f"! {row.label}: {warning.show()}")
    blind = percent(experiment.evaluations[0].strongest.baseline)
    print(
        Text(
            f"k: smallest class. U5: information loss. A blind guess finds {blind}.",
            f"k: 最小クラス。U5: 情報損失。無作為な推測では {blind}。",
        ).show()
    )
