"""`tokumei run` with a recipe for pseudonyms over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.pseudonyms.round import Scoreboard


def run_periods(
    data: dict[str, Any], where: str, beside: Path, out: str | None, seed: int | None, json: bool
) -> dict[str, Any]:
    """Play the round, write its results, show the scoreboard."""
    from tokumei.pseudonyms.experiment import run_period_recipe, save_period_experiment
    from tokumei.pseudonyms.recipe import parse_period_recipe

    recipe = parse_period_recipe(data, where=where, beside=beside)
    experiment = run_period_recipe(recipe, seed=seed)
    report = save_period_experiment(experiment, out or recipe.out)
    if not json:
        show_scoreboard(experiment.board)
        print(Text(f"Report: {report}", f"レポート: {report}").show())
    return {"report": str(report), "scoreboard": experiment.board.as_json()}


def show_scoreboard(board: Scoreboard) -> None:
    """The scoreboard as a table, the best release first."""
    from tokumei.cli.console import print_table

    known = [f"α={alpha:g}" for alpha in board.alphas]
    names = (Text("attack", "攻撃"), Text("total", "総合"))
    header = ["", "U", *known, "S", *(name.show() for name in names)]
    rows = []
    for entry in sorted(board.entries, key=lambda entry: entry.total):
        rates = [f"{entry.most_found(alpha).value:.3f}" for alpha in board.alphas]
        figures = [f"{entry.worst:.4f}", *rates, f"{entry.risk:.4f}", entry.strongest]
        rows.append([entry.name, *figures, f"{entry.total:.4f}"])
    print_table(Text("Scoreboard", "スコアボード"), header, rows)
    print(
        Text(
            "U: worst utility loss. α: customers found in every month, knowing that share of the "
            "rows. S: its mean for the strongest attack. Lower is better.",
            "U: 有用性の損失 (最悪の指標)。α: 行のその割合を知る攻撃がすべての月で特定した顧客の"
            "割合。S: 最も強い攻撃の平均。小さいほど良い値です。",
        ).show()
    )
