"""Paper 004: k-anonymity that keeps what recommendation rules need, by TF-IDF over the groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partialmethod

import numpy as np
import polars as pl

from tokumei.apps.papers.charts import COMPUTED_SIDE, PAPER_SIDE, bars_panel
from tokumei.apps.papers.comparison import FORM_ONLY, ComputedBlock, StatedValue
from tokumei.apps.papers.reproduction import PaperReproduction
from tokumei.core.messages import SEMICOLON, Message, join_messages, join_sentences
from tokumei.kernels.mondrian.hierarchical import IDFS
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
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
from tokumei.tables.recommendation_rules.rule_model import (
    RecommendationRule,
    RuleBox,
    WantedValues,
    parse_wanted,
)

CHOICES = ("prec", "rule1", "rule2", "rule3", "rule4", "rule5")
COLUMN_NAMES_JA = {"sex": "性別", "birth": "生年月日", "occupation": "職業", "height": "身長"}
PRINTED_LEVELS = {
    "sex": ("男女", "*"),
    "birth": ("1日", "1年", "10年", "*"),
    "occupation": ("中分類", "大分類", "*"),
    "height": ("1cm", "10cm", "*"),
}
"""What the paper calls the levels of `LEVEL_TITLES`."""
PREC_TOLERANCE = 0.0005
"""Half of the last printed digit of a Prec."""
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
    def simulation_results(self) -> dict[str, list[ChoiceResult]]:
        """The simulation, drawn often, with the IDF over the table and over the split."""
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
            "birth_days_paper": len(days),
            "birth_days_true": len(days),
            "occupations": len(leaves["occupation"]),
            "height_cm": [min(heights), max(heights)],
            "heights": len(heights),
        }
        names = self.published_block("data").column("name")
        return ComputedBlock(
            [[name, computed[name]] if name in computed else None for name in names]
        )

    # Six people, of whom the next two tables are made; a picture of a hierarchy.
    table1 = figure1 = PaperReproduction.nothing_computed

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
                StatedValue(Message.verbatim("k"), 2, min(map(len, group_ids))),
            ]
        )

    table2 = partialmethod(_groups_block, "table2")
    table3 = partialmethod(_groups_block, "table3")

    def table4(self) -> ComputedBlock:
        """Rules that can be read: how many of the 51 heights each one takes."""
        rules = [_parse_rule(row[0], row[1:]) for row in self.published_block("table4").rows]
        parsed_rules = leaf_rules(rules, self.table5_hierarchies)
        computed_counts = [int(rule_leaves.insides[0][3].sum()) for rule_leaves in parsed_rules]
        published_counts = [
            sum(map(_height_condition(row[4]), range(140, 191)))
            for row in self.published_block("table4").rows
        ]
        names = [Message("heights of {rule}", rule=rule.name) for rule in rules]
        return ComputedBlock(
            beside=[
                StatedValue(*cells)
                for cells in zip(names, published_counts, computed_counts, strict=True)
            ]
        )

    def table5(self) -> ComputedBlock:
        """The levels of the built-in hierarchies."""
        rows = []
        for column, printed_name in COLUMN_NAMES_JA.items():
            names = [*reversed(PRINTED_LEVELS[column])]
            cells = [*names, *[None] * (4 - len(names))]
            rows.append([printed_name, *cells, self.table5_hierarchies[column].height])
        return ComputedBlock(rows)

    def table6(self) -> ComputedBlock:
        """The rules of the simulation."""
        rows = []
        printed_names = {row[0]: row[1] for row in self.published_block("table6").rows}
        for rule in RULES:
            (box,) = rule.boxes
            cells = [_format_wanted(box.wanted.get(name)) for name in COLUMN_NAMES_JA]
            rows.append([int(rule.name), printed_names[int(rule.name)], *cells])
        return ComputedBlock(rows)

    def _levels_block(self, name: str, choice: str) -> ComputedBlock:
        """Prec from the printed people, by our formula; and the first fresh draw in words."""
        printed = self.published_block(name)
        heights = [hierarchy.height for hierarchy in self.table5_hierarchies.values()]
        table = [
            LevelRow(
                tuple(
                    _level_index(column, cell)
                    for column, cell in zip(LEVEL_TITLES, row, strict=False)
                ),
                row[4],
            )
            for row in printed.rows
        ]
        published_prec = self.published_block("table13").rows[CHOICES.index(choice)][1]
        people = Message("people", context="a number")
        stated_values = [
            StatedValue(people, self.recipe["people"], sum(row.people for row in table)),
            StatedValue(
                Message("Prec of these levels"),
                published_prec,
                prec(table, heights),
                PREC_TOLERANCE,
            ),
        ]
        groups = [
            Message("{levels}: {people}", levels=_describe_levels(row), people=row.people)
            for row in self.results_by_choice[choice].table
        ]
        note = Message("A fresh draw: {groups}.", groups=join_messages(groups, SEMICOLON))
        return ComputedBlock(beside=stated_values, note=note)

    table7 = partialmethod(_levels_block, "table7", "prec")
    table8 = partialmethod(_levels_block, "table8", "rule1")
    table9 = partialmethod(_levels_block, "table9", "rule2")
    table10 = partialmethod(_levels_block, "table10", "rule3")
    table11 = partialmethod(_levels_block, "table11", "rule4")
    table12 = partialmethod(_levels_block, "table12", "rule5")

    def table13(self) -> ComputedBlock:
        """Mean Prec over many draws, against the reference means of the same draws' number."""
        printed = self.published_block("table13")
        means, spread = printed.entry["reference_means"], printed.entry["reference_sd_of_one_draw"]
        draws = self.recipe["draws"]
        rows = [[name, self.results_by_choice[name].prec] for name in CHOICES]
        stated_values = [
            StatedValue(
                Message("mean Prec, {choice}, idf {idf}", choice=name, idf=idf),
                means[f"idf_{idf}"][name],
                choice_result.prec,
                3 * spread[name] * np.sqrt(1 / draws + 1 / REFERENCE_DRAWS),
            )
            for idf, choice_results in self.simulation_results.items()
            for name, choice_result in zip(CHOICES, choice_results, strict=True)
        ]
        stated_values += [
            StatedValue(
                Message("paper's draw against the mean, {choice}", choice=name),
                published_prec,
                self.results_by_choice[name].prec,
                2 * spread[name],
            )
            for name, published_prec in printed.rows
        ]
        return ComputedBlock(
            rows,
            tolerance={"prec": FORM_ONLY},
            twin=True,
            beside=stated_values,
            note=self._describe_near_draws(),
            panels=[self._prec_panel()],
        )

    def _describe_near_draws(self) -> Message:
        """How many draws come as near to the paper's as a hundredth."""
        shares = {
            name: np.mean(
                np.abs(np.array(self.results_by_choice[name].precs) - published_prec)
                <= NEAR_DISTANCE
            )
            for name, published_prec in self.published_block("table13").rows
        }
        near = Message(
            "Draws within ±{distance} of the paper's: {shares}.",
            distance=NEAR_DISTANCE,
            shares=", ".join(f"{name} {share:.0%}" for name, share in shares.items()),
        )
        return join_sentences([FRESH_DRAW_NOTE, near])

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


NEAR_DISTANCE = 0.01
REFERENCE_DRAWS = 2000
"""Draws behind the reference means, whose own error counts as ours does."""


def _parse_rule(name: str, cells: Sequence[str]) -> RecommendationRule:
    wanted_by_column: dict[str, WantedValues] = {}
    for column, cell in zip(COLUMN_NAMES_JA, cells, strict=True):
        low, dash, high = cell.partition("-")
        wanted = WantedValues(low=low, high=high) if dash else parse_wanted(cell)
        if wanted is not None:
            wanted_by_column[column] = wanted
    return RecommendationRule(name, (RuleBox(wanted_by_column),))


def _height_condition(cell: str) -> Callable[[int], bool]:
    """Whether a height is meant: `<=170`, `>=170` or `160-170`."""
    if cell.startswith("<="):
        return lambda height: height <= int(cell[2:])
    if cell.startswith(">="):
        return lambda height: height >= int(cell[2:])
    low, high = map(int, cell.split("-"))
    return lambda height: low <= height <= high


def _format_wanted(wanted: WantedValues | None) -> str:
    """What a rule asks for, as the paper writes it."""
    if wanted is None:
        return "*"
    return wanted.values[0] if wanted.values else f"{wanted.low}-{wanted.high}"


def _describe_levels(row: LevelRow) -> Message:
    levels = zip(LEVEL_TITLES.values(), row.levels, strict=True)
    return join_messages(names[level] for names, level in levels)


def _level_index(column: str, cell: str) -> int:
    """The level that a cell of the paper's result tables stands for."""
    return PRINTED_LEVELS[column].index(cell)
