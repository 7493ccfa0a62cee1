"""Paper 004 on other people and rules: what k-anonymity by TF-IDF keeps for recommendations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partialmethod
from typing import ClassVar

import numpy as np

from tokumei.apps.papers.charts import COMPUTED_SIDE, bars_panel
from tokumei.apps.papers.own.own_table_examples import read_own_table
from tokumei.apps.papers.own.study import MadeTable, OwnStudy
from tokumei.core.messages import Message
from tokumei.kernels.mondrian.hierarchical import (
    IDFS,
    NO_RULES,
    Choice,
    RuleTargets,
    SplitTree,
    Ties,
    split_down,
)
from tokumei.pages.palette import bilingual_columns
from tokumei.tables.data.table import Table
from tokumei.tables.flow import anonymize
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import LevelRow, count_levels, prec
from tokumei.tables.recommendation_rules.leaf_boxes import LeafRule, leaf_rules
from tokumei.tables.recommendation_rules.rule_model import (
    RecommendationRule,
    RuleBox,
    WantedValues,
)
from tokumei.tables.recommendation_rules.rules_file import read_rules

FEW_ROWS, MOST_RULES = 6, 5
TIES: tuple[Ties, ...] = ("order", "prec")


@dataclass(frozen=True, eq=False)
class OwnRecommendations(OwnStudy):
    """The blocks of the paper."""

    number: ClassVar[str] = "004"
    defaults: ClassVar[Mapping[str, object]] = {
        "qi": None,
        "id": None,
        "rules": None,
        "hierarchies": "auto",
        "k": 2,
        "rows": 0,
        "seed": 1,
        "idf": "table",
        "ties": "order",
    }

    @cached_property
    def people(self) -> Table:
        """The people with the columns that were chosen."""
        return read_own_table(self, needs_sa=False)

    @property
    def qi(self) -> list[str]:
        """The attributes."""
        return list(self.people.schema.qi)

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """A hierarchy for every attribute."""
        source = self.settings.pairs("hierarchies") if self._names_hierarchies else None
        chosen: str | dict[str, str] = source or self.settings.text("hierarchies")
        if isinstance(chosen, dict):
            chosen = {name: chosen.get(name, "auto") for name in self.qi}
        return choose_hierarchies(chosen, self.people.frame, self.qi)

    @property
    def _names_hierarchies(self) -> bool:
        value = self.settings.value("hierarchies")
        return isinstance(value, Mapping) or "=" in str(value)

    @cached_property
    def rules(self) -> list[RecommendationRule]:
        """The rules of a file; without one a rule for the most frequent value of each attribute."""
        path = self.settings.text("rules")
        if path:
            return list(read_rules(path))[:MOST_RULES]
        return [
            RecommendationRule(name, (RuleBox({name: WantedValues((most,))}),))
            for name in self.qi[:MOST_RULES]
            for most in [_most_frequent(self.people, name)]
        ]

    @cached_property
    def leaf_rules(self) -> list[LeafRule]:
        """The rules over the leaves of the hierarchies."""
        return list(leaf_rules(self.rules, self.hierarchies))

    @cached_property
    def codes(self) -> np.ndarray:
        """Every person's leaf in every attribute."""
        columns = []
        for name in self.qi:
            leaves = self.hierarchies[name].leaves.to_list()
            places = {leaf: place for place, leaf in enumerate(leaves)}
            cells = self.people.frame[name].to_list()
            columns.append([places[str(cell)] for cell in cells])
        return np.column_stack(columns).astype(np.int32)

    @cached_property
    def level_tables(self) -> list[list[LevelRow]]:
        """Levels and people by Prec, then by each rule."""
        ups = [self.hierarchies[name].up for name in self.qi]
        counts = np.ones(self.people.rows, np.int64)
        choices: list[tuple[Choice, RuleTargets]] = [("prec", NO_RULES)]
        choices += [("tfidf", RuleTargets.of([rule.insides], ups)) for rule in self.leaf_rules]
        return [
            count_levels(
                split_down(
                    SplitTree.of(self.codes, counts, ups),
                    k=self.settings.integer("k"),
                    choice=choice,
                    targets=targets,
                    ties=self.settings.choice("ties", TIES),
                    idf=self.settings.choice("idf", IDFS),
                ).levels
            )
            for choice, targets in choices
        ]

    def data(self) -> MadeTable:
        """How many people and values."""
        rows: list[list[object]] = [
            [Message("people", context="a number"), self.people.rows],
            [Message.verbatim("k"), self.settings.integer("k")],
        ]
        for name in self.qi:
            label = Message("values of {column}", column=name)
            rows.append([label, len(self.hierarchies[name].leaves)])
        return MadeTable(rows, ("name", "value"))

    @property
    def _columns(self) -> list[str | Message]:
        return [Message.verbatim(name) for name in self.qi]

    def table1(self) -> MadeTable:
        """The first people."""
        rows = [list(map(str, row)) for row in self.people.frame.head(FEW_ROWS).iter_rows()]
        return MadeTable(rows, self._columns, title=Message("The first people before"))

    def _release_rows(self, choice: str, title: Message) -> MadeTable:
        """The first people in a release."""
        release = anonymize(
            self.people,
            "mondrian-hierarchical",
            k=self.settings.integer("k"),
            hierarchies=self.hierarchies_setting,
            choice=choice,
            seed=self.settings.integer("seed"),
            keep_order=True,
        )
        rows = [list(map(str, row)) for row in release.public.frame.head(FEW_ROWS).iter_rows()]
        return MadeTable(rows, self._columns, title=title)

    @property
    def hierarchies_setting(self) -> str | dict[str, str]:
        """Where the hierarchies come from, as a method's parameter."""
        if self._names_hierarchies:
            given = self.settings.pairs("hierarchies")
            return {name: given.get(name, "auto") for name in self.qi}
        return self.settings.text("hierarchies")

    def table2(self) -> MadeTable:
        """Split by Prec."""
        return self._release_rows("prec", Message("The same people in the release by Prec"))

    def table3(self) -> MadeTable:
        """Split by NCP."""
        return self._release_rows("ncp", Message("The same people in another release, by NCP"))

    def table5(self) -> MadeTable:
        """The levels of every hierarchy, from `*` down, by how many nodes they have."""
        rows = []
        for name in self.qi:
            sizes = [len(set(nodes)) for nodes in self.hierarchies[name].up.tolist()]
            rows.append([name, len(sizes), list(reversed(sizes))])
        columns = ("attribute", Message("levels"), Message("nodes of each, from *"))
        return MadeTable(rows, columns)

    def table6(self) -> MadeTable:
        """The rules."""
        rows = [
            [rule.name, *(_describe_wanted(rule, name) for name in self.qi)] for rule in self.rules
        ]
        columns = [Message("rule"), *self._columns]
        return MadeTable(rows, columns, title=Message("The rules"))

    def table4(self) -> MadeTable:
        """How many people each rule targets."""
        rows = [
            [rule.name, int(_targeted(rule, self.codes).sum()), self.people.rows]
            for rule in self.leaf_rules
        ]
        columns = (Message("rule"), Message("targeted"), Message("people", context="a number"))
        return MadeTable(rows, columns, title=Message("Whom the rules target"))

    def _levels(self, place: int) -> MadeTable:
        """Levels and people of one choice; a level is the nodes that it has."""
        if place >= len(self.level_tables):
            return MadeTable(note=Message("There is no further rule."))
        rows: list[list[object]] = []
        for row in self.level_tables[place]:
            nodes = [
                _describe_level(level, self.hierarchies[name].height)
                for name, level in zip(self.qi, row.levels, strict=True)
            ]
            rows.append([*nodes, row.people])
        title = BY_PREC if place == 0 else Message("Rule {rule}", rule=self.rules[place - 1].name)
        columns = [*self._columns, Message("people", context="a number")]
        return MadeTable(rows, columns, note=LEVELS_NOTE, title=title)

    table7 = partialmethod(_levels, 0)
    table8 = partialmethod(_levels, 1)
    table9 = partialmethod(_levels, 2)
    table10 = partialmethod(_levels, 3)
    table11 = partialmethod(_levels, 4)
    table12 = partialmethod(_levels, 5)

    def table13(self) -> MadeTable:
        """Prec of every release."""
        heights = [self.hierarchies[name].height for name in self.qi]
        names = [BY_PREC, *(Message("Rule {rule}", rule=rule.name) for rule in self.rules)]
        rows: list[list[object]] = [
            [name, prec(table, heights)]
            for name, table in zip(names, self.level_tables, strict=True)
        ]
        bars = [
            {
                **bilingual_columns(name),
                "value": round(prec(table, heights), 3),
                **bilingual_columns(COMPUTED_SIDE, "side_"),
            }
            for name, table in zip(names, self.level_tables, strict=True)
        ]
        heading = Message("Prec by choice of attribute")
        panel = bars_panel("table13", heading, Message.verbatim("Prec"), bars, form=".2f")
        return MadeTable(rows, panels=[panel], title=Message("Prec of the releases"))

    def figure1(self) -> MadeTable:
        """The first value of every attribute with all that stands above it."""
        rows = []
        for name in self.qi:
            hierarchy = self.hierarchies[name]
            path = [hierarchy.label(level, 0) for level in range(hierarchy.height + 1)]
            rows.append([name, " → ".join(path)])
        return MadeTable(rows, ("attribute", Message("from the value up")))


def _describe_level(level: int, height: int) -> str | Message:
    """The value itself, so many steps above it, or the top."""
    if level == height:
        return "*"
    return f"↑{level}" if level else Message("value")


def _most_frequent(people: Table, name: str) -> str:
    counts = people.frame[name].cast(str).value_counts(sort=True)
    return str(counts[name][0])


def _describe_wanted(rule: RecommendationRule, column: str) -> str:
    """What a rule asks of a column."""
    texts = []
    for box in rule.boxes:
        wanted = box.wanted.get(column)
        if wanted is not None:
            texts.append(", ".join(wanted.values) or f"{wanted.low}-{wanted.high}")
    return " | ".join(texts) or "*"


def _targeted(rule: LeafRule, codes: np.ndarray) -> np.ndarray:
    """Whether each person lies in one of the rule's boxes."""
    inside = [
        np.all([wanted[codes[:, place]] for place, wanted in enumerate(box)], axis=0)
        for box in rule.insides
    ]
    return np.asarray(np.any(inside, axis=0))


BY_PREC = Message("Choice by Prec")
LEVELS_NOTE = Message("↑1 is one step above the value, ↑2 two steps; * is the top.")
