"""Hierarchical Mondrian, which can keep what recommendation rules need.

HierarchicalMondrian(k=2, hierarchies="h_{column}.csv", choice="tfidf", rules="rules.yaml")
HierarchicalMondrian(k=5, hierarchies={"age": "age", "zip": "zip.csv"}, choice="ncp")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.kernels.mondrian.hierarchical import (
    NO_RULES,
    Choice,
    Idf,
    RuleTargets,
    SplitTree,
    Ties,
    split_down,
)
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.conditions.guarded_columns import GuardedColumn
from tokumei.tables.anonymizers.conditions.personal_requests import (
    add_star_leaf,
    hide_cells,
    parse_hidden_cells,
    personal_k_column,
    require_requests_met,
)
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer, RecodedFrame
from tokumei.tables.anonymizers.protocol import Step
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import RecodingResult, label_cells
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
from tokumei.tables.recommendation_rules.rules_file import read_rules


@dataclass(frozen=True)
class HierarchicalMondrian(KAnonymizer):
    """Every QI vector occurs at least k times; cells are nodes of the columns' hierarchies.

    Starting from `*`, one attribute of a group goes down one level at a time, as long as every
    part keeps k rows and fulfils the `conditions`. `choice` says which: `tfidf` (what the rules
    need; Arai, Kono, Babaguchi 2015), `prec`, `ncp` or `range`. `tfidf` counts over all groups
    of the table (`idf`: `table`, which gives the paper's tables) or over those of the split alone
    (`split`); `mean-of-split` is Step 3 to the letter: idf over the table, mean over the split.
    Sensitive values are untouched.
    `personal` names a column with the k that each person asks for, where it is more than `k`;
    `hide` one with the attributes that each person wants hidden.
    """

    name: ClassVar[str] = "mondrian-hierarchical"
    title: ClassVar[Message] = Message("Mondrian along hierarchies")
    sentence: ClassVar[Message] = Message(
        "Refines groups of at least k rows level by level down the hierarchies of the "
        "quasi-identifiers."
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
        changed_step = super().change(step, rng=rng)
        if not self.wishes:
            return changed_step
        require_requests_met(changed_step.table, personal=self.personal, hide=self.hide)
        drop_claim = Claim("no-identifiers", {"columns": self.wishes})
        return replace(
            changed_step,
            table=changed_step.table.drop(self.wishes),
            claims=(*changed_step.claims, drop_claim),
        )

    def recode(self, table: Table, columns: list[GuardedColumn]) -> RecodedFrame:
        """Generalize the QI."""
        self._require_parameters()
        frame, qi = table.frame, table.schema.qi
        hierarchies = choose_hierarchies(self.hierarchies, frame, qi)
        targets = self._rule_targets(hierarchies)
        if self.hide:
            table.schema.require([self.hide], where=self.name)
            frame = hide_cells(frame, qi, parse_hidden_cells(frame[self.hide], qi))
            hierarchies = {
                name: add_star_leaf(hierarchy) for name, hierarchy in hierarchies.items()
            }
        engine = engine_for_frame(frame)
        tuple_counts = engine.tuples(qi)
        if self.personal:
            table.schema.require([self.personal], where=self.name)
            columns = [*columns, personal_k_column(frame[self.personal], self.k)]
        guard = Guard.of(engine, tuple_counts, columns)
        problem = RecodingProblem.of(tuple_counts, hierarchies)
        split_result = split_down(
            SplitTree.of(problem.codes, problem.counts, problem.up),
            k=self.k,
            choice=self.choice,
            targets=targets,
            ties=self.ties,
            idf=self.idf,
            checks=guard.checks,
        )
        cells = label_cells(
            tuple_counts, problem, RecodingResult.whole(split_result.levels), hierarchies
        )
        return RecodedFrame(engine.give(RecodedCells(tuple_counts, cells)).frame)

    def _rule_targets(self, hierarchies: Mapping[str, Hierarchy]) -> RuleTargets:
        if self.choice != "tfidf":
            return NO_RULES
        leaf_level_rules = leaf_rules(read_rules(self.rules), hierarchies, where=self.rules)
        rules = [rule.insides for rule in leaf_level_rules]
        ups = [hierarchy.up for hierarchy in hierarchies.values()]
        if self.hide:  # of `*` a rule knows nothing, unless it takes everybody
            rules = [[tuple(np.append(c, c.all()) for c in box) for box in rule] for rule in rules]
            ups = [add_star_leaf(hierarchy).up for hierarchy in hierarchies.values()]
        return RuleTargets.of(rules, ups)

    def _require_parameters(self) -> None:
        if not self.hierarchies:
            raise UsageError(
                "{name}: give 'hierarchies', a path with {{column}} in it or one hierarchy per "
                "column",
                name=self.name,
            )
        if (self.choice == "tfidf") != bool(self.rules):
            raise UsageError(
                "{name}: choice 'tfidf' needs 'rules', and only it uses them", name=self.name
            )
