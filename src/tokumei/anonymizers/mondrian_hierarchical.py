"""k-anonymity by hierarchical Mondrian, which can keep what recommendations need.

HierarchicalMondrian(k=2, hierarchies="h_{column}.csv", choice="tfidf", rules="rules.yaml")
HierarchicalMondrian(k=5, hierarchies={"age": "age", "zip": "zip.csv"}, choice="ncp")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.anonymizers.mondrian import require_k
from tokumei.anonymizers.mondrian_tree import NO_RULES, Splitting, Tree, split_down
from tokumei.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.anonymizers.split_choice import Choice, Ties
from tokumei.anonymizers.tfidf import Targets
from tokumei.data.hierarchies.choose import choose_hierarchies
from tokumei.data.hierarchies.hierarchy import Hierarchy
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim
from tokumei.data.rules.boxes import leaf_rules
from tokumei.data.rules.rules_file import read_rules
from tokumei.engine.local import LocalEngine
from tokumei.engine.protocol import Engine, Frequencies
from tokumei.errors import UsageError
from tokumei.text import Text


@dataclass(frozen=True)
class HierarchicalMondrian(TableMethod):
    """Every QI vector occurs at least k times; cells are nodes of the columns' hierarchies.

    Starting from `*`, one attribute of a group goes down one level at a time, as long as every
    part keeps k rows. `choice` says which: `tfidf` (what the rules need; Arai, Kono, Babaguchi
    2015), `prec`, `ncp` or `range`. Sensitive values are untouched.
    """

    name: ClassVar[str] = "mondrian-hierarchical"
    title: ClassVar[Text] = Text("k-anonymize along hierarchies", "階層による k-匿名化")

    k: int = 5
    hierarchies: str | Mapping[str, str] = ""
    choice: Choice = "prec"
    rules: str = ""
    ties: Ties = "order"

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Generalize the QI."""
        table, qi = step.table, step.table.schema.qi
        require_k(self.k, table.rows)
        require_columns(self.name, qi, Text("quasi-identifier (QI)", "準識別子"))
        self._require_files()
        hierarchies = choose_hierarchies(self.hierarchies, table.frame, qi)
        targets = NO_RULES
        if self.choice == "tfidf":
            rules = leaf_rules(read_rules(self.rules), hierarchies, where=self.rules)
            targets = Targets.of(rules, list(hierarchies.values()))
        frame = self._recoded(table.frame, hierarchies, targets, LocalEngine())
        claim = Claim("k-anonymity", {"k": self.k, "columns": list(qi)})
        return Step(table.with_frame(frame), step.link, (*step.claims, claim))

    def _recoded(
        self,
        frame: pl.DataFrame,
        hierarchies: dict[str, Hierarchy],
        targets: Targets,
        engine: Engine,
    ) -> pl.DataFrame:
        found = engine.frequencies(frame, list(hierarchies))
        codes = leaf_tuples(found, hierarchies)
        tree = Tree.of(codes, found.counts, list(hierarchies.values()))
        made = split_down(tree, k=self.k, choice=self.choice, targets=targets, ties=self.ties)
        cells = node_cells(found, codes, made, hierarchies)
        changed: pl.DataFrame = engine.recode(frame, found, cells)
        return changed

    def _require_files(self) -> None:
        if not self.hierarchies:
            raise UsageError(
                Text(
                    f"{self.name}: give 'hierarchies', a path with {{column}} in it or one "
                    "hierarchy per column",
                    f"{self.name}: 'hierarchies' に {{column}} を含むパスか、"
                    "列ごとの階層を指定してください",
                )
            )
        if (self.choice == "tfidf") != bool(self.rules):
            raise UsageError(
                Text(
                    f"{self.name}: choice 'tfidf' needs 'rules', and only it uses them",
                    f"{self.name}: choice 'tfidf' には 'rules' が必要で、他の choice は使いません",
                )
            )


def leaf_tuples(found: Frequencies, hierarchies: Mapping[str, Hierarchy]) -> np.ndarray:
    """The leaves of every tuple; an InputError lists the values that have none."""
    return np.column_stack(
        [
            hierarchies[name].leaf_codes(values)[found.codes[:, j]]
            for j, (name, values) in enumerate(zip(found.columns, found.values, strict=True))
        ]
    )


def node_cells(
    found: Frequencies, codes: np.ndarray, made: Splitting, hierarchies: Mapping[str, Hierarchy]
) -> dict[str, pl.Series]:
    """The label of every tuple's nodes; a column that stays at its leaves keeps its type."""
    cells = {}
    for j, name in enumerate(found.columns):
        if made.levels[:, j].any():
            cells[name] = _labels(hierarchies[name], made.levels[:, j], codes[:, j])
        else:
            cells[name] = found.values[j].gather(found.codes[:, j])
    return cells


def _labels(hierarchy: Hierarchy, levels: np.ndarray, leaves: np.ndarray) -> pl.Series:
    first = np.cumsum([0, *(len(names) for names in hierarchy.names)])
    labels = pl.concat(hierarchy.names).gather(first[levels] + hierarchy.up[levels, leaves])
    # A node without a name stands for missing values.
    return labels.replace("", None)
