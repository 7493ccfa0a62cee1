"""`tokumei run` and `tokumei demo`: a whole experiment from a recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.options import Json, Seed
from tokumei.text import Text

if TYPE_CHECKING:
    from tokumei.experiment import Experiment
    from tokumei.recipe import Recipe

DEMO_RECIPE = "demo.yaml"
SHOWN = ("S1", "U1", "U2", "U4", "U5", "rows_kept")
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
    from tokumei.recipe import load_recipe

    _execute(load_recipe(recipe), out, seed, json)


def demo(out: Out = "demo-out", seed: Seed = 1, json: Json = False) -> None:
    """Run the built-in recipe."""
    from importlib.resources import files

    from tokumei.recipe import parse_recipe

    text = files("tokumei.cli").joinpath(DEMO_RECIPE).read_text(encoding="utf-8")
    _execute(parse_recipe(text, where=DEMO_RECIPE), out, seed, json)


def _execute(recipe: Recipe, out: str | None, seed: int | None, json: bool) -> None:
    from tokumei.cli.console import print_json, show_progress
    from tokumei.experiment import run_recipe, save_experiment
    from tokumei.report.scorecard import scorecard

    show_progress()
    experiment = run_recipe(recipe, seed=seed)
    report = save_experiment(experiment, out or recipe.out)
    if json:
        card = [row.as_json() for row in scorecard(experiment.evaluations)]
        print_json({"report": str(report), "scorecard": card})
        return
    _show(experiment)
    print(Text(f"Report: {report}", f"レポート: {report}").show())


def _show(experiment: Experiment) -> None:
    """The scorecard as a table."""
    from tokumei.cli.console import print_table

    header = ["", "k (S1)", "U1", "U2", "U4", "U5", Text("rows", "行").show()]
    header += [Text("strongest attack", "最も強い攻撃").show(), Text("blind", "無作為").show()]
    rows = []
    for found in experiment.evaluations:
        values = [found.scores[name].value if name in found.scores else None for name in SHOWN]
        texts = ["–" if value is None else f"{value:,.4g}" for value in values]
        best = found.strongest
        attack = f"{best.attack} {best.rate:.1%} ({best.low:.1%}–{best.high:.1%})"
        rows.append([found.label, *texts, attack, f"{best.baseline:.3%}"])
    print_table(Text("Scorecard", "スコアカード"), header, rows)
