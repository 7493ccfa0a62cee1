"""`tokumei rules simulate`: repeats the simulation of the method's paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.apps.cli.rules_anonymization import IDF_HELP, TIES_HELP, level_table_rows
from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import seed_option

if TYPE_CHECKING:
    from tokumei.tables.arai2015_simulation import ChoiceResult


@dataclass(frozen=True, kw_only=True)
class SimulateRules(Command):
    """Means over many random tables."""

    about: ClassVar = Message(
        "The simulation of Arai, Kono and Babaguchi (2015), section 4: 100 random people, k = 2, "
        "one rule at a time; means over many draws."
    )
    examples: ClassVar = ("tokumei rules simulate --draws 200 --seed 1",)

    draws: int = option("how many tables are drawn", default=200, least=1)
    people: int = option("people in each table", default=100, least=1)
    k: int = option("k", default=2, least=1)
    ties: Literal["order", "prec"] = option(TIES_HELP, default="order")
    idf: Literal["table", "split", "mean-of-split"] = option(IDF_HELP, default="table")
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """The paper's figures, with how far they spread."""
        from tokumei.tables import arai2015_simulation

        settings = {name: getattr(self, name) for name in ("draws", "people", "k", "seed", "idf")}
        choice_results = arai2015_simulation.simulate(ties=self.ties, **settings)
        heights = {
            name: entry.height for name, entry in arai2015_simulation.paper_hierarchies().items()
        }
        results = [
            {
                "choice": entry.choice,
                "rule": entry.rule,
                "prec": entry.prec,
                "prec_sd": entry.spread,
                "kept": entry.kept,
                "decided": entry.decided,
                "first_draw": level_table_rows(entry.table, heights),
            }
            for entry in choice_results
        ]
        return CommandResult(
            {**settings, "results": results},
            [*_summary_tables(choice_results), *_first_draw_tables(choice_results)],
        )


def _summary_tables(choice_results: Sequence[ChoiceResult]) -> list[TextTable]:
    from tokumei.tables.arai2015_simulation import RULE_TITLES

    titles = [
        "Prec"
        if choice_result.rule is None
        else f"{choice_result.rule} {RULE_TITLES[choice_result.rule].show()}"
        for choice_result in choice_results
    ]
    kept = [
        [
            title,
            f"{choice_result.prec:.3f}",
            *(f"{choice_result.kept[name]:.1%}" for name in choice_results[0].kept),
        ]
        for title, choice_result in zip(titles, choice_results, strict=True)
    ]
    decided = [
        [title, *(f"{choice_result.decided[name]:.1%}" for name in choice_results[0].decided)]
        for title, choice_result in zip(titles, choice_results, strict=True)
    ]
    choice_label = Message("choice by")
    return [
        TextTable(
            Message("Prec, and people whose attribute is not *"),
            [choice_label, "Prec", *choice_results[0].kept],
            kept,
        ),
        TextTable(
            Message("People for whom a rule can be decided"),
            [choice_label, *choice_results[0].decided],
            decided,
        ),
    ]


def _first_draw_tables(choice_results: Sequence[ChoiceResult]) -> list[TextTable]:
    """The level vectors of the first draw and their people, the paper's Tables 7 to 12."""
    from tokumei.tables.arai2015_simulation import LEVEL_TITLES, RULE_TITLES

    return [
        TextTable(
            Message(
                "First draw, choice by {choice}",
                choice="Prec" if choice_result.rule is None else RULE_TITLES[choice_result.rule],
            ),
            [*LEVEL_TITLES, Message("people", context="a number")],
            [
                [
                    *(
                        names[level].show()
                        for names, level in zip(LEVEL_TITLES.values(), row.levels, strict=True)
                    ),
                    str(row.people),
                ]
                for row in choice_result.table
            ],
        )
        for choice_result in choice_results
    ]
