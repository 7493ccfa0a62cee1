"""`tokumei run` and `tokumei demo`: run an experiment from a recipe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import option
from tokumei.core.messages import Message
from tokumei.core.shared_options import key_option, seed_option

if TYPE_CHECKING:
    from tokumei.core.command import CommandResult
    from tokumei.core.recipe import Experiment, Recipe

out_option = partial(option, "folder for the results")
demo_seed_option = partial(option, "repeat the same draws", least=0)


@dataclass(frozen=True, kw_only=True)
class RunRecipe(PrintingCommand):
    """Run a recipe file."""

    about: ClassVar = Message("Run a recipe: data, anonymizers, attacks, measures, report.")
    examples: ClassVar = ("tokumei run examples/table.yaml --seed 1 --out results",)

    recipe: str = option("YAML file", positional=True)
    out: str | None = out_option(default=None)
    seed: int | None = seed_option()
    key: str | None = key_option()
    x: str | None = option("tables: loss on the chart's x axis: U4", default=None)
    y: str | None = option("tables: attack on its y axis: E3", default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.api.recipes import load_recipe
        from tokumei.apps.cli.console import print_command_result, show_progress
        from tokumei.files.key_files import resolve_seed

        show_progress()
        recipe = load_recipe(self.recipe).with_axes(self.x, self.y)
        return print_command_result(
            _run_and_save(recipe, self.out or recipe.out, resolve_seed(self.seed, self.key)),
            as_json=as_json,
        )


@dataclass(frozen=True, kw_only=True)
class RunDemo(PrintingCommand):
    """Run the demo recipe of every kind that has one; the first kind's results are on top."""

    about: ClassVar = Message(
        "The whole flow on generated data: a release of a messy ledger and its verdict, then "
        "methods compared: prints the scorecards and where the reports are."
    )
    examples: ClassVar = ("tokumei demo --out demo-out",)

    out: str | None = out_option(default="demo-out")
    seed: int = demo_seed_option(default=1)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.apps.cli.console import print_command_result, print_json, show_progress
        from tokumei.apps.cli.demo_release import introduce_comparison, release_made_up_ledger

        show_progress()
        folder = Path(self.out or "demo-out")
        released = release_made_up_ledger(folder, self.seed)
        if not as_json:
            print_command_result(replace(released, code=0), as_json=False)
            print(introduce_comparison().show())
        results: dict[str, object] = {}
        for key, recipe in _load_demo_recipes().items():
            answer = _run_and_save(recipe, folder / key if results else folder, self.seed)
            if not as_json:
                print_command_result(answer, as_json=False)
            results |= {key: answer.data} if results else answer.data
        if as_json:
            print_json(results | {"release": released.data})
        return 0


def _load_demo_recipes() -> dict[str, Recipe]:
    """The file `demo.yaml` of every kind that has one, by the kind's key in recipes."""
    from importlib.resources import files

    from tokumei.api.recipes import parse_recipe
    from tokumei.kinds import all_kinds

    demo_files = {kind.key: files(kind.home) / "demo.yaml" for kind in all_kinds()}
    return {
        key: parse_recipe(demo.read_text(encoding="utf-8"), where=str(demo))
        for key, demo in demo_files.items()
        if demo.is_file()
    }


def _run_and_save(recipe: Recipe, out: str | Path, seed: int | None) -> CommandResult:
    """Run, save; what the experiment says, and where its report is."""

    from tokumei.api.recipes import run_recipe
    from tokumei.files.release_files import save_experiment

    experiment = run_recipe(recipe, seed=seed)
    report = save_experiment(experiment, out)
    answer = experiment.answer()
    report_message = Message("Report: {report}", report=report)
    assessments = {name: release.document for name, release in experiment.assessed.items()}
    data = {"report": str(report), **answer.data}
    data |= {"assessments": assessments} if assessments else {}
    shown = [*answer.shown, *_list_verdicts(experiment), report_message]
    return replace(answer, data=data, shown=shown)


def _list_verdicts(experiment: Experiment) -> list[Message]:
    """The verdict on each release; with its name where there are several."""
    lines = {name: release.line for name, release in experiment.assessed.items()}
    if len(lines) == 1:
        return [*lines.values()]
    return [
        Message("{release}: {verdict}", release=name, verdict=line) for name, line in lines.items()
    ]
