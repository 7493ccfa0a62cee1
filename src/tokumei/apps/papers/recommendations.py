"""Paper 004: k-anonymity that keeps what recommendation rules need, by TF-IDF over the groups."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partialmethod

import numpy as np
import polars as pl

from tokumei.apps.papers.charts import COMPUTED_SIDE, PAPER_SIDE, bars_panel
from tokumei.apps.papers.comparison import ComputedBlock, FormCheck, StatedValue
from tokumei.apps.papers.level_forms import kept_by, level_vectors, printed_levels
from tokumei.apps.papers.published_values import PaperCell
from tokumei.apps.papers.reproduction import PICTURE, PaperReproduction, printed_only
from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.kernels.mondrian.hierarchical import IDFS, Idf
from tokumei.pages.curve_page import ChartPanel
from tokumei.pages.palette import bilingual_columns
from tokumei.tables.arai2015_simulation import (
    LEVEL_TITLES,
    RULES,
    ChoiceResult,
    paper_hierarchies,
    simulate,
)
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import LevelRow, prec
from tokumei.tables.recommendation_rules.rule_model import WantedValues

CHOICES = ("prec", "rule1", "rule2", "rule3", "rule4", "rule5")
COLUMN_NAMES_JA = {"sex": "性別", "birth": "生年月日", "occupation": "職業", "height": "身長"}
LEVELS_BY_SIZE = {
    "sex": {2: "男女", 1: "*"},
    "birth": {18263: "1日", 51: "1年", 6: "10年", 1: "*"},
    "occupation": {74: "中分類", 12: "大分類", 1: "*"},
    "height": {51: "1cm", 6: "10cm", 1: "*"},
}
"""What a level is called by the number of its nodes: days, years and decades from 1944 to 1994."""
FRESH_DRAW_NOTE = Message(
    "The paper shows one draw, which was not published; these are fresh ones."
)


class RecommendationsPaper(PaperReproduction):
    """The blocks of the paper."""

    @cached_property
    def table5_hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchies of Table 5."""
        return paper_hierarchies()

    @cached_property
    def simulation_results(self) -> dict[Idf, list[ChoiceResult]]:
        """The simulation, drawn often, by each reading of the TF-IDF."""
        draws, people, k = (self.recipe[name] for name in ("draws", "people", "k"))
        seed = self.recipe["seed"]
        return {idf: simulate(draws=draws, people=people, k=k, idf=idf, seed=seed) for idf in IDFS}

    @cached_property
    def results_by_choice(self) -> dict[str, ChoiceResult]:
        """The first draw of each choice."""
        return dict(zip(CHOICES, self.simulation_results["table"], strict=True))

    def data(self) -> ComputedBlock:
        """The simulated people."""
        leaves = {name: entry.leaves.to_list() for name, entry in self.table5_hierarchies.items()}
        days, heights = leaves["birth"], [int(entry) for entry in leaves["height"]]
        computed = {
            "people": self.recipe["people"],
            "k": self.recipe["k"],
            "sexes": len(leaves["sex"]),
            "birth_first": days[0],
            "birth_last": days[-1],
            "birth_days": len(days),
            "occupations": len(leaves["occupation"]),
            "height_cm": [min(heights), max(heights)],
            "heights": len(heights),
        }
        names = self.published_block("data").column("name")
        return ComputedBlock(
            [[None, computed[name]] if name in computed else None for name in names],
            why=Message("That the draw is uniform is an input."),
        )

    table1 = printed_only(Message("Six people, of whom the next two tables are made."))
    figure1 = printed_only(PICTURE)
    table4 = printed_only(Message("Rules as an example: an input of the method."))

    def _groups_block(self, name: str) -> ComputedBlock:
        """The groups of a release, and that none is smaller than two."""
        printed = self.published_block(name)
        released = pl.DataFrame(
            {column: list(map(str, printed.column(column))) for column in printed.columns[1:]}
        )
        numbered = released.with_columns(id=pl.Series(printed.column("id")))
        groups = numbered.group_by(printed.columns[1:], maintain_order=True).agg("id")
        group_ids = sorted(groups["id"].to_list())
        return ComputedBlock(
            beside=[
                StatedValue(Message("groups"), printed.entry["groups"], group_ids),
                StatedValue(Message.verbatim("k"), printed.entry["k"], min(map(len, group_ids))),
            ],
            why=Message("Releases that the paper made up as examples; their groups are computed."),
        )

    table2 = partialmethod(_groups_block, "table2")
    table3 = partialmethod(_groups_block, "table3")

    def table5(self) -> ComputedBlock:
        """The levels of the built-in hierarchies, named by how many nodes they have."""
        rows: list[Sequence[PaperCell]] = []
        for column in COLUMN_NAMES_JA:
            sizes = [len(set(nodes)) for nodes in self.table5_hierarchies[column].up.tolist()]
            names = [LEVELS_BY_SIZE[column].get(size, "") for size in reversed(sizes)]
            rows.append([None, *names, *[None] * (4 - len(names))])
        levels = self.published_block("table5").entry["levels"]
        stated = [
            StatedValue(
                Message("levels of {column}", column=printed_name),
                levels[printed_name],
                self.table5_hierarchies[column].height + 1,
            )
            for column, printed_name in COLUMN_NAMES_JA.items()
        ]
        return ComputedBlock(rows, beside=stated)

    def table6(self) -> ComputedBlock:
        """The rules of the simulation."""
        rows = []
        for rule in RULES:
            (box,) = rule.boxes
            cells = [_format_wanted(box.wanted.get(name)) for name in COLUMN_NAMES_JA]
            rows.append([None, None, *cells])
        return ComputedBlock(rows)

    def _levels_block(self, name: str, choice: str) -> ComputedBlock:
        """How often a fresh draw has the paper's level vectors, and what it keeps of whom."""
        printed = self.published_block(name)
        table = printed_levels(printed)
        draws = self.results_by_choice[choice].tables
        rare = Message(
            "The paper shows one draw that was not published, and none of ours is like it in this."
        )
        forms = [
            FormCheck(
                Message("exactly these level vectors, whatever the people"),
                level_vectors(table),
                [level_vectors(drawn) for drawn in draws],
                needed=OCCURS,
                explanation=rare,
            ),
            FormCheck(
                Message("each attribute is kept by all, some or none, as here"),
                kept_by(table),
                [kept_by(drawn) for drawn in draws],
                needed=OCCURS,
                explanation=rare,
            ),
            FormCheck(
                Message("as many people as the simulation has"),
                sum(row.people for row in table),
                [sum(row.people for row in drawn) for drawn in draws],
                needed=1.0,
            ),
        ]
        groups = [
            Message("{levels}: {people}", levels=_describe_levels(row), people=row.people)
            for row in draws[0]
        ]
        note = Message("A fresh draw: {groups}.", groups=join_messages(groups, SEMICOLON))
        return ComputedBlock(forms=forms, why=FRESH_DRAW_NOTE, note=note)

    table7 = partialmethod(_levels_block, "table7", "prec")
    table8 = partialmethod(_levels_block, "table8", "rule1")
    table9 = partialmethod(_levels_block, "table9", "rule2")
    table10 = partialmethod(_levels_block, "table10", "rule3")
    table11 = partialmethod(_levels_block, "table11", "rule4")
    table12 = partialmethod(_levels_block, "table12", "rule5")

    def table13(self) -> ComputedBlock:
        """Prec of the printed Tables 7 to 12 by our formula; what the text says, over draws."""
        printed = self.published_block("table13")
        heights = [hierarchy.height for hierarchy in self.table5_hierarchies.values()]
        tables = [self.published_block(f"table{number}") for number in range(7, 13)]
        rows = [[None, prec(printed_levels(table), heights)] for table in tables]
        precs = np.array([self.results_by_choice[name].precs for name in CHOICES])
        highest = [CHOICES[place] for place in precs.argmax(axis=0)]
        highest = [
            "prec" if first >= best - TIED else name
            for first, best, name in zip(precs[0], precs.max(axis=0), highest, strict=True)
        ]
        spread = precs.max(axis=0) - precs.min(axis=0)
        printed_spread = max(printed.column("prec")) - min(printed.column("prec"))
        means = ", ".join(f"{name} {self.results_by_choice[name].prec:.4f}" for name in CHOICES)
        forms = [
            FormCheck(
                Message("the choice by Prec has the highest Prec"),
                printed.entry["highest"],
                highest,
                explanation=Message(
                    "True of the paper's draw, and not of most: the means of {draws:,} draws are "
                    "{means}.",
                    draws=precs.shape[1],
                    means=means,
                ),
            ),
            FormCheck(
                Message("no large differences: at most .05 from lowest to highest"),
                bool(printed_spread <= LARGE_DIFFERENCE),
                [bool(value <= LARGE_DIFFERENCE) for value in spread],
            ),
        ]
        return ComputedBlock(
            rows, forms=forms, note=self._describe_readings(), panels=[self._prec_panel()]
        )

    def _describe_readings(self) -> Message:
        """In how many draws each reading gives the level vectors of Tables 8 to 12."""
        tables = {
            rule: level_vectors(printed_levels(self.published_block(f"table{number}")))
            for number, rule in enumerate(CHOICES[1:], start=8)
        }
        readings = [
            Message(
                "{reading}: {counts}",
                reading=READING_NAMES[idf],
                counts=", ".join(
                    str(sum(level_vectors(drawn) == tables[rule] for drawn in result.tables))
                    for rule, result in zip(CHOICES[1:], results[1:], strict=True)
                ),
            )
            for idf, results in self.simulation_results.items()
        ]
        return Message(
            "Draws of {draws:,} with exactly the level vectors of Tables 8 to 12, by reading of "
            "the TF-IDF: {readings}.",
            draws=self.recipe["draws"],
            readings=join_messages(readings, SEMICOLON),
        )

    def _prec_panel(self) -> ChartPanel:
        rows = [
            {
                **bilingual_columns(Message.verbatim(name)),
                "value": round(value, 3),
                **bilingual_columns(side, "side_"),
            }
            for name, stated in self.published_block("table13").rows
            for side, value in (
                (PAPER_SIDE, stated),
                (COMPUTED_SIDE, self.results_by_choice[name].prec),
            )
        ]
        heading = Message("Prec by choice of attribute")
        return bars_panel("table13", heading, Message.verbatim("Prec"), rows, form=".2f")


TIED, LARGE_DIFFERENCE, OCCURS = 1e-9, 0.05, 0.001
"""Sums that count as equal; Prec that differs much; the share of draws in which a form occurs."""
READING_NAMES: dict[Idf, Message] = {
    "table": Message("IDF and mean over the table"),
    "split": Message("IDF and mean over the split"),
    "mean-of-split": Message("Step 3 to the letter, IDF over the table and mean over the split"),
}


def _format_wanted(wanted: WantedValues | None) -> str:
    """What a rule asks for, as the paper writes it."""
    if wanted is None:
        return "*"
    return wanted.values[0] if wanted.values else f"{wanted.low}-{wanted.high}"


def _describe_levels(row: LevelRow) -> Message:
    levels = zip(LEVEL_TITLES.values(), row.levels, strict=True)
    return join_messages(names[level] for names, level in levels)
