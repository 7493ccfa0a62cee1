"""The simulation of Arai, Kono and Babaguchi (2015), §4, drawn as often as one likes.

    found = simulate(draws=200, seed=1)
    found[0].prec                       # mean Prec with the Prec choice
    found[2].kept["birth"]              # share of people who keep their birth above `*`, rule 2

100 people with sex, birth date, occupation and height, all uniform, k = 2; one rule at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.kernels.mondrian.hierarchical import (
    NO_RULES,
    Choice,
    Idf,
    Splitting,
    Targets,
    Ties,
    Tree,
    split_down,
)
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import LevelRow, count_levels
from tokumei.tables.rules.boxes import leaf_rules
from tokumei.tables.rules.rules import Box, Rule, Wanted

RULES = (
    Rule("1", (Box({"sex": Wanted(("男性",))}),)),
    Rule("2", (Box({"birth": Wanted(low="1977", high="1979")}),)),
    Rule("3", (Box({"occupation": Wanted(("生産工程従事者",))}),)),
    Rule("4", (Box({"height": Wanted(low="165", high="171")}),)),
    Rule(
        "5",
        (Box({"birth": Wanted(low="1974", high="1979"), "height": Wanted(low="167", high="188")}),),
    ),
)
TITLES = {
    "1": Text("men's magazine", "男性用雑誌"),
    "2": Text("charm against bad luck", "厄除けのお守り"),
    "3": Text("spanner", "スパナ"),
    "4": Text("clothes A", "服 A"),
    "5": Text("clothes B", "服 B"),
}
_ALL = Text("*", "*")
LEVELS = {
    "sex": (Text("sex", "男女"), _ALL),
    "birth": (Text("day", "1日"), Text("year", "1年"), Text("decade", "10年"), _ALL),
    "occupation": (Text("middle class", "中分類"), Text("major class", "大分類"), _ALL),
    "height": (Text("1cm", "1cm"), Text("10cm", "10cm"), _ALL),
}
"""What the levels of the paper's Table 5 are called, from the leaves up."""


@dataclass(frozen=True)
class ChoiceResult:
    """Means over the draws for one choice of attributes: `prec`, or `tfidf` with one rule.

    `decided[rule]`: share of people for whom the release decides the rule; `table`: the level
    vectors of the first draw; `precs`: the Prec of every draw.
    """

    choice: Choice
    rule: str | None
    prec: float
    spread: float
    kept: dict[str, float]
    decided: dict[str, float]
    table: list[LevelRow]
    precs: tuple[float, ...] = ()


def hierarchies() -> dict[str, Hierarchy]:
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
        raise UsageError(
            "at least one draw and k people are needed", "1 回以上の試行と k 人以上が必要です"
        )
    scene = _Scene.of()
    results: list[list[_Draw]] = [[] for _ in scene.choices]
    with meter(Text("drawing", "試行中"), total=draws) as advance:
        for tree in scene.draws(draws, people, Randomness(seed)):
            for place, (choice, _, targets) in enumerate(scene.choices):
                made = split_down(tree, k=k, choice=choice, targets=targets, ties=ties, idf=idf)
                results[place].append(scene.measure(tree, made))
            advance(1)
    return [
        _summary(choice, rule, found, scene)
        for (choice, rule, _), found in zip(scene.choices, results, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Draw:
    prec: float
    kept: np.ndarray
    decided: np.ndarray
    levels: np.ndarray


@dataclass(frozen=True, eq=False)
class _Scene:
    """What is the same in every draw."""

    names: list[str]
    tree: Tree
    choices: list[tuple[Choice, str | None, Targets]]
    touch: np.ndarray
    within: np.ndarray

    @classmethod
    def of(cls) -> _Scene:
        found = hierarchies()
        ups = [one.up for one in found.values()]
        rules = leaf_rules(RULES, found)
        tree = Tree.of(np.zeros((1, len(ups)), np.int32), np.ones(1, np.int64), ups)
        choices: list[tuple[Choice, str | None, Targets]] = [("prec", None, NO_RULES)]
        choices += [("tfidf", rule.name, Targets.of([rule.insides], ups)) for rule in rules]
        touch = Targets.of([rule.insides for rule in rules], ups).touch
        # A node lies within a rule, a single box, if it does not touch what is not wanted.
        unwanted = [[[~wanted for wanted in rule.insides[0]]] for rule in rules]
        outside = Targets.of(unwanted, ups).touch
        return cls(list(found), tree, choices, touch, ~outside)

    def draws(self, draws: int, people: int, rng: Randomness) -> Iterator[Tree]:
        for draw in range(draws):
            generator = rng.child("draw", draw).generator
            leaves = [generator.integers(0, size, people) for size in self.tree.leaves]
            yield self.tree.draw(np.column_stack(leaves), np.ones(people, np.int64))

    def measure(self, tree: Tree, made: Splitting) -> _Draw:
        """All rules here are single boxes: decided means wholly inside, or nowhere inside."""
        columns = np.arange(len(self.names))
        nodes = tree.up[tree.starts[columns, made.levels] + tree.codes]
        decided = self.within[:, nodes].all(axis=2) | ~self.touch[:, nodes].all(axis=2)
        lost = made.levels / tree.heights
        return _Draw(
            1 - float(lost.mean()), (lost < 1).mean(axis=0), decided.mean(axis=1), made.levels
        )


def _summary(choice: Choice, rule: str | None, found: list[_Draw], scene: _Scene) -> ChoiceResult:
    precs = np.array([draw.prec for draw in found])
    kept = np.mean([draw.kept for draw in found], axis=0)
    decided = np.mean([draw.decided for draw in found], axis=0)
    return ChoiceResult(
        choice,
        rule,
        float(precs.mean()),
        float(precs.std()),
        {name: float(share) for name, share in zip(scene.names, kept, strict=True)},
        {one.name: float(share) for one, share in zip(RULES, decided, strict=True)},
        count_levels(found[0].levels),
        tuple(precs.tolist()),
    )
