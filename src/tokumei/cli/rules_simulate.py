"""`tokumei rules simulate`: the simulation of the TF-IDF paper, drawn many times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.options import Json, Seed
from tokumei.cli.rules import Ties, TiesOption, level_rows
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.rule_simulation import ChoiceResult


def simulate(
    draws: Annotated[
        int, typer.Option(min=1, help=Text("how many tables are drawn", "試行回数").show())
    ] = 200,
    people: Annotated[int, typer.Option(min=1, help=Text("people each", "人数").show())] = 100,
    k: Annotated[int, typer.Option(min=1, help="k")] = 2,
    ties: TiesOption = Ties.order,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Means over many random tables."""
    from tokumei.cli.console import print_json, show_progress
    from tokumei.tables import rule_simulation

    show_progress()
    found = rule_simulation.simulate(draws=draws, people=people, k=k, ties=ties.value, seed=seed)
    if json:
        heights = {name: one.height for name, one in rule_simulation.hierarchies().items()}
        results = [_as_json(one, heights) for one in found]
        print_json({"draws": draws, "people": people, "k": k, "seed": seed, "results": results})
        return
    _show(found)


def _as_json(one: ChoiceResult, heights: dict[str, int]) -> dict[str, Any]:
    return {
        "choice": one.choice,
        "rule": one.rule,
        "prec": one.prec,
        "prec_sd": one.spread,
        "kept": one.kept,
        "decided": one.decided,
        "first_draw": level_rows(one.table, list(heights), list(heights.values())),
    }


def _show(found: list[ChoiceResult]) -> None:
    from tokumei.cli.console import print_table
    from tokumei.tables.rule_simulation import TITLES

    def title(one: ChoiceResult) -> str:
        return "Prec" if one.rule is None else f"{one.rule} {TITLES[one.rule].show()}"

    names = list(found[0].kept)
    print_table(
        Text("Prec, and people whose attribute is not *", "Prec と、属性が * でない人の割合"),
        [Text("choice by", "選び方").show(), "Prec", *names],
        [
            [title(one), f"{one.prec:.3f}", *(f"{one.kept[name]:.1%}" for name in names)]
            for one in found
        ],
    )
    rules = list(found[0].decided)
    print_table(
        Text("People for whom a rule can be decided", "推薦ルールを判断できる人の割合"),
        [Text("choice by", "選び方").show(), *rules],
        [[title(one), *(f"{one.decided[rule]:.1%}" for rule in rules)] for one in found],
    )
