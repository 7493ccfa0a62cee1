"""k-anonymity by hierarchical Mondrian, which can keep what recommendations need.

HierarchicalMondrian(k=2, hierarchies="h_{column}.csv", choice="tfidf", rules="rules.yaml")
HierarchicalMondrian(k=5, hierarchies={"age": "age", "zip": "zip.csv"}, choice="ncp")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.kernels.mondrian.hierarchical import (
    NO_RULES,
    Choice,
    Idf,
    Targets,
    Ties,
    Tree,
    split_down,
)
from tokumei.tables.anonymizers.conditions.guard import Guard, GuardedColumn
from tokumei.tables.anonymizers.conditions.wishes import (
    cells_hidden,
    hidden_cells,
    personal_column,
    require_granted,
    with_star,
)
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer, Recoded
from tokumei.tables.anonymizers.protocol import Step
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import Recoding, recoded_cells
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_of
from tokumei.tables.engines.protocol import NewCells
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.rules.boxes import leaf_rules
from tokumei.tables.rules.rules_file import read_rules


@dataclass(frozen=True)
class HierarchicalMondrian(KAnonymizer):
    """Every QI vector occurs at least k times; cells are nodes of the columns' hierarchies.

    Starting from `*`, one attribute of a group goes down one level at a time, as long as every
    part keeps k rows and fulfils the `conditions`. `choice` says which: `tfidf` (what the rules
    need; Arai, Kono, Babaguchi 2015), `prec`, `ncp` or `range`. `tfidf` counts over all groups
    of the table (`idf`: `table`, as in the paper) or over those of the split alone (`split`).
    Sensitive values are untouched.
    `personal` names a column with the k that each person asks for, where it is more than `k`;
    `hide` one with the attributes that each person wants hidden.
    """

    name: ClassVar[str] = "mondrian-hierarchical"
    title: ClassVar[Text] = Text("Mondrian along hierarchies", "階層に沿った Mondrian 法")
    sentence: ClassVar[Text] = Text(
        "Refines groups of at least k rows level by level down the hierarchies of the "
        "quasi-identifiers.",
        "準識別子の階層を一段ずつ下りながら、k 行以上のグループに細かく分けます。",
    )
    unsaid: ClassVar[tuple[str, ...]] = (*KAnonymizer.unsaid, "personal", "hide")

    hierarchies: str | Mapping[str, str] = ""
    choice: Choice = "prec"
    rules: str = ""
    ties: Ties = "order"
    idf: Idf = "table"
    personal: str = field(default="", kw_only=True)
    hide: str = field(default="", kw_only=True)

    @property
    def wishes(self) -> list[str]:
        """The columns of what people ask for."""
        return [name for name in (self.personal, self.hide) if name]

    @property
    def reads(self) -> set[str]:
        """The persons, and what they ask for."""
        return super().reads | {*self.wishes}

    @property
    def takes_compact(self) -> bool:
        """What people ask for is looked at, too."""
        return not self.wishes and super().takes_compact

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Generalize the QI; what people asked for is proven, and not released."""
        made = super().change(step, rng=rng)
        if not self.wishes:
            return made
        require_granted(made.table, personal=self.personal, hide=self.hide)
        dropped = Claim("no-identifiers", {"columns": self.wishes})
        return replace(made, table=made.table.drop(self.wishes), claims=(*made.claims, dropped))

    def recode(self, table: Table, columns: list[GuardedColumn]) -> Recoded:
        """Generalize the QI."""
        self._require_files()
        frame, qi = table.frame, table.schema.qi
        hierarchies = choose_hierarchies(self.hierarchies, frame, qi)
        targets = self._targets(hierarchies)
        if self.hide:
            table.schema.require([self.hide], where=self.name)
            frame = cells_hidden(frame, qi, hidden_cells(frame[self.hide], qi))
            hierarchies = {name: with_star(tree) for name, tree in hierarchies.items()}
        engine = engine_of(frame)
        found = engine.tuples(qi)
        if self.personal:
            table.schema.require([self.personal], where=self.name)
            columns = [*columns, personal_column(frame[self.personal], self.k)]
        guard = Guard.of(engine, found, columns)
        problem = RecodingProblem.of(found, hierarchies)
        made = split_down(
            Tree.of(problem.codes, problem.counts, problem.up),
            k=self.k,
            choice=self.choice,
            targets=targets,
            ties=self.ties,
            idf=self.idf,
            checks=guard.checks,
        )
        cells = recoded_cells(found, problem, Recoding.whole(made.levels), hierarchies)
        return Recoded(engine.give(NewCells(found, cells)).frame)

    def _targets(self, hierarchies: Mapping[str, Hierarchy]) -> Targets:
        if self.choice != "tfidf":
            return NO_RULES
        found = leaf_rules(read_rules(self.rules), hierarchies, where=self.rules)
        rules = [rule.insides for rule in found]
        ups = [one.up for one in hierarchies.values()]
        if self.hide:  # of `*` a rule knows nothing, unless it takes everybody
            rules = [[tuple(np.append(c, c.all()) for c in box) for box in rule] for rule in rules]
            ups = [with_star(one).up for one in hierarchies.values()]
        return Targets.of(rules, ups)

    def _require_files(self) -> None:
        if not self.hierarchies:
            raise UsageError(
                f"{self.name}: give 'hierarchies', a path with {{column}} in it or one "
                "hierarchy per column",
                f"{self.name}: 'hierarchies' に {{column}} を含むパスか、"
                "列ごとの階層を指定してください",
            )
        if (self.choice == "tfidf") != bool(self.rules):
            raise UsageError(
                f"{self.name}: choice 'tfidf' needs 'rules', and only it uses them",
                f"{self.name}: choice 'tfidf' には 'rules' が必要で、他の choice は使いません",
            )
