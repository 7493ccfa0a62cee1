"""Paper 004: k-anonymity that keeps what recommendation rules need, by TF-IDF over the groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partialmethod

import numpy as np
import polars as pl

from tokumei.core.text import Language, Text
from tokumei.kernels.mondrian.hierarchical import IDFS
from tokumei.papers.case import Case
from tokumei.papers.charts import OURS, PAPER, bars_panel
from tokumei.papers.verdict import FORM, Beside, Found
from tokumei.report.curve_page import Panel
from tokumei.report.html import LANGUAGES
from tokumei.report.palette import both
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import LevelRow, prec
from tokumei.tables.rule_simulation import (
    LEVELS,
    RULES,
    TITLES,
    ChoiceResult,
    hierarchies,
    simulate,
)
from tokumei.tables.rules.boxes import leaf_rules
from tokumei.tables.rules.rules import Box, Rule, Wanted, parse_wanted

CHOICES = ("prec", "rule1", "rule2", "rule3", "rule4", "rule5")
COLUMNS = {"sex": "性別", "birth": "生年月日", "occupation": "職業", "height": "身長"}
ROUNDED = 0.0005
"""Half of the last printed digit of a Prec."""
FRESH = Text(
    "The paper shows one draw, which was not published; these are fresh ones.",
    "論文の結果は公開されていない 1 回の試行です。ここでは新たな試行で計算しています。",
)


class Recommendations(Case):
    """The blocks of the paper."""

    @cached_property
    def world(self) -> dict[str, Hierarchy]:
        """The hierarchies of Table 5."""
        return hierarchies()

    @cached_property
    def means(self) -> dict[str, list[ChoiceResult]]:
        """The simulation, drawn often, with the IDF over the table and over the split."""
        draws, people, k = (self.recipe[name] for name in ("draws", "people", "k"))
        seed = self.recipe["seed"]
        return {idf: simulate(draws=draws, people=people, k=k, idf=idf, seed=seed) for idf in IDFS}

    @cached_property
    def first(self) -> dict[str, ChoiceResult]:
        """The first draw of each choice."""
        return dict(zip(CHOICES, self.means["table"], strict=True))

    def data(self) -> Found:
        """The simulated people."""
        leaves = {name: one.leaves.to_list() for name, one in self.world.items()}
        days, heights = leaves["birth"], [int(one) for one in leaves["height"]]
        ours = {
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
        names = self.printed("data").column("name")
        return Found([[name, ours[name]] if name in ours else None for name in names])

    # Six people, of whom the next two tables are made; a picture of a hierarchy.
    table1 = figure1 = Case.shown

    def _groups(self, name: str) -> Found:
        """The groups of a release, and that none is smaller than two."""
        printed = self.printed(name)
        released = pl.DataFrame(
            {column: list(map(str, printed.column(column))) for column in printed.columns[1:]}
        )
        numbered = released.with_columns(id=pl.Series(printed.column("id")))
        groups = numbered.group_by(printed.columns[1:], maintain_order=True).agg("id")
        found = sorted(groups["id"].to_list())
        return Found(
            beside=[
                Beside(Text("groups", "群"), printed.entry["groups"], found),
                Beside(Text("k", "k"), 2, min(map(len, found))),
            ]
        )

    table2 = partialmethod(_groups, "table2")
    table3 = partialmethod(_groups, "table3")

    def table4(self) -> Found:
        """Rules that can be read: how many of the 51 heights each one takes."""
        rules = [_rule(row[0], row[1:]) for row in self.printed("table4").rows]
        read = leaf_rules(rules, self.world)
        ours = [int(one.insides[0][3].sum()) for one in read]
        wanted = [sum(map(_taking(row[4]), range(140, 191))) for row in self.printed("table4").rows]
        names = [Text(f"heights of {rule.name}", f"{rule.name} の身長の数") for rule in rules]
        return Found(beside=[Beside(*cells) for cells in zip(names, wanted, ours, strict=True)])

    def table5(self) -> Found:
        """The levels of the built-in hierarchies."""
        rows = []
        for own, shown in COLUMNS.items():
            names = [level.ja for level in reversed(LEVELS[own])]
            cells = [*names, *[None] * (4 - len(names))]
            rows.append([shown, *cells, self.world[own].height])
        return Found(rows)

    def table6(self) -> Found:
        """The rules of the simulation."""
        rows = []
        for rule in RULES:
            (box,) = rule.boxes
            cells = [_shown(box.wanted.get(name)) for name in COLUMNS]
            rows.append([int(rule.name), TITLES[rule.name].ja.replace(" ", ""), *cells])
        return Found(rows)

    def _levels(self, name: str, choice: str) -> Found:
        """Prec from the printed people, by our formula; and the first fresh draw in words."""
        printed = self.printed(name)
        heights = [one.height for one in self.world.values()]
        table = [
            LevelRow(
                tuple(_level(own, cell) for own, cell in zip(LEVELS, row, strict=False)), row[4]
            )
            for row in printed.rows
        ]
        stated = self.printed("table13").rows[CHOICES.index(choice)][1]
        people = Text("people", "人数")
        beside = [
            Beside(people, self.recipe["people"], sum(row.people for row in table)),
            Beside(
                Text("Prec of these levels", "この表の Prec"), stated, prec(table, heights), ROUNDED
            ),
        ]
        drawn = self.first[choice].table
        en, ja = (
            "; ".join(f"{_level_words(row, lang)}: {row.people}" for row in drawn)
            for lang in LANGUAGES
        )
        return Found(beside=beside, note=Text(f"A fresh draw: {en}.", f"新たな試行の例: {ja}。"))

    table7 = partialmethod(_levels, "table7", "prec")
    table8 = partialmethod(_levels, "table8", "rule1")
    table9 = partialmethod(_levels, "table9", "rule2")
    table10 = partialmethod(_levels, "table10", "rule3")
    table11 = partialmethod(_levels, "table11", "rule4")
    table12 = partialmethod(_levels, "table12", "rule5")

    def table13(self) -> Found:
        """Mean Prec over many draws, against the reference means of the same draws' number."""
        printed = self.printed("table13")
        means, spread = printed.entry["reference_means"], printed.entry["reference_sd_of_one_draw"]
        draws = self.recipe["draws"]
        rows = [[name, self.first[name].prec] for name in CHOICES]
        beside = [
            Beside(
                Text(f"mean Prec, {name}, idf {idf}", f"Prec の平均 ({name}、idf {idf})"),
                means[f"idf_{idf}"][name],
                one.prec,
                3 * spread[name] * np.sqrt(1 / draws + 1 / REFERENCE),
            )
            for idf, found in self.means.items()
            for name, one in zip(CHOICES, found, strict=True)
        ]
        beside += [
            Beside(
                Text(f"paper's draw against the mean, {name}", f"論文の試行と平均 ({name})"),
                stated,
                self.first[name].prec,
                2 * spread[name],
            )
            for name, stated in printed.rows
        ]
        return Found(
            rows,
            tolerance={"prec": FORM},
            twin=True,
            beside=beside,
            note=self._near(),
            panels=[self._panel()],
        )

    def _near(self) -> Text:
        """How many draws come as near to the paper's as a hundredth."""
        shares = {
            name: np.mean(np.abs(np.array(self.first[name].precs) - stated) <= NEAR)
            for name, stated in self.printed("table13").rows
        }
        told = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        return Text(
            f"{FRESH.en} Draws within ±{NEAR} of the paper's: {told}.",
            f"{FRESH.ja}論文の値から ±{NEAR} 以内の試行の割合: {told}。",
        )

    def _panel(self) -> Panel:
        rows = [
            {"en": name, "ja": name, "value": round(value, 3), **both(side, "side_")}
            for name, stated in self.printed("table13").rows
            for side, value in ((PAPER, stated), (OURS, self.first[name].prec))
        ]
        heading = Text("Prec by choice of attribute", "属性の選び方と Prec")
        return bars_panel("table13", heading, Text("Prec", "Prec"), rows, form=".2f")


NEAR = 0.01
REFERENCE = 2000
"""Draws behind the reference means, whose own error counts as ours does."""


def _rule(name: str, cells: Sequence[str]) -> Rule:
    found: dict[str, Wanted] = {}
    for own, cell in zip(COLUMNS, cells, strict=True):
        low, dash, high = cell.partition("-")
        wanted = Wanted(low=low, high=high) if dash else parse_wanted(cell)
        if wanted is not None:
            found[own] = wanted
    return Rule(name, (Box(found),))


def _taking(cell: str) -> Callable[[int], bool]:
    """Whether a height is meant: `<=170`, `>=170` or `160-170`."""
    if cell.startswith("<="):
        return lambda height: height <= int(cell[2:])
    if cell.startswith(">="):
        return lambda height: height >= int(cell[2:])
    low, high = map(int, cell.split("-"))
    return lambda height: low <= height <= high


def _shown(wanted: Wanted | None) -> str:
    """What a rule asks for, as the paper writes it."""
    if wanted is None:
        return "*"
    return wanted.values[0] if wanted.values else f"{wanted.low}-{wanted.high}"


def _level_words(row: LevelRow, lang: Language) -> str:
    levels = zip(LEVELS.values(), row.levels, strict=True)
    return ", ".join(names[level].show(lang) for names, level in levels)


def _level(column: str, cell: str) -> int:
    """The level that a cell of the paper's result tables stands for."""
    return [name.ja for name in LEVELS[column]].index(cell)
