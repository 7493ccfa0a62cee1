"""Simulation of Arai, Kono and Babaguchi (2015), §4, for any number of draws.

    results = simulate(draws=200, seed=1)
    results[0].prec                       # mean Prec with the Prec choice
    results[2].kept["birth"]              # share of people who keep their birth above `*`, rule 2

100 people with sex, birth date, occupation and height, all uniform, k = 2; one rule at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.randomness import Randomness
from tokumei.kernels.mondrian.hierarchical import (
    NO_RULES,
    Choice,
    Idf,
    RuleTargets,
    SplitClasses,
    SplitTree,
    Ties,
    split_down,
)
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import LevelRow, count_levels
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
from tokumei.tables.recommendation_rules.rule_model import RecommendationRule, RuleBox, WantedValues

RULES = (
    RecommendationRule("1", (RuleBox({"sex": WantedValues(("男性",))}),)),
    RecommendationRule("2", (RuleBox({"birth": WantedValues(low="1977", high="1979")}),)),
    RecommendationRule("3", (RuleBox({"occupation": WantedValues(("生産工程従事者",))}),)),
    RecommendationRule("4", (RuleBox({"height": WantedValues(low="165", high="171")}),)),
    RecommendationRule(
        "5",
        (
            RuleBox(
                {
                    "birth": WantedValues(low="1974", high="1979"),
                    "height": WantedValues(low="167", high="188"),
                }
            ),
        ),
    ),
)
RULE_TITLES = {
    "1": Message("men's magazine"),
    "2": Message("charm against bad luck"),
    "3": Message("spanner"),
    "4": Message("clothes A"),
    "5": Message("clothes B"),
}
_TOP_LEVEL = Message.verbatim("*")
LEVEL_TITLES = {
    "sex": (Message("sex"), _TOP_LEVEL),
    "birth": (
        Message("day", context="a step of time"),
        Message("year", context="a step of time"),
        Message("decade"),
        _TOP_LEVEL,
    ),
    "occupation": (Message("middle class"), Message("major class"), _TOP_LEVEL),
    "height": (Message.verbatim("1cm"), Message.verbatim("10cm"), _TOP_LEVEL),
}
"""What the levels of the paper's Table 5 are called, from the leaves up."""


@dataclass(frozen=True)
class ChoiceResult:
    """Means over the draws for one choice of attributes: `prec`, or `tfidf` with one rule.

    `decided[rule]`: share of people for whom the release decides the rule; `table`: the level
    vectors of the first draw, `tables` those of every draw; `precs`: the Prec of every draw.
    """

    choice: Choice
    rule: str | None
    prec: float
    spread: float
    kept: dict[str, float]
    decided: dict[str, float]
    table: list[LevelRow]
    precs: tuple[float, ...] = ()
    tables: tuple[list[LevelRow], ...] = field(default=(), repr=False)


def paper_hierarchies() -> dict[str, Hierarchy]:
    """Those of the paper's Table 5."""
    return {
        "sex": builtin_hierarchy("sex"),
        "birth": builtin_hierarchy(
            "birth-date", column="birth", first="1944-01-29", last="1994-01-28"
        ),
        "occupation": builtin_hierarchy("occupation"),
        "height": builtin_hierarchy("height", first="140", last="190"),
    }


def simulate(
    *,
    draws: int = 200,
    people: int = 100,
    k: int = 2,
    ties: Ties = "order",
    idf: Idf = "table",
    seed: int | None = None,
) -> list[ChoiceResult]:
    """The Prec choice, then each rule by TF-IDF, all on the same draws."""
    if draws < 1 or k < 1 or people < k:
        raise UsageError("at least one draw and k people are needed")
    setup = _SimulationSetup.of()
    results: list[list[_DrawResult]] = [[] for _ in setup.choices]
    with progress_bar(Message("drawing"), total=draws) as advance:
        for tree in setup.draws(draws, people, Randomness(seed)):
            for index, (choice, _, targets) in enumerate(setup.choices):
                splitting = split_down(
                    tree, k=k, choice=choice, targets=targets, ties=ties, idf=idf
                )
                results[index].append(setup.measure(tree, splitting))
            advance(1)
    return [
        _summarize_draws(choice, rule, draw_results, setup)
        for (choice, rule, _), draw_results in zip(setup.choices, results, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _DrawResult:
    prec: float
    kept: np.ndarray
    decided: np.ndarray
    levels: np.ndarray


@dataclass(frozen=True, eq=False)
class _SimulationSetup:
    """What is the same in every draw."""

    names: list[str]
    tree: SplitTree
    choices: list[tuple[Choice, str | None, RuleTargets]]
    touch: np.ndarray
    within: np.ndarray

    @classmethod
    def of(cls) -> _SimulationSetup:
        trees = paper_hierarchies()
        ups = [tree_hierarchy.up for tree_hierarchy in trees.values()]
        rules = leaf_rules(RULES, trees)
        tree = SplitTree.of(np.zeros((1, len(ups)), np.int32), np.ones(1, np.int64), ups)
        choices: list[tuple[Choice, str | None, RuleTargets]] = [("prec", None, NO_RULES)]
        choices += [("tfidf", rule.name, RuleTargets.of([rule.insides], ups)) for rule in rules]
        touch = RuleTargets.of([rule.insides for rule in rules], ups).touch
        # A node lies within a rule, a single box, if it does not touch what is not wanted.
        unwanted = [[[~wanted for wanted in rule.insides[0]]] for rule in rules]
        outside = RuleTargets.of(unwanted, ups).touch
        return cls(list(trees), tree, choices, touch, ~outside)

    def draws(self, draws: int, people: int, rng: Randomness) -> Iterator[SplitTree]:
        for draw in range(draws):
            generator = rng.child("draw", draw).generator
            leaves = [generator.integers(0, size, people) for size in self.tree.leaves]
            yield self.tree.draw(np.column_stack(leaves), np.ones(people, np.int64))

    def measure(self, tree: SplitTree, splitting: SplitClasses) -> _DrawResult:
        """All rules here are single boxes: decided means wholly inside, or nowhere inside."""
        columns = np.arange(len(self.names))
        nodes = tree.up[tree.starts[columns, splitting.levels] + tree.codes]
        decided = self.within[:, nodes].all(axis=2) | ~self.touch[:, nodes].all(axis=2)
        lost = splitting.levels / tree.heights
        return _DrawResult(
            1 - float(lost.mean()), (lost < 1).mean(axis=0), decided.mean(axis=1), splitting.levels
        )


def _summarize_draws(
    choice: Choice, rule: str | None, draw_results: list[_DrawResult], setup: _SimulationSetup
) -> ChoiceResult:
    precs = np.array([draw.prec for draw in draw_results])
    tables = tuple(count_levels(draw.levels) for draw in draw_results)
    kept = np.mean([draw.kept for draw in draw_results], axis=0)
    decided = np.mean([draw.decided for draw in draw_results], axis=0)
    return ChoiceResult(
        choice,
        rule,
        float(precs.mean()),
        float(precs.std()),
        {name: float(share) for name, share in zip(setup.names, kept, strict=True)},
        {
            simulated_rule.name: float(share)
            for simulated_rule, share in zip(RULES, decided, strict=True)
        },
        tables[0],
        tuple(precs.tolist()),
        tables,
    )
