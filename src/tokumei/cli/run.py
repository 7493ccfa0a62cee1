"""`tokumei run` and `tokumei demo`: a whole experiment from a recipe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.cli.options import PrintingCommand
from tokumei.core.ask import option
from tokumei.core.options import key_option, seed_option
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.ask import Answer
    from tokumei.core.recipe import Recipe

out_option = partial(option, "folder for the results", "結果のフォルダ")
demo_seed_option = partial(option, "repeat the same draws", "同じ乱数を再現する", least=0)


@dataclass(frozen=True, kw_only=True)
class RunRecipe(PrintingCommand):
    """Run a recipe file."""

    about: ClassVar = Text(
        "Run a recipe: data, anonymizers, attacks, measures, report.",
        "レシピを実行します (データ・匿名加工・攻撃・指標・レポート)。",
    )
    examples: ClassVar = ("tokumei run examples/table.yaml --seed 1 --out results",)

    recipe: str = option("YAML file", "YAML ファイル", positional=True)
    out: str | None = out_option(default=None)
    seed: int | None = seed_option()
    key: str | None = key_option()
    x: str | None = option(
        "tables: loss on the chart's x axis: U4", "表: 図の横軸の損失: U4", default=None
    )
    y: str | None = option(
        "tables: attack on its y axis: E3", "表: 図の縦軸の攻撃: E3", default=None
    )

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.api.recipes import load_recipe
        from tokumei.cli.console import print_answer, show_progress
        from tokumei.files.keys import chance

        show_progress()
        found = load_recipe(self.recipe).with_axes(self.x, self.y)
        return print_answer(
            _answer(found, self.out or found.out, chance(self.seed, self.key)), as_json=as_json
        )


@dataclass(frozen=True, kw_only=True)
class RunDemo(PrintingCommand):
    """Run the demo recipe of every kind that has one; the first kind's results are on top."""

    about: ClassVar = Text(
        "The whole flow on generated data: prints the scorecard and where the report is.",
        "生成データで一連の流れを実行し、スコアカードとレポートの場所を示します。",
    )
    examples: ClassVar = ("tokumei demo --out demo-out",)

    out: str | None = out_option(default="demo-out")
    seed: int = demo_seed_option(default=1)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.cli.console import print_answer, print_json, show_progress

        show_progress()
        folder = Path(self.out or "demo-out")
        told: dict[str, Any] = {}
        for key, recipe in _demos().items():
            answer = _answer(recipe, folder / key if told else folder, self.seed)
            if not as_json:
                print_answer(answer, as_json=False)
            told |= {key: answer.data} if told else answer.data
        if as_json:
            print_json(told)
        return 0


def _demos() -> dict[str, Recipe]:
    """The file `demo.yaml` of every kind that has one, by the kind's key in recipes."""
    from importlib.resources import files

    from tokumei.api.recipes import parse_recipe
    from tokumei.kinds import all_kinds

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
