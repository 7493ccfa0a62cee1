"""`tokumei run` and `tokumei demo`: a whole experiment from a recipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import Json, KeyFile, Seed, about, argument, option
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.ask import Answer
    from tokumei.core.recipe import Recipe

Out = Annotated[str | None, option("folder for the results", "結果のフォルダ")]
DemoSeed = Annotated[int, option("repeat the same draws", "同じ乱数を再現する", min=0)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        help=about(
            "The whole flow on generated data: prints the scorecard and where the report is.",
            "生成データで一連の流れを実行し、スコアカードとレポートの場所を示します。",
            "tokumei demo --out demo-out",
        ).show()
    )(demo)
    app.command(
        help=about(
            "Run a recipe: data, anonymizers, attacks, measures, report.",
            "レシピを実行します (データ・匿名加工・攻撃・指標・レポート)。",
            "tokumei run examples/table.yaml --seed 1 --out results",
        ).show()
    )(run)


def run(
    recipe: Annotated[str, argument("YAML file", "YAML ファイル")],
    out: Out = None,
    seed: Seed = None,
    key: KeyFile = None,
    x: Annotated[
        str | None, option("tables: loss on the chart's x axis: U4", "表: 図の横軸の損失: U4")
    ] = None,
    y: Annotated[
        str | None, option("tables: attack on its y axis: E3", "表: 図の縦軸の攻撃: E3")
    ] = None,
    json: Json = False,
) -> int:
    """Run a recipe file."""
    from tokumei.cli.console import print_answer, show_progress
    from tokumei.files.keys import chance
    from tokumei.recipes import load_recipe

    show_progress()
    found = load_recipe(recipe).with_axes(x, y)
    return print_answer(_answer(found, out or found.out, chance(seed, key)), as_json=json)


def demo(out: Out = "demo-out", seed: DemoSeed = 1, json: Json = False) -> None:
    """Run the demo recipe of every kind that has one; the first kind's results are on top."""

    from tokumei.cli.console import print_answer, print_json, show_progress

    show_progress()
    folder = Path(out or "demo-out")
    told: dict[str, Any] = {}
    for key, recipe in _demos().items():
        answer = _answer(recipe, folder / key if told else folder, seed)
        if not json:
            print_answer(answer, as_json=False)
        told |= {key: answer.data} if told else answer.data
    if json:
        print_json(told)


def _demos() -> dict[str, Recipe]:
    """The file `demo.yaml` of every kind that has one, by the kind's key in recipes."""
    from importlib.resources import files

    from tokumei.kinds import all_kinds
    from tokumei.recipes import parse_recipe

    found = {kind.key: files(kind.home) / "demo.yaml" for kind in all_kinds()}
    return {
        key: parse_recipe(demo.read_text(encoding="utf-8"), where=str(demo))
        for key, demo in found.items()
        if demo.is_file()
    }


def _answer(recipe: Recipe, out: str | Path, seed: int | None) -> Answer:
    """Run, save; what the experiment says, and where its report is."""

    from tokumei.core.recipe import run_recipe
    from tokumei.files.releases import save_experiment

    experiment = run_recipe(recipe, seed=seed)
    report = save_experiment(experiment, out)
    answer = experiment.answer()
    where = Text(f"Report: {report}", f"レポート: {report}")
    data = {"report": str(report), **answer.data}
    return replace(answer, data=data, shown=[*answer.shown, where])
